import { type JsonRpc, type Outcome, TransportError } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { type Spent, ticksOf } from "./Spent.ts"

/** How long one request may take, in ms: since its last sign of progress, and in all. */
export interface Bounds {
  readonly requestMs: number
  readonly totalMs: number
}

/** What an exchange says of itself, for the time it has. */
export interface Pulse {
  /** Starts the time since its last sign of progress anew. */
  readonly alive: () => void
  /** Stops that time until the next `alive`. */
  readonly hold: () => void
  /** Stops all its time until `goOn`, as often as it has been stopped. */
  readonly standStill: () => void
  readonly goOn: () => void
  /** Hears that the exchange is over; one listener. */
  readonly onEnd: (hear: () => void) => void
}

/** The time of one exchange. */
export interface Time extends Pulse {
  /**
   * Runs the exchange in it. When it is up, the exchange is abandoned, or, on a wire that cannot, its fiber is interrupted:
   * either way the server is told.
   */
  readonly during: <A>(exchange: Effect.Effect<A, TransportError>) => Effect.Effect<A, TransportError>
}

/**
 * Ends requests that take too long: one timer for all that are open, since most end long before it and a timer each
 * would cost more than the request.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#timeouts
 */
export interface Deadlines {
  /** Begins the time of an exchange, which is to run in the same turn. */
  readonly begin: (
    id: JsonRpc.RequestId,
    method: string,
    bounds: Bounds,
    /** What its request had used before; from then on, what it uses. */
    spent: Spent | undefined
  ) => Time
  /** Stops the time of all exchanges, those included that begin meanwhile, until `goOn`, as often as it has been stopped. */
  readonly standStill: () => void
  readonly goOn: () => void
}

export const timedOut = (method: string, afterMs: number, outcome: Outcome = "Unknown"): TransportError =>
  TransportError.make({ _tag: "TimedOut", afterMs, method }, outcome)

/** Ends an exchange from outside. */
type Abandon = (id: JsonRpc.RequestId, error: TransportError) => void

