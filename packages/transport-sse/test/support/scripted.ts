import { createServer, type Socket } from "node:net"
import type { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** One request as it came. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  /** The message in the body; one without members where there is none. */
  readonly body: { readonly id: JsonRpc.RequestId; readonly method?: string; readonly params: JsonRpc.JsonObject }
}

/** Answers one request, in any way at all. */
export interface Reply {
  readonly whole: (status: number, headers?: Record<string, string>, body?: string) => void
  readonly json: (status: number, body: unknown) => void
  /** The head of an event stream, which `write` goes on with and `end` ends. */
  readonly stream: (headers?: Record<string, string>) => void
  readonly write: (bytes: string | Uint8Array) => void
  readonly end: () => void
  /** Cuts the connection. */
  readonly cut: () => void
  /** Told when the client has gone. */
  readonly onGone: (f: () => void) => void
}

const parseHead = (text: string): Pick<Seen, "method" | "path" | "headers"> => {
  const [first = "", ...lines] = text.split("\r\n")
  const [method = "", path = ""] = first.split(" ")
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const at = line.indexOf(":")
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim()
  }
  return { method, path, headers }
}

const headOf = (status: number, headers: Record<string, string>): string =>
  `HTTP/1.1 ${status} X\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}`

const replyOn = (socket: Socket): Reply => {
  const raw = (bytes: string | Uint8Array): void => void (socket.destroyed || socket.write(bytes))
  const whole: Reply["whole"] = (status, headers = {}, body = "") =>
    raw(`${headOf(status, headers)}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  return {
    whole,
    json: (status, body) => whole(status, { "content-type": "application/json" }, JSON.stringify(body)),
    stream: (headers = {}) =>
      raw(`${headOf(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked", ...headers })}\r\n`),
    write: (part) => {
      const bytes = Buffer.from(part)
      raw(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]))
    },
    end: () => raw("0\r\n\r\n"),
    cut: () => void socket.destroy(),
    onGone: (f) => void socket.once("close", f)
  }
}

/** A server of raw sockets that keeps what it was sent and answers by a script; it ends with the scope. */
export const scripted = (answer: (seen: Seen, reply: Reply) => void) =>
  Effect.gen(function* () {
    const seen: Array<Seen> = []
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => void sockets.delete(socket))
      let pending = Buffer.alloc(0)
      const take = (): void => {
        const end = pending.indexOf("\r\n\r\n")
        if (end < 0) return
        const head = parseHead(pending.subarray(0, end).toString("latin1"))
        const length = Number(head.headers["content-length"] ?? 0)
        if (pending.length < end + 4 + length) return
        const text = pending.subarray(end + 4, end + 4 + length).toString()
        pending = pending.subarray(end + 4 + length)
        const request = { ...head, text, body: text === "" ? { id: "", params: {} } : JSON.parse(text) }
        seen.push(request)
        answer(request, replyOn(socket))
        take()
      }
      socket.on("data", (part) => {
        pending = Buffer.concat([pending, typeof part === "string" ? Buffer.from(part) : part])
        take()
      })
    })
    const port = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(address === null || typeof address === "string" ? 0 : address.port))
        })
      }),
      () =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    )
    return {
      origin: `http://127.0.0.1:${port}`,
      url: `http://127.0.0.1:${port}/sse`,
      seen,
      posts: () => seen.filter(({ method }) => method === "POST"),
      gets: () => seen.filter(({ method }) => method === "GET")
    }
  })

export const endpoint = (data: string): string => `event: endpoint\ndata: ${data}\n\n`

export const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`

export const result = (id: JsonRpc.RequestId, value: JsonRpc.JsonObject = {}) => ({ jsonrpc: "2.0", id, result: value })

/** Names `/m` as the endpoint, and answers each POST with 202 and an empty result on the stream. */
export const usual = (change: (seen: Seen, reply: Reply, stream: Reply) => boolean = () => false, at = "/m?sid=1") => {
  let stream: Reply | undefined
  return (seen: Seen, reply: Reply): void => {
    if (seen.method === "GET") {
      stream = reply
      if (change(seen, reply, reply)) return
      reply.stream()
      return reply.write(endpoint(at))
    }
    if (stream === undefined || change(seen, reply, stream)) return
    reply.whole(202)
    if (seen.body.id !== undefined) stream.write(event(result(seen.body.id)))
  }
}

/** An address that nobody listens at. */
export const nobody = Effect.scoped(
  Effect.map(
    scripted(() => {}),
    ({ url }) => url
  )
)
