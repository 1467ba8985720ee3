import * as Effect from "effect/Effect"

/** Tells of what was left out: the first time, and ever more rarely. */
export const warner = () => {
  let count = 0
  return (detail: string): Effect.Effect<void> =>
    Effect.suspend(() =>
      (++count & (count - 1)) === 0
        ? Effect.logWarning(`The server sent something that is no message: ${detail}; ${count} so far`)
        : Effect.void
    )
}
