// by name: shared with nothing, it leaves the index in one file, which loads faster
import { type Connection, JsonRpc, RpcError, type TransportError } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

/**
 * An exchange that stays open, as a stream of its notifications: its result ends the stream, an error response fails it,
 * leaving the stream cancels it, and a slow reader slows it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export const listen = (
  connection: Connection,
  request: JsonRpc.Request
): Stream.Stream<JsonRpc.Notification, TransportError | RpcError> =>
  Stream.callback<JsonRpc.Notification, TransportError | RpcError>(
    (queue) =>
      Effect.matchCauseEffect(
        connection.exchange(request, (said) =>
          JsonRpc.isNotification(said) ? Effect.asVoid(Queue.offer(queue, said)) : Effect.void
        ),
        {
          onSuccess: (response) =>
            JsonRpc.isSuccess(response) ? Queue.end(queue) : Queue.fail(queue, RpcError.fromObject(response.error)),
          onFailure: (cause: Cause.Cause<TransportError>) => Queue.failCause(queue, cause)
        }
      ),
    { bufferSize: 16 }
  )
