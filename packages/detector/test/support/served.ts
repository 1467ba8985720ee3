import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export type Listener = (req: IncomingMessage, res: ServerResponse, body: string) => void

/** A server on this machine, as those see it who look after its connections. */
export interface Served {
  readonly url: string
  /** Method and target of each request, in order. */
  readonly seen: ReadonlyArray<string>
  /**
   * Waits until no request is open, and on Node no connection: other runtimes keep those that nobody uses for a while, for
   * whoever comes next.
   */
  readonly isLeft: Effect.Effect<void>
}

const isNode = !("Bun" in globalThis) && !("Deno" in globalThis)

/** Serves until the scope closes. */
export const served = (listener: Listener): Effect.Effect<Served, never, Scope.Scope> =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    const sockets = new Set<Socket>()
    let open = 0
    const server = createServer((req, res) => {
      let body = ""
      open++
      res.on("close", () => void open--)
      res.on("error", () => {})
      req.on("data", (part) => void (body += String(part)))
      req.on("end", () => {
        seen.push(`${req.method} ${req.url}`)
        listener(req, res, body)
      })
    })
    server.on("connection", (socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => void sockets.delete(socket))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    )
    const address = server.address()
    const port = address === null || typeof address === "string" ? 0 : address.port
    const isLeft = Effect.gen(function* () {
      while (open > 0 || (isNode && sockets.size > 0)) yield* Effect.sleep(5)
    }).pipe(Effect.timeout("5 seconds"), Effect.orDie)
    return { url: `http://127.0.0.1:${port}`, seen, isLeft }
  })
