import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { RequestOptions } from "./Session.ts"

/** What a clock that nobody sets says, in ms and parts of them. */
export const ticksOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000n) / 1_000

/**
 * What a request has used of its time in all, from one attempt to the next and with the waits in between. It begins with
 * the first that looks at it.
 */
export class Spent {
  begun: number | undefined
  /** How long its time has stood still since, in ms. */
  stood = 0

  /** In ms, at a time of `ticksOf`. */
  used(now: number): number {
    this.begun ??= now
    return now - this.begun - this.stood
  }
}

/** Options as they go from one part of a client to the next. */
export interface Timed extends RequestOptions {
  readonly spent?: Spent | undefined
}

export const spentOf = (options: RequestOptions | undefined): Spent | undefined => (options as Timed | undefined)?.spent // cast: what a program gives has none

/** How much is left of `totalMs`, in ms. */
export const leftOf = (spent: Spent, totalMs: number): Effect.Effect<number> =>
  Effect.map(Clock.Clock, (clock) => totalMs - spent.used(ticksOf(clock)))

/** Runs what belongs to a request for as long as that has time, and then fails with `late`. */
export const inTime = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  spent: Spent,
  totalMs: number,
  late: () => E2
): Effect.Effect<A, E | E2> =>
  totalMs === Infinity
    ? effect
    : Effect.flatMap(leftOf(spent, totalMs), (left) =>
        left <= 0
          ? Effect.fail(late())
          : Effect.timeoutOrElse(effect, { duration: Math.ceil(left), orElse: () => Effect.fail(late()) })
      )
