import { TransportError } from "@effective-mcp/protocol"
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
  at: number
  readonly last: number
  expired: number | undefined
  readonly interrupt: () => void
}

/**
 * Ends requests that take too long: one timer for all that are open, since most end long before it and a timer each
 * would cost more than the request.
 */
export interface Deadlines {
  /**
   * Runs `exchange` in a fiber of its own and interrupts it when its time is up, which is how the server is told.
   * `alive` starts its time anew.
   */
  readonly within: <A>(
    bounds: Bounds,
    exchange: (alive: () => void) => Effect.Effect<A, TransportError>
  ) => Effect.Effect<A, TransportError>
}

const timedOut = (afterMs: number): TransportError =>
  new TransportError({ reason: { _tag: "TimedOut", afterMs }, outcome: "Unknown" })

export const make: Effect.Effect<Deadlines, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const entries = new Set<Entry>()
  let timer: { readonly fiber: Fiber.Fiber<void>; readonly at: number } | undefined

  const now = (): number => clock.currentTimeMillisUnsafe()
  const due = (entry: Entry): number => Math.min(entry.at, entry.last)
  const sweep = (): void => {
    timer = undefined
    const time = now()
    let next = Infinity
    for (const entry of entries) {
      if (due(entry) > time) next = Math.min(next, due(entry))
      else if (entry.expired === undefined) {
        entry.expired = entry.last <= time ? entry.totalMs : entry.requestMs
        entry.interrupt()
      }
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
  yield* Effect.addFinalizer(() => Effect.sync(() => timer?.fiber.interruptUnsafe()))

  return {
    within: <A>({ requestMs, totalMs }: Bounds, exchange: (alive: () => void) => Effect.Effect<A, TransportError>) =>
      Effect.withFiber((caller) =>
        Effect.callback<A, TransportError>((resume) => {
          const time = now()
          const entry: Entry = {
            requestMs,
            totalMs,
            at: time + requestMs,
            last: time + totalMs,
            expired: undefined,
            interrupt: () => fiber.interruptUnsafe()
          }
          const alive = (): void => {
            entry.at = now() + requestMs
          }
          const fiber = Effect.runForkWith(caller.context)(exchange(alive))
          const done = fiber.pollUnsafe()
          if (done !== undefined) return resume(done)
          entries.add(entry)
          wakeAt(due(entry))
          fiber.addObserver((exit) => {
            entries.delete(entry)
            resume(entry.expired === undefined ? exit : Effect.fail(timedOut(entry.expired)))
          })
          return Effect.andThen(
            Effect.sync(() => entries.delete(entry)),
            Fiber.interrupt(fiber)
          )
        })
      )
  }
})
