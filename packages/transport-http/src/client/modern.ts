import type { JsonRpc, Listener, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type Broken, read } from "./answer.ts"
import type { Endpoint } from "./Endpoint.ts"
import { ofModern } from "./headers.ts"

/** A stream that breaks takes its request with it: the server has taken that for a cancel. */
const over: Broken = (_reader, error) => Effect.fail(error)

/**
 * One modern exchange, which stands alone: leaving it aborts its HTTP request, and that cancels it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export const exchange = (
  { learned, settings, warn, wire }: Endpoint,
  request: JsonRpc.Request,
  version: string,
  listener: Listener
): Effect.Effect<JsonRpc.Response, TransportError> => {
  const { method, params } = request
  const repeated = method === "tools/call" ? learned.of(params?.name) : undefined
  const hearing = { request, listener, depth: settings.depth, allowsBatches: false, warn }
  const answered = Effect.scoped(
    Effect.flatMap(wire.post(request, ofModern(request, version, repeated), true), (http) =>
      read(http, hearing, settings.messageBytes, over)
    )
  )
  return method === "tools/list" ? Effect.flatMap(answered, (response) => learned.filter(response)) : answered
}
