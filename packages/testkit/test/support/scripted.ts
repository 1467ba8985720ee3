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
  /** Bytes as they are, without any framing. */
  readonly raw: (bytes: string | Uint8Array) => void
  /** An answer of known length. */
  readonly whole: (status: number, headers?: Record<string, string>, body?: string | Uint8Array) => void
  readonly json: (body: unknown, headers?: Record<string, string>, status?: number) => void
  /** The head of an event stream, which `write` goes on with and `end` ends. */
  readonly stream: (headers?: Record<string, string>, status?: number) => void
  readonly write: (bytes: string | Uint8Array) => void
  readonly end: () => void
  /** Cuts the connection. */
  readonly cut: () => void
  /** Whether the client has gone. */
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

const parseBody = (text: string): Seen["body"] => (text === "" ? { id: "", params: {} } : JSON.parse(text))

const headOf = (status: number, headers: Record<string, string>): string =>
  `HTTP/1.1 ${status} X\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}`

const replyOn = (socket: Socket): Reply => {
  const raw: Reply["raw"] = (bytes) => void (socket.destroyed || socket.write(bytes))
  const whole: Reply["whole"] = (status, headers = {}, body = "") => {
    const bytes = Buffer.from(body)
    raw(Buffer.concat([Buffer.from(`${headOf(status, headers)}content-length: ${bytes.length}\r\n\r\n`), bytes]))
  }
  return {
    raw,
    whole,
    json: (body, headers = {}, status = 200) =>
      whole(status, { "content-type": "application/json", ...headers }, JSON.stringify(body)),
    stream: (headers = {}, status = 200) =>
      raw(`${headOf(status, { "content-type": "text/event-stream", "transfer-encoding": "chunked", ...headers })}\r\n`),
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
    let [most, opened] = [0, 0]
    const server = createServer((socket) => {
      sockets.add(socket)
      opened++
      most = Math.max(most, sockets.size)
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
        const request = { ...head, text, body: parseBody(text) }
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
      port,
      seen,
      sockets: () => sockets.size,
      mostSockets: () => most,
      /** How many connections there have been. */
      opened: () => opened
    }
  })
