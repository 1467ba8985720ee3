import { type ClientResponse, errorBody, statusError } from "@effective-mcp/http/client"
import { Frame, type JsonRpc, type TransportError, withHttpStatus } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

export { statusError } from "@effective-mcp/http/client"

type Response = ClientResponse.ClientResponse

const decoder = new TextDecoder()

const errorIn = (bytes: Uint8Array | undefined, depth: number): JsonRpc.Failure | undefined => {
  // some do not say that it is JSON, most of what is none begins otherwise
  if (bytes === undefined || bytes.length === 0) return undefined
  const frame = Frame.fromText(decoder.decode(bytes), depth)
  const isError = !Frame.isBatch(frame) && !(frame instanceof Frame.Malformed) && "error" in frame
  return isError ? frame : undefined
}

/**
 * What a response with an error's status says to a request: a JSON-RPC error in its body, if it is about this request,
 * else the status.
 */
export const refused = (
  http: Response,
  request: JsonRpc.Request,
  depth: number
): Effect.Effect<JsonRpc.Response, TransportError> =>
  Effect.flatMap(errorBody(http), (bytes) => {
    const found = errorIn(bytes, depth)
    if (found === undefined || (found.id ?? request.id) !== request.id) return statusError(http)
    withHttpStatus(found.error, http.status)
    return Effect.succeed(found.id === request.id ? found : { ...found, id: request.id })
  })
