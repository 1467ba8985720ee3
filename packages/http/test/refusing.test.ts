import { request as open } from "node:http"
import { connect as connectTwo, createServer as createTwo } from "node:http2"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { toNodeListener } from "../src/adapter/node.ts"
import { Body, type HttpHandler } from "../src/index.ts"
import { serve } from "../src/serve/index.ts"
import { onNode, TYPE } from "./support.ts"

const LIMIT = 4 * 1024 * 1024
const PART = 64 * 1024

const reads: HttpHandler = (request, response) =>
  Effect.match(Body.read(request, { limit: LIMIT }), {
    onSuccess: (bytes) => response.whole(200, TYPE, String(bytes.length)),
    onFailure: (error) => response.whole(Body.refusalOf(error).status, TYPE, error.reason)
  })

interface Sent {
  readonly size: number
  readonly isChunked: boolean
}

/** How a client sends a body, and what it gets to read. */
type Client = (port: number, sent: Sent) => Effect.Effect<string>

/** Says what it can, and listens meanwhile. */
const byNode: Client = (port, { isChunked, size }) =>
  Effect.callback((resume) => {
    const fail = (cause: Error) => resume(Effect.succeed(cause.message))
    const headers = isChunked ? { "transfer-encoding": "chunked" } : { "content-length": size }
    const request = open({ port, host: "127.0.0.1", method: "POST", agent: false, headers }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part: string) => (text += part))
      response.on("end", () => resume(Effect.succeed(`${response.statusCode} ${text}`))).on("error", fail)
    })
    request.on("error", fail)
    request.end(new Uint8Array(size))
  })

const byFetch: Client = (port, { isChunked, size }) =>
  Effect.promise(async () => {
    const bytes = new Uint8Array(size)
    const body = isChunked ? new Blob([bytes]).stream() : bytes
    const init = { method: "POST", body, duplex: "half" } as const
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`, init)
      return `${response.status} ${await response.text()}`
    } catch (cause) {
      return String(cause)
    }
  })

/** Reads nothing before it has said all of it, as many do. */
const byPatience: Client = (port, { isChunked, size }) =>
  Effect.callback((resume) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    let wrong = ""
    socket.pause()
    socket.on("error", (cause) => (wrong = cause.message))
    socket.on("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n")
      resume(Effect.succeed(`${head.split(" ")[1] ?? ""} ${body}${wrong}`))
    })
    const length = isChunked ? "transfer-encoding: chunked" : `content-length: ${size}`
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${length}\r\n\r\n`)
    let left = size
    const say = (): void => {
      if (left === 0) {
        socket.write(isChunked ? "0\r\n\r\n" : "", () => {
          socket.on("data", (part) => (text += part.toString())).resume()
        })
        return
      }
      const part = Math.min(left, PART)
      left -= part
      if (isChunked) socket.write(`${part.toString(16)}\r\n`)
      socket.write("x".repeat(part) + (isChunked ? "\r\n" : ""), (cause) => {
        if (cause === undefined || cause === null) say()
      })
    }
    say()
    return Effect.sync(() => socket.destroy())
  })

const clients = { "node:http": byNode, fetch: byFetch, "one that reads last": byPatience }

const servers = {
  "the runtime's own server": Effect.map(serve(Effect.succeed(reads)), ({ port }) => port),
  "node:http": onNode(reads)
}

for (const [name, listening] of Object.entries(servers)) {
  describe(`a body over the limit, on ${name}`, () => {
    for (const [client, send] of Object.entries(clients)) {
      it.live(`is refused so that its client reads it: ${client}`, () =>
        Effect.gen(function* () {
          const port = yield* listening
          for (const size of [LIMIT + 1, 2 * LIMIT, 3 * LIMIT]) {
            for (const isChunked of [false, true]) {
              const said = yield* Effect.timeout(send(port, { size, isChunked }), 3_000)
              expect([size, isChunked, said]).toEqual([size, isChunked, "413 TooLarge"])
            }
          }
          expect(yield* send(port, { size: LIMIT, isChunked: false })).toBe(`200 ${LIMIT}`)
        })
      )
    }
  })
}

