import type { Host } from "@effective-mcp/protocol"
import { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage } from "node:http"

const read = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Serves the modern half of a host as plain HTTP, as many small gateways do: each POST is answered with JSON. Gives its address. */
export const plainHttp = (host: Host): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        void read(request).then(async (text) => {
          const { id, method, params } = JSON.parse(text)
          const asked = JsonRpc.request(id, method, params)
          const answer = await Effect.runPromise(host.modern.exchange(asked, () => Effect.void))
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address === null || typeof address === "string" ? 0 : address.port
        const close = (): void => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/rpc`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url }) => url))
