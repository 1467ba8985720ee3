import { EventReader, EVENTS, isGood, isJson, typeOf } from "@effective-mcp/http/client"
import { type JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { fromBody, fromStream, type Hearing, malformed } from "./hear.ts"
import { refused } from "./status.ts"
import type { HttpAnswer } from "./Wire.ts"

export { EVENTS, isGood, typeOf } from "@effective-mcp/http/client"

/** What goes on with a stream that has ended before the response. */
export type Broken<A = JsonRpc.Response> = (
  reader: EventReader,
  error: TransportError
) => Effect.Effect<A, TransportError>

const ended = (): TransportError => TransportError.make({ _tag: "Closed" })

/** Reads an event stream that carries an exchange. */
export const stream = <A>(
  http: HttpAnswer,
  reader: EventReader,
  hearing: Hearing,
  onBroken: Broken<A>
): Effect.Effect<JsonRpc.Response | A, TransportError> =>
  Effect.matchEffect(fromStream(http, reader, hearing), {
    onFailure: (error): Effect.Effect<JsonRpc.Response | A, TransportError> =>
      error.reason._tag === "Closed" ? onBroken(reader, error) : Effect.fail(error),
    onSuccess: (found): Effect.Effect<JsonRpc.Response | A, TransportError> =>
      found === undefined ? onBroken(reader, ended()) : Effect.succeed(found)
  })

/** Reads the answer to the POST of a request: a body, an event stream, or a refusal. */
export const read = (
  http: HttpAnswer,
  hearing: Hearing,
  messageBytes: number,
  onBroken: Broken
): Effect.Effect<JsonRpc.Response, TransportError> => {
  if (!isGood(http)) return refused(http, hearing.request, hearing.depth)
  const type = typeOf(http)
  if (type === EVENTS) return stream(http, new EventReader(messageBytes), hearing, onBroken)
  const { id } = hearing.request
  if (http.status === 202 || http.status === 204) {
    return Effect.fail(malformed(`status ${http.status}, which answers no request`, id))
  }
  if (!isJson(type)) return Effect.fail(malformed("neither JSON nor an event stream", id))
  return Effect.flatMap(http.whole(messageBytes), (bytes) => fromBody(bytes, hearing))
}
