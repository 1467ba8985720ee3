import * as Effect from "effect/Effect"
import type { Handler, Listener } from "./Connection.ts"
import { failure, type Request, type Response } from "./JsonRpc.ts"
import { internal } from "./RpcError.ts"

/**
 * How every binding hosts a handler: a defect becomes `-32603` without its details, which go to the log, and nothing is
 * said after the response.
 */
export const answer = <R>(handler: Handler<R>, request: Request, say: Listener): Effect.Effect<Response, never, R> =>
  Effect.suspend(() => {
    let over = false
    const finish = (response: Response): Response => {
      over = true
      return response
    }
    return Effect.catchDefect(
      Effect.map(
        handler.exchange(request, (said) => (over ? Effect.void : say(said))),
        finish
      ),
      (defect) => Effect.as(Effect.logError("a handler died", defect), finish(failure(request.id, internal)))
    )
  })
