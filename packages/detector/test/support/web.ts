import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** An HTTP server of a test's own, until the scope ends: its origin. */
export const listening = (handler: RequestListener): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly origin: string; readonly close: () => void }>((resume) => {
      const server = createServer(handler)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address === null || typeof address === "string" ? 0 : address.port
        const close = (): void => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ origin }) => origin))

const read = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}

const answerOf = (method: string) => {
  const serverInfo = { name: "old", version: "1.0.0" }
  return method === "initialize"
    ? { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo }
    : { tools: [{ name: "old", inputSchema: { type: "object" } }] }
}

/** A server that answers each POST with JSON, and knows the handshake alone. */
export const plainServer: RequestListener = (request, response) => {
  void read(request).then((text) => {
    const { id, method } = JSON.parse(text)
    response.writeHead(id === undefined ? 202 : 200, { "content-type": "application/json" })
    const answer =
      method === "server/discover" ? { error: { code: -32601, message: "?" } } : { result: answerOf(method) }
    response.end(id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
  })
}

/** A server over HTTP+SSE with one tool, that knows `/sse` and `/messages` alone. */
export const sseServer = (seen: (request: IncomingMessage) => void = () => {}): RequestListener => {
  let stream: ServerResponse | undefined
  return (request, response) => {
    seen(request)
    const path = new URL(request.url ?? "/", "http://localhost").pathname
    if (request.method === "GET" && path === "/sse") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" })
      response.write("event: endpoint\ndata: /messages?session=1\n\n")
      return
    }
    if (request.method !== "POST" || path !== "/messages") {
      response.writeHead(path === "/sse" ? 405 : 404, { "content-type": "text/html" }).end("<p>no</p>")
      return
    }
    void read(request).then((text) => {
      const { id, method } = JSON.parse(text)
      response.writeHead(202).end()
      if (id === undefined) return
      const result = answerOf(method)
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`)
    })
  }
}
