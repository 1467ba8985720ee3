import { createServer } from "node:http"
import type { HttpHandler } from "@effective-mcp/http"
import { toNodeListener } from "@effective-mcp/http/node"
import { answer, Frame, type Handler, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

const JSON_TYPE = { "content-type": "application/json" }

/** Answers as a server of plain HTTP does: one message in, one JSON answer out, and nothing for what is no request. */
export const plainly =
  (handler: Handler): HttpHandler =>
  (request, response) =>
    Effect.gen(function* () {
      const bytes = yield* Effect.orDie(request.body(8 * 1024 * 1024))
      const message = Frame.fromText(new TextDecoder().decode(bytes))
      if (Frame.isBatch(message) || message instanceof Frame.Malformed) return response.whole(400, {})
      if (JsonRpc.isResponse(message) || !JsonRpc.isRequest(message)) {
        if ("method" in message) yield* handler.notify(message)
        return response.whole(204, {})
      }
      response.whole(200, JSON_TYPE, JSON.stringify(yield* answer(handler, message, () => Effect.void)))
    })

/** Serves a handler at the address that it gives, until the scope closes. */
export const served = (handler: HttpHandler) =>
  Effect.gen(function* () {
    const server = createServer(toNodeListener(handler))
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    const address = server.address()
    return `http://127.0.0.1:${address === null || typeof address === "string" ? 0 : address.port}/rpc`
  })
