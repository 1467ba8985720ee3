import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Handler, Listener } from "./Connection.ts"
import { failure, type Request, type Response } from "./JsonRpc.ts"
import { internal } from "./RpcError.ts"

/** What answers a request whose handler has died. */
export const died = ({ id }: Request, cause: Cause.Cause<unknown>): Effect.Effect<Response> =>
  Effect.as(Effect.logError("a handler died", cause), failure(id, internal))

/**
 * How every binding hosts a handler: a defect becomes `-32603` without its details, which go to the log, and nothing is
 * said after the response, or once the exchange has been abandoned. A handler that interrupts itself has died, too:
 * only who abandons the exchange gets no answer. The effect is for one run.
 */
export const answer = <R>(handler: Handler<R>, request: Request, say: Listener): Effect.Effect<Response, never, R> => {
  let over = false
  return Effect.catchCause(
    Effect.onExitPrimitive(
      // suspended: one that throws has died, and what is said counts when it is said, not when it is composed
      Effect.suspend(() => handler.exchange(request, (said) => Effect.suspend(() => (over ? Effect.void : say(said))))),
      // however it ends: what an abandoned handler has left behind has nothing to say either
      () => {
        over = true
        return undefined
      }
    ),
    (cause) => died(request, cause)
  )
}
