import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import type { Incoming } from "./Connection.ts"
import type { TransportError } from "./TransportError.ts"

/** Hands what comes to `hear`, chunk by chunk, until nothing more comes; fails when the wire does. */
export const readAll = <A>(
  incoming: Incoming<A>,
  hear: (items: NonEmptyReadonlyArray<A>) => Effect.Effect<void, TransportError>
): Effect.Effect<void, TransportError> =>
  Effect.flatMap(incoming, (pull) => Effect.forever(Effect.flatMap(pull, hear), { disableYield: true })).pipe(
    Effect.scoped,
    Pull.catchDone(() => Effect.void)
  )