export const make = Effect.fnUntraced(function* (
  abandon: Abandon | undefined
): Effect.fn.Return<Deadlines, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const run = Effect.runForkWith(yield* Effect.context<never>())
  // not a Set: one that churns at this rate costs a tenth of a call in garbage collection
  const entries: Array<Entry> = []
  let timer: { readonly fiber: Fiber.Fiber<void>; readonly at: number } | undefined
  let isOver = false
  const stop = (): void => {
    timer?.fiber.interruptUnsafe()
    timer = undefined
  }

  /** When all time was stopped, how often, and for how long before. */
  let stoppedAt: number | undefined
  let stops = 0
  let stood = 0

  // a clock that nobody sets: neither a jump forward nor one back changes how long a request may take
  const ticks = (): number => ticksOf(clock)
  /** The time without that in which it stood still. */
  const now = (): number => (stoppedAt ?? ticks()) - stood

  class Entry implements Time {
    readonly id: JsonRpc.RequestId
    readonly method: string
    readonly bounds: Bounds
    expire = abandon
    at: number
    last: number
    /** Where it stands among the entries; negative once it has ended. */
    index = entries.length
    /** How often its own time has been stopped, and what was left of it then. */
    stops = 0
    restAt = Infinity
    restLast = Infinity
    ended: (() => void) | undefined
    readonly spent: Spent | undefined
    hasStood = false

    constructor(id: JsonRpc.RequestId, method: string, bounds: Bounds, spent: Spent | undefined) {
      const begun = ticks()
      const time = (stoppedAt ?? begun) - stood
      this.id = id
      this.method = method
      this.bounds = bounds
      this.spent = spent
      this.at = time + bounds.requestMs
      this.last = time + bounds.totalMs - (spent?.used(begun) ?? 0)
      entries.push(this)
      this.wake()
    }
    during<A>(exchange: Effect.Effect<A, TransportError>): Effect.Effect<A, TransportError> {
      if (abandon === undefined) return inFiber(this, exchange)
      return Effect.onExit(exchange, () => {
        this.end()
        return Effect.void
      })
    }
    get due(): number {
      return Math.min(this.at, this.last)
    }
    wake(): void {
      if (this.due < Infinity) wakeAt(this.due)
    }
    alive(): void {
      if (this.index < 0) return
      if (this.stops > 0) this.restAt = this.bounds.requestMs
      else {
        const wasHeld = this.at === Infinity
        this.at = now() + this.bounds.requestMs
        // what moves on is seen when the timer comes to where it was
        if (wasHeld) this.wake()
      }
    }
    hold(): void {
      this.at = this.restAt = Infinity
    }
    standStill(): void {
      if (this.stops++ > 0) return
      this.hasStood = true
      const time = now()
      this.restAt = this.at - time
      this.restLast = this.last - time
      this.at = this.last = Infinity
    }
    goOn(): void {
      if (--this.stops > 0 || this.index < 0) return
      const time = now()
      this.at = time + this.restAt
      this.last = time + this.restLast
      this.wake()
    }
    onEnd(hear: () => void): void {
      this.ended = hear
    }
    /** Has its request know for how long the time stood still. */
    settle(spent: Spent): void {
      if (this.bounds.totalMs === Infinity) return
      const left = this.stops > 0 ? this.restLast : this.last - now()
      spent.stood += spent.used(ticks()) - (this.bounds.totalMs - left)
    }
    end(): void {
      const last = this.index < 0 ? undefined : entries.pop()
      if (last === undefined) return
      if (this.spent !== undefined && (this.hasStood || stood > 0 || stoppedAt !== undefined)) this.settle(this.spent)
      if (last !== this) {
        entries[this.index] = last
        last.index = this.index
      }
      this.index = -1
      // whatever is begun late, on a session that is over, must not keep a process from ending
      if (isOver && entries.length === 0) stop()
      this.ended?.()
    }
  }
  const sweep = (): void => {
    timer = undefined
    const time = now()
    let next = Infinity
    // from the end: an entry that ends leaves its place to the last one, which has been looked at
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i]
      if (entry === undefined) continue
      if (entry.due > time) {
        next = Math.min(next, entry.due)
        continue
      }
      const { expire, id, last, method } = entry
      const { requestMs, totalMs } = entry.bounds
      entry.end()
      expire?.(id, timedOut(method, last <= time ? totalMs : requestMs))
    }
    if (next < Infinity) wakeAt(next)
  }
  const wakeAt = (at: number): void => {
    if (stops > 0) return
    if (timer !== undefined) {
      if (timer.at <= at) return
      timer.fiber.interruptUnsafe()
    }
    // whole ms: one that wakes a little early would find nothing due
    timer = { at, fiber: run(Effect.andThen(Effect.sleep(Math.max(0, Math.ceil(at - now()))), Effect.sync(sweep))) }
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
      stop()
    })
  )

  /** For a wire that can only be interrupted: the exchange gets a fiber of its own. */
  const inFiber = <A>(entry: Entry, exchange: Effect.Effect<A, TransportError>) =>
    Effect.withFiber((caller) =>
      Effect.callback<A, TransportError>((resume) => {
        let expired: TransportError | undefined
        entry.expire = (_, error) => {
          expired = error
          fiber.interruptUnsafe()
        }
        const fiber = Effect.runForkWith(caller.context)(exchange)
        fiber.addObserver((exit) => {
          entry.end()
          resume(expired === undefined ? exit : Effect.fail(expired))
        })
        return Effect.suspend(() => {
          entry.end()
          return Fiber.interrupt(fiber)
        })
      })
    )

  return {
    begin: (id, method, bounds, spent) => new Entry(id, method, bounds, spent),
    standStill: () => {
      if (stops++ > 0) return
      stoppedAt = ticks()
      stop()
    },
    goOn: () => {
      if (--stops > 0 || stoppedAt === undefined) return
      stood += ticks() - stoppedAt
      stoppedAt = undefined
      // an entry may be due already: each is looked at
      sweep()
    }
  }
})
