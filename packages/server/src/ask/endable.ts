import { limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Ends a handler from outside. */
export interface Ending {
  isOver: boolean
  /** Whoever runs the handler hears of it here. */
  onEnd: (() => void) | undefined
}

/** Ends the handler that runs it: it waits here for ever, so that nothing it catches lets it go on. */
export const end = (ending: Ending): Effect.Effect<never> =>
  Effect.suspend(() => {
    ending.isOver = true
    ending.onEnd?.()
    return Effect.never
  })

/**
 * Interrupts a handler that has been ended, and waits 1 s for what it does on its way out. What asks besides, at the
 * same time, gets to its question first.
 */
const leave = (handler: Fiber.Fiber<unknown>): Effect.Effect<void> =>
  Effect.ensuring(
    Effect.yieldNow,
    Effect.sync(() => handler.interruptUnsafe())
  ).pipe(Effect.andThen(Effect.timeoutOption(Fiber.await(handler), limits.farewellMs)), Effect.asVoid)

/** Runs a handler so that it can be ended; `instead` is what then comes of it. */
export const endable = <A, R>(
  handler: Effect.Effect<A, never, R>,
  ending: Ending,
  instead: () => Effect.Effect<A>
): Effect.Effect<A, never, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.callback<A>((resume) => {
      const fiber = Effect.runForkWith(context)(handler)
      const onEnd = () => resume(Effect.andThen(leave(fiber), Effect.suspend(instead)))
      ending.onEnd = onEnd
      // it may have asked, or be through, before anybody could hear of it
      if (ending.isOver) onEnd()
      else fiber.addObserver((exit) => resume(exit))
      return Fiber.interrupt(fiber)
    })
  )
