import { limits } from "@effective-mcp/protocol/Limits"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Every answer has ended by now: waits a moment for the clients to take it, and no longer. */
export const inTime = (gently: Effect.Effect<void>, atOnce: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Effect.timeoutOption(Effect.interruptible(gently), limits.farewellMs), (gone) =>
    Option.isSome(gone) ? Effect.void : atOnce
  )
