import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Connection } from "./Connection.ts"
import { isNotification, isSuccess, type Notification, type Request } from "./JsonRpc.ts"
import { RpcError } from "./RpcError.ts"
import type { TransportError } from "./TransportError.ts"

/** Loaded when they are needed: a server that starts answers before any stream. */
const modules = Effect.promise(() => Promise.all([import("effect/Queue"), import("effect/Stream")]))

/**
 * An exchange that stays open, as a stream of its notifications (`Stream.unwrap` makes it one): its result ends the
 * stream, an error response fails it, leaving the stream cancels it, and a slow reader slows it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export const listen = (
  connection: Connection,
  request: Request
): Effect.Effect<Stream.Stream<Notification, TransportError | RpcError>> =>
  Effect.map(modules, ([Queue, Stream]) =>
    Stream.callback<Notification, TransportError | RpcError>(
      (queue) =>
        Effect.matchCauseEffect(
          connection.exchange(request, (said) =>
            isNotification(said) ? Effect.asVoid(Queue.offer(queue, said)) : Effect.void
          ),
          {
            onSuccess: (response) =>
              isSuccess(response) ? Queue.end(queue) : Queue.fail(queue, RpcError.fromObject(response.error)),
            onFailure: (cause: Cause.Cause<TransportError>) => Queue.failCause(queue, cause)
          }
        ),
      { bufferSize: 16 }
    )
  )
