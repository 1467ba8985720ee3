import { type Connection, JsonRpc, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** One exchange whose notifications nobody hears; a bug if it takes 10 s. */
export const call = (
  connection: Connection,
  id: number,
  method = "tools/call",
  params?: JsonRpc.JsonObject
): Effect.Effect<JsonRpc.Response, TransportError> =>
  connection
    .exchange(JsonRpc.request(id, method, params), () => Effect.void)
    .pipe(Effect.timeoutOrElse({ duration: 10_000, orElse: () => Effect.die(new Error(`no end of exchange ${id}`)) }))
