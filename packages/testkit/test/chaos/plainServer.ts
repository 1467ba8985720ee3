import { createServer } from "node:http"
import { toNodeListener } from "@effective-mcp/http/node"
import { answer, Frame, type Handler, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** Serves a handler over plain HTTP until the scope closes, and gives its port. */
export const servePlainly = (handler: Handler) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const listener = toNodeListener((request, response) =>
        Effect.gen(function* () {
          const bytes = yield* Effect.orDie(request.body(1024 * 1024))
          const message = Frame.fromText(new TextDecoder().decode(bytes))
          if (Frame.isBatch(message) || message instanceof Frame.Malformed) return response.whole(400, {})
          if (JsonRpc.isResponse(message) || !JsonRpc.isRequest(message)) return response.whole(204, {})
          const said = yield* answer(handler, message, () => Effect.void)
          response.whole(200, { "content-type": "application/json" }, JSON.stringify(said))
        })
      )
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const close = (): void => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ port: address === null || typeof address === "string" ? 0 : address.port, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
