import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { Bag, type Held } from "./Bag.ts"

/** What is told that an interval has passed. */
export interface Beating extends Held {
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
  const all = new Bag<Beating>()
  let fiber: Fiber.Fiber<void> | undefined

  const tick: Effect.Effect<void> = Effect.flatMap(Effect.sleep(ms), () => {
    if (all.size === 0) {
      fiber = undefined
      return Effect.void
    }
    all.forEach((one) => one.beat())
    return tick
  })
  return {
    add: (one) => {
      all.add(one)
      fiber ??= run(tick)
    },
    remove: (one) => all.remove(one),
    close: () => {
      all.clear()
      fiber?.interruptUnsafe()
      fiber = undefined
    }
  }
}