describe("a request whose body is small", () => {
  const refuses =
    (isRead: boolean): HttpHandler =>
    (request, response) =>
      Effect.map(isRead ? Effect.ignore(request.body(LIMIT)) : Effect.void, () => response.whole(400, TYPE, "no"))

  for (const isRead of [true, false]) {
    it.live(`is refused as soon, ${isRead ? "read" : "unread"}, though its client wants the connection closed`, () =>
      Effect.gen(function* () {
        const { port } = yield* serve(Effect.succeed(refuses(isRead)))
        for (const at of [port, yield* onNode(refuses(isRead))]) {
          for (const [name, send] of Object.entries(clients)) {
            for (const size of [0, 10, 900_000]) {
              for (const isChunked of [false, true]) {
                const said = yield* Effect.timeout(send(at, { size, isChunked }), 1_000)
                expect([name, size, isChunked, said]).toEqual([name, size, isChunked, "400 no"])
              }
            }
          }
        }
      })
    )
  }

  it.live("keeps its connection until all of it has come, on node:http", () =>
    Effect.gen(function* () {
      const port = yield* onNode(refuses(false))
      const socket = connect(port, "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
      let isEnded = false
      let text = ""
      const heard = new Promise<void>((resolve) => {
        socket.on("data", (part) => {
          text += part.toString()
          if (text.endsWith("no")) resolve()
        })
      })
      const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()))
      socket.on("end", () => (isEnded = true)).on("error", (cause) => (text += cause.message))
      socket.write("POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 20\r\n\r\n0123456789")
      yield* Effect.promise(() => heard)
      // whatever follows the answer has come by the time that another one has
      expect(yield* byNode(port, { size: 10, isChunked: false })).toBe("400 no")
      expect(isEnded).toBe(false)
      socket.write("0123456789")
      yield* Effect.timeout(
        Effect.promise(() => closed),
        1_000
      )
      expect(text).toMatch(/^HTTP\/1.1 400 .*no$/s)
    }).pipe(Effect.scoped)
  )
})

describe("a client whose body never ends", () => {
  /** Says a head and then as much as it can; how much that was once it is cut off, and what it has heard. */
  const flood = (port: number, head: string, part: string) =>
    Effect.callback<{ readonly sent: number; readonly text: string }>((resume) => {
      const socket = connect(port, "127.0.0.1")
      let text = ""
      let sent = 0
      socket.on("data", (part) => (text += part.toString())).on("error", () => {})
      socket.on("close", () => resume(Effect.succeed({ sent, text })))
      const go = (): void => {
        if (part === "" || socket.destroyed) return
        socket.write(part, () => {
          sent += part.length
          go()
        })
      }
      socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n`, go)
      return Effect.sync(() => socket.destroy())
    })
  const part = `10000\r\n${"x".repeat(PART)}\r\n`

  for (const [how, head, said] of [
    ["in chunks", "transfer-encoding: chunked", part],
    ["as long as it said", "content-length: 9000000000", part],
    ["and says nothing more", "content-length: 9000000", ""]
  ] as const) {
    it.live(`hears so, and is cut off in bounded time and bytes: ${how}`, () =>
      Effect.gen(function* () {
        const port = yield* onNode(reads)
        const { sent, text } = yield* Effect.timeout(flood(port, head, said), 4_000)
        expect(text).toMatch(/^HTTP\/1.1 413 /)
        expect(text.toLowerCase()).toContain("connection: close")
        // what the two ends of a socket hold comes on top
        expect(sent).toBeLessThan(48 * 1024 * 1024)
      })
    )
  }
})

describe("a refusal over HTTP/2", () => {
  const refuses: HttpHandler = (_request, response) => Effect.sync(() => response.whole(415, TYPE, "no"))

  /** A server, and how many of its streams have closed. */
  const listening = Effect.gen(function* () {
    const closed = yield* Queue.unbounded<void>()
    const listener = toNodeListener(refuses)
    const server = createTwo((req, res) => {
      res.on("close", () => Queue.offerUnsafe(closed, undefined))
      Reflect.apply(listener, undefined, [req, res])
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => void server.close()))
    yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const session = yield* Effect.acquireRelease(
      Effect.sync(() => connectTwo(`http://127.0.0.1:${port}`)),
      (session) => Effect.sync(() => session.destroy())
    )
    return { closed: Queue.take(closed), session }
  })

  for (const [what, headers] of [
    ["of any length", {}],
    ["of a length that is over all bounds", { "content-length": "99999999999" }]
  ] as const) {
    it.live(`is whole at once, and its stream alone is cut off, though a body ${what} goes on for ever`, () =>
      Effect.gen(function* () {
        const { closed, session } = yield* listening
        const send = Effect.callback<string>((resume) => {
          const stream = session.request({ ":method": "POST", ":path": "/", ...headers })
          let status: unknown
          let said = ""
          stream.on("response", (head) => (status = head[":status"]))
          stream.on("data", (part: Uint8Array) => (said += new TextDecoder().decode(part)))
          stream.on("error", (cause) => (said += cause.message))
          stream.on("end", () => resume(Effect.sync(() => `${status} ${said}`)))
          const go = (): void => void (stream.destroyed || stream.write("x".repeat(PART), go))
          go()
        })
        expect(yield* Effect.timeout(Effect.all([send, send]), 1_000)).toEqual(["415 no", "415 no"])
        yield* Effect.timeout(Effect.andThen(closed, closed), 3_000)
        expect(yield* Effect.timeout(send, 1_000)).toEqual("415 no")
      })
    )
  }
})
