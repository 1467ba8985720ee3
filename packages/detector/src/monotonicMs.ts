import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** What a clock that nobody sets says, in ms. */
export const monotonicMs: Effect.Effect<number> = Effect.map(
  Clock.Clock,
  (clock) => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
)
