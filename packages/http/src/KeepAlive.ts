import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"

/** What is told that an interval has passed. */
export interface Beating {
  readonly beat: () => void
}

/** Beats at intervals for all that is open: one timer, however many there are, and none once nothing is open. */
export interface KeepAlive {
  readonly add: (one: Beating) => void
  readonly remove: (one: Beating) => void
  readonly close: () => void
}

const never: KeepAlive = { add: () => {}, remove: () => {}, close: () => {} }

/** Makes one, whose timer `run` starts; an interval of `Infinity` never beats. */
export const make = (ms: number, run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>): KeepAlive => {
  if (ms === Infinity) return never
  const all = new Set<Beating>()
  let fiber: Fiber.Fiber<void> | undefined

  const tick: Effect.Effect<void> = Effect.flatMap(Effect.sleep(ms), () => {
    if (all.size === 0) {
      fiber = undefined
      return Effect.void
    }
    for (const one of all) one.beat()
    return tick
  })
  return {
    add: (one) => {
      all.add(one)
      fiber ??= run(tick)
    },
    remove: (one) => void all.delete(one),
    close: () => {
      all.clear()
      fiber?.interruptUnsafe()
      fiber = undefined
    }
  }
}
