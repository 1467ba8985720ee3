import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import * as Effect from "effect/Effect"

/** The address of a server that answers in a way of its own. */
export const serving = (answer: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer(answer).listen(0, "127.0.0.1")
        await once(server, "listening")
        return server
      }),
      (server) =>
        Effect.promise(async () => {
          server.close()
          server.closeAllConnections()
          await once(server, "close")
        })
    ),
    (server) => {
      const address = server.address()
      return typeof address === "object" ? `http://127.0.0.1:${address?.port}/mcp` : ""
    }
  )

/** An address at which nobody listens any more. */
export const nobody = Effect.scoped(serving(() => {}))
