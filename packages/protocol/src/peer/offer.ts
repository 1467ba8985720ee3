import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { limits } from "../Limits.ts"
import type { TransportError } from "../TransportError.ts"

/**
 * Says what may be left unsaid, such as a refusal, so that a peer that reads nothing holds up no reading of ours: it
 * waits 1 s for the wire to have room. From then on, until that has gone out, nothing more is said.
 */
export const make = () => {
  let isStuck = false
  return (said: Effect.Effect<void, TransportError>): Effect.Effect<void> =>
    Effect.withFiber((caller) =>
      Effect.callback<void>((resume) => {
        if (isStuck) return resume(Effect.void)
        const run = Effect.runForkWith(caller.context)
        const fiber = run(said)
        if (fiber.pollUnsafe() !== undefined) return resume(Effect.void)
        const patience = run(Effect.sleep(limits.farewellMs))
        patience.addObserver(() => {
          isStuck = fiber.pollUnsafe() === undefined
          resume(Effect.void)
        })
        fiber.addObserver(() => {
          isStuck = false
          patience.interruptUnsafe()
        })
        return Fiber.interruptAll([fiber, patience])
      })
    )
}
