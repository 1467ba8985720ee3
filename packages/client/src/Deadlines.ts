import { type Outcome, TransportError } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/** How long one request may take, in ms: since its last sign of progress, and in all. */
export interface Bounds {
  readonly requestMs: number
  readonly totalMs: number
}

interface Entry extends Bounds {
  readonly method: string
  at: number
  readonly last: number
  readonly expire: (error: TransportError) => void
  /** Where it stands among the entries; negative once it has ended. */
  index: number
}

/** What an exchange says of itself, for the time it has since its last sign of progress. */
export interface Pulse {
  /** Starts that time anew. */
  readonly alive: () => void
  /** Stops it until the next `alive`. */
  readonly hold: () => void
}

/**
 * Ends requests that take too long: one timer for all that are open, since most end long before it and a timer each
 * would cost more than the request.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#timeouts
 */
export interface Deadlines {
  /**
   * Runs an exchange with the time it has. When it is up, `expire` ends the exchange, or, without it, its fiber is
   * interrupted: either way the server is told.
   */
  readonly within: <A>(
    method: string,
    bounds: Bounds,
    exchange: (pulse: Pulse) => Effect.Effect<A, TransportError>,
    expire: ((error: TransportError) => void) | undefined
  ) => Effect.Effect<A, TransportError>
}

export const timedOut = (method: string, afterMs: number, outcome: Outcome = "Unknown"): TransportError =>
  TransportError.make({ _tag: "TimedOut", afterMs, method }, outcome)

export const make: Effect.Effect<Deadlines, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const run = Effect.runForkWith(yield* Effect.context<never>())
  // not a Set: one that churns at this rate costs a tenth of a call in garbage collection
  const entries: Array<Entry> = []
  let timer: { readonly fiber: Fiber.Fiber<void>; readonly at: number } | undefined

  // a clock that nobody sets: neither a jump forward nor one back changes how long a request may take
  const now = (): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000n) / 1_000
  const end = (entry: Entry): void => {
    const last = entry.index < 0 ? undefined : entries.pop()
    if (last === undefined) return
    if (last !== entry) {
      entries[entry.index] = last
      last.index = entry.index
    }
    entry.index = -1
  }
  const due = (entry: Entry): number => Math.min(entry.at, entry.last)
  const sweep = (): void => {
    timer = undefined
    const time = now()
    let next = Infinity
    // from the end: an entry that ends leaves its place to the last one, which has been looked at
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i]
      if (entry === undefined) continue
      if (due(entry) > time) {
        next = Math.min(next, due(entry))
        continue
      }
      end(entry)
      entry.expire(timedOut(entry.method, entry.last <= time ? entry.totalMs : entry.requestMs))
    }
    if (next < Infinity) wakeAt(next)
  }
  const wakeAt = (at: number): void => {
    if (timer !== undefined) {
      if (timer.at <= at) return
      timer.fiber.interruptUnsafe()
    }
    timer = { at, fiber: run(Effect.andThen(Effect.sleep(at - now()), Effect.sync(sweep))) }
  }
  const begin = (method: string, { requestMs, totalMs }: Bounds, expire: Entry["expire"]): Entry => {
    const time = now()
    const entry: Entry = {
      method,
      requestMs,
      totalMs,
      at: time + requestMs,
      last: time + totalMs,
      expire,
      index: entries.length
    }
    entries.push(entry)
    if (due(entry) < Infinity) wakeAt(due(entry))
    return entry
  }
  const pulseOf = (entry: Entry): Pulse => ({
    alive: () => {
      if (entry.index < 0) return
      entry.at = now() + entry.requestMs
      if (due(entry) < Infinity) wakeAt(due(entry))
    },
    hold: () => {
      entry.at = Infinity
    }
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => timer?.fiber.interruptUnsafe()))

  /** For a wire that can only be interrupted: the exchange gets a fiber of its own. */
  const inFiber = <A>(method: string, bounds: Bounds, exchange: (pulse: Pulse) => Effect.Effect<A, TransportError>) =>
    Effect.withFiber((caller) =>
      Effect.callback<A, TransportError>((resume) => {
        let expired: TransportError | undefined
        const entry = begin(method, bounds, (error) => {
          expired = error
          fiber.interruptUnsafe()
        })
        const fiber = Effect.runForkWith(caller.context)(exchange(pulseOf(entry)))
        fiber.addObserver((exit) => {
          end(entry)
          resume(expired === undefined ? exit : Effect.fail(expired))
        })
        return Effect.suspend(() => {
          end(entry)
          return Fiber.interrupt(fiber)
        })
      })
    )

  return {
    within: (method, bounds, exchange, expire) => {
      if (expire === undefined) return inFiber(method, bounds, exchange)
      return Effect.suspend(() => {
        const entry = begin(method, bounds, expire)
        return Effect.onExit(exchange(pulseOf(entry)), () => {
          end(entry)
          return Effect.void
        })
      })
    }
  }
})
