import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"

/** Beats at intervals for all that is open: one timer, however many there are, and none once nothing is open. */
export interface KeepAlive {
  readonly add: (beat: () => void) => void
  readonly remove: (beat: () => void) => void
  readonly close: () => void
}

const never: KeepAlive = { add: () => {}, remove: () => {}, close: () => {} }

/** Makes one, whose timer `run` starts; an interval of `Infinity` never beats. */
export const make = (ms: number, run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>): KeepAlive => {
  if (ms === Infinity) return never
  const beats = new Set<() => void>()
  let fiber: Fiber.Fiber<void> | undefined

  const tick: Effect.Effect<void> = Effect.flatMap(Effect.sleep(ms), () => {
    if (beats.size === 0) {
      fiber = undefined
      return Effect.void
    }
    for (const beat of beats) beat()
    return tick
  })
  return {
    add: (beat) => {
      beats.add(beat)
      fiber ??= run(tick)
    },
    remove: (beat) => void beats.delete(beat),
    close: () => {
      beats.clear()
      fiber?.interruptUnsafe()
      fiber = undefined
    }
  }
}
