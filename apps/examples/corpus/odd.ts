import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

type Listener = (
  req: IncomingMessage,
  res: ServerResponse,
  message: { readonly id?: unknown; readonly method?: string }
) => void

const html = { "content-type": "text/html; charset=utf-8" }
const json = { "content-type": "application/json" }
const page = "<!doctype html><title>Hello</title><p>A page."

const whole =
  (status: number, headers: Record<string, string> = {}, body = ""): Listener =>
  (_req, res) =>
    void res.writeHead(status, headers).end(body)

const error = (id: unknown, code: number): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "No" } })

/** What stands at addresses where no server of the protocol is, and some that speak JSON without being one. */
export const odd: { readonly [name: string]: Listener } = {
  "html-200": whole(200, html, page),
  "html-404": whole(404, html, page),
  "html-get-only": (req, res) =>
    void (req.method === "GET" ? res.writeHead(200, html).end(page) : res.writeHead(405, { allow: "GET" }).end()),
  "html-400": whole(400, html, page),
  "json-404": whole(404, json, '{"detail":"Not Found"}'),
  "empty-200": whole(200),
  "empty-204": whole(204),
  "text-200": whole(200, { "content-type": "text/plain" }, "OK"),
  "json-200": whole(200, json, '{"ok":true}'),
  "json-400": whole(400, json, '{"error":"no method"}'),
  "empty-400": whole(400),
  "json-rpc": (_req, res, { id }) => void res.writeHead(200, json).end(error(id, -32601)),
  "json-rpc-400": (req, res, { id }) =>
    void (req.method === "POST" ? res.writeHead(400, json).end(error(id, -32600)) : res.writeHead(405).end()),
  "json-rpc-404": (_req, res, { id }) => void res.writeHead(404, json).end(error(id, -32601)),
  "status-401-challenge": whole(401, {
    "www-authenticate": 'Bearer resource_metadata="https://auth.example/.well-known/oauth-protected-resource"'
  }),
  "status-401-bare": whole(401),
  "status-401-get": (req, res) =>
    void res.writeHead(req.method === "GET" ? 401 : 405, { "www-authenticate": "Bearer" }).end(),
  "status-403": whole(403, html, page),
  "status-429": whole(429, { "retry-after": "7" }),
  "status-500": whole(500, html, page),
  "status-501": whole(501, html, page),
  "status-503": whole(503, { ...json, "retry-after": "120" }, '{"error":"down"}'),
  "redirect-here": (req, res, { id, method }) => {
    if (req.url === "/mcp") return void res.writeHead(307, { location: "/mcp/" }).end()
    const isPing = method === "ping"
    return void res
      .writeHead(isPing ? 200 : 405, json)
      .end(isPing ? JSON.stringify({ jsonrpc: "2.0", id, result: {} }) : "")
  },
  "redirect-away": whole(307, { location: "https://elsewhere.example/mcp?token=x" }),
  "redirect-sign-in": whole(302, { location: "/sign-in?from=/mcp" }),
  slow: (_req, res) => void res.writeHead(200, json).write('{"jsonrpc":'),
  silent: () => {},
  closing: (req) => void req.socket.destroy()
}

const bodyOf = async (req: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const part of req) text += String(part)
  return text
}

const messageIn = (text: string): { readonly id?: unknown; readonly method?: string } =>
  text === "" ? {} : JSON.parse(text)

/** Serves one of them until the scope closes. */
export const serveOdd = (listener: Listener): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((req, res) => {
        void bodyOf(req).then((text) => listener(req, res, messageIn(text)))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${address === null || typeof address === "string" ? 0 : address.port}/mcp`
    })
  )
