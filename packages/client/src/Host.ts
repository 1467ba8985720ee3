import { type Handler, JsonRpc, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** What a client is to its server: it answers `ping`, has nothing else to offer, and hears no notification. */
export const quiet: Handler = {
  notify: () => Effect.void,
  exchange: ({ id, method }) =>
    Effect.succeed(
      method === "ping" ? JsonRpc.success(id, {}) : JsonRpc.failure(id, RpcError.methodNotFound(method).toObject())
    )
}
