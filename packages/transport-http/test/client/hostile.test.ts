import { gzipSync } from "node:zlib"
import { JsonRpc, RpcError, type TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { connect } from "../../src/client/index.ts"
import { modernMeta } from "../support/wire.ts"
import { memory, logs, status, stream } from "./memory.ts"
import { event, progress, type Reply, scripted, type Seen } from "./scripted.ts"

const deaf = () => Effect.void
const modern = (id: JsonRpc.RequestId, method = "tools/call") =>
  JsonRpc.request(id, method, { name: "t", _meta: modernMeta })
const done = (id: JsonRpc.RequestId = 1) => ({ jsonrpc: "2.0", id, result: {} })
const tagOf = ({ outcome, reason }: TransportError) => [reason._tag, outcome]

/** What comes of a call that is answered like this, and of a good one after it. */
const against = (answer: (seen: Seen, reply: Reply) => void) =>
  Effect.gen(function* () {
    const server = yield* scripted((seen, reply) => (seen.body.id === 2 ? reply.json(done(2)) : answer(seen, reply)))
    const connection = yield* connect(server.url)
    const heard: Array<unknown> = []
    const first = yield* Effect.result(
      connection.exchange(modern(1), (said) => Effect.sync(() => void heard.push(said.params?.progress)))
    )
    expect(yield* connection.exchange(modern(2), deaf)).toEqual(done(2))
    return { first, heard, server }
  })

const failing = (answer: (seen: Seen, reply: Reply) => void) =>
  Effect.flatMap(against(answer), ({ first }) => Effect.map(Effect.flip(Effect.fromResult(first)), tagOf))

const UNKNOWN_BODY = ["Malformed", "Unknown"]

describe("an answer that is none", () => {
  const cases: ReadonlyArray<readonly [string, (seen: Seen, reply: Reply) => void]> = [
    [
      "202 with a body",
      (_seen, reply) => reply.whole(202, { "content-type": "application/json" }, JSON.stringify(done()))
    ],
    ["204", (_seen, reply) => reply.raw("HTTP/1.1 204 X\r\n\r\n")],
    ["an empty 200", (_seen, reply) => reply.whole(200, {})],
    ["an empty JSON body", (_seen, reply) => reply.whole(200, { "content-type": "application/json" })],
    ["HTML", (_seen, reply) => reply.whole(200, { "content-type": "text/html" }, "<p>hello</p>")],
    ["text", (_seen, reply) => reply.whole(200, { "content-type": "text/plain" }, JSON.stringify(done()))],
    ["JSON that is cut off", (_seen, reply) => reply.whole(200, { "content-type": "application/json" }, '{"jsonrpc"')],
    [
      "no UTF-8",
      (_seen, reply) => reply.whole(200, { "content-type": "application/json" }, Uint8Array.of(0x22, 0xff, 0x22))
    ],
    ["a response with another id", (_seen, reply) => reply.json(done("1"))],
    ["a request", (_seen, reply) => reply.json({ jsonrpc: "2.0", id: 1, method: "ping" })],
    ["a batch", (_seen, reply) => reply.json([done()])],
    [
      "nesting without end",
      (_seen, reply) => reply.whole(200, { "content-type": "application/json" }, `${"[".repeat(1e5)}`)
    ],
    [
      "an event with another id",
      (_seen, reply) => {
        reply.stream()
        reply.write(event(done(7)))
      }
    ],
    [
      "an event that is no result",
      (_seen, reply) => {
        reply.stream()
        reply.write(event({ jsonrpc: "2.0", id: 1, result: null }))
      }
    ],
    [
      "an event stream that is no UTF-8",
      (_seen, reply) => {
        reply.stream()
        reply.write(Uint8Array.of(0x64, 0xff, 0xff))
      }
    ]
  ]
  for (const [name, answer] of cases) {
    it.live(`is a typed error of its call alone: ${name}`, () =>
      Effect.map(failing(answer), (tag) => expect(tag).toEqual(UNKNOWN_BODY))
    )
  }

  it.live("HTTP-13 a connection that is reset, and a 500 of HTML, fail their call alone", () =>
    Effect.gen(function* () {
      expect(yield* failing((_seen, reply) => reply.cut())).toEqual(["Closed", "Unknown"])
      expect(yield* failing((_seen, reply) => reply.raw("SSH-2.0-OpenSSH\r\n\r\n"))).toEqual(["Closed", "Unknown"])
      expect(yield* failing((_seen, reply) => reply.whole(500, { "content-type": "text/html" }, "<p>"))).toEqual([
        "HttpStatus",
        "Unknown"
      ])
    })
  )

  it.live("HTTP-13 a modern stream that ends before the response is a broken one: no GET, no Last-Event-ID", () =>
    Effect.gen(function* () {
      for (const end of [(reply: Reply) => reply.end(), (reply: Reply) => reply.cut()]) {
        const { first, heard, server } = yield* against((_seen, reply) => {
          reply.stream()
          reply.write(event(progress(1), "5"))
          setTimeout(() => end(reply), 20)
        })
        expect(tagOf(yield* Effect.flip(Effect.fromResult(first)))).toEqual(["Closed", "Unknown"])
        expect(heard).toEqual([1])
        expect(server.seen.map(({ headers, method }) => [method, "last-event-id" in headers])).toEqual([
          ["POST", false],
          ["POST", false]
        ])
      }
    })
  )

  it.live("what comes after the response is not heard, and the stream is let go", () =>
    Effect.gen(function* () {
      let isGone = false
      const { first, heard } = yield* against((_seen, reply) => {
        reply.onGone(() => void (isGone = true))
        reply.stream()
        reply.write(event(progress(1)) + event(done()) + event(progress(2)) + event({ ...done(), result: { b: 1 } }))
      })
      expect(yield* Effect.fromResult(first)).toEqual(done())
      expect(heard).toEqual([1])
      while (!isGone) yield* Effect.sleep(5)
    })
  )
})

describe("an error's status", () => {
  const error = (id?: unknown) => ({
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    error: { code: -32020, message: "m" }
  })

  it.live("R-175 says less than a JSON-RPC error in the body that is about the request", () =>
    Effect.gen(function* () {
      for (const id of [1, null, undefined]) {
        const { first } = yield* against((_seen, reply) => reply.json(error(id), {}, 400))
        const response = yield* Effect.fromResult(first)
        expect(response).toEqual(error(1))
        if (JsonRpc.isSuccess(response)) return
        const told = RpcError.fromObject(response.error)
        expect([told.code, told.httpStatus]).toEqual([-32020, 400])
        expect(JSON.stringify([response, told.toObject()])).not.toContain("400")
      }
      const packed = { "content-encoding": "gzip", "content-type": "application/json" }
      const { first } = yield* against((_seen, reply) => reply.whole(404, packed, gzipSync(JSON.stringify(error(1)))))
      expect(yield* Effect.fromResult(first)).toEqual(error(1))
    })
  )

  it.live("R-175 counts where the body is about another, too long, a bomb or no JSON", () =>
    Effect.gen(function* () {
      const rejected = ["HttpStatus", "Rejected"]
      expect(yield* failing((_seen, reply) => reply.json(error(7), {}, 400))).toEqual(rejected)
      expect(yield* failing((_seen, reply) => reply.json({ ...error(1), pad: "x".repeat(65_536) }, {}, 400))).toEqual(
        rejected
      )
      expect(yield* failing((_seen, reply) => reply.json({ ...error(1), jsonrpc: "1.0" }, {}, 404))).toEqual(rejected)
      const packed = { "content-encoding": "gzip" }
      const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
      expect(yield* failing((_seen, reply) => reply.whole(429, packed, bomb))).toEqual(rejected)
      expect(yield* failing((_seen, reply) => reply.whole(502, {}, "<html>"))).toEqual(["HttpStatus", "Unknown"])
    })
  )

  it.live("tells of the challenge and of how long to wait, and nothing of the body", () =>
    Effect.gen(function* () {
      const { first } = yield* against((_seen, reply) =>
        reply.whole(401, { "www-authenticate": `Bearer realm="${"x".repeat(5000)}"`, "retry-after": "7" }, "a secret")
      )
      const { message, outcome, reason } = yield* Effect.flip(Effect.fromResult(first))
      expect([
        outcome,
        reason._tag === "HttpStatus" && [reason.status, reason.retryAfterMs, reason.challenge?.length]
      ]).toEqual(["Rejected", [401, 7000, 4096]])
      expect(message).not.toContain("secret")
    })
  )

  it.effect("is not waited for longer than two seconds when the body does not end", () =>
    Effect.gen(function* () {
      const answer = { ...(yield* stream(Effect.never)), status: 400 }
      const connection = yield* connect("http://a.test/", { client: memory(() => Effect.succeed(answer)).client })
      const call = yield* Effect.forkChild(Effect.flip(connection.exchange(modern(1), deaf)), {
        startImmediately: true
      })
      yield* TestClock.adjust(2_000)
      expect(tagOf(yield* Fiber.join(call))).toEqual(["HttpStatus", "Rejected"])
    })
  )

  it.effect("a date in Retry-After is as far away as it is", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00Z"))
      for (const [date, ms] of [
        ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
        ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
        ["soon", undefined]
      ] as const) {
        const { client } = memory(() => status(503, { "retry-after": date }))
        const connection = yield* connect("http://a.test/", { client })
        const { reason } = yield* Effect.flip(connection.exchange(modern(1), deaf))
        expect(reason).toEqual({ _tag: "HttpStatus", status: 503, ...(ms === undefined ? {} : { retryAfterMs: ms }) })
      }
    })
  )
})

describe("an answer without end", () => {
  it.live("C-33 R-176 HTTP-11 ends at the limit, whatever it is packed in", () =>
    Effect.gen(function* () {
      const member = gzipSync(Buffer.alloc(64 * 1024 * 1024))
      const large = ["TooLarge", "Unknown"]
      const json = { "content-type": "application/json" }
      expect(yield* failing((_seen, reply) => reply.whole(200, json, Buffer.alloc(4 * 1024 * 1024 + 1, "x")))).toEqual(
        large
      )
      // a gibibyte, in many members
      const bomb = Buffer.concat(Array.from({ length: 16 }, () => member))
      const before = process.memoryUsage().rss
      for (const type of ["application/json", "text/event-stream"]) {
        const headers = { "content-type": type, "content-encoding": "gzip" }
        const bytes = type === "application/json" ? bomb : gzipSync(`data: ${"x".repeat(64 * 1024 * 1024)}`)
        expect(yield* failing((_seen, reply) => reply.whole(200, headers, bytes))).toEqual(large)
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    })
  )

  it.live("is malformed when it is not packed as it says", () =>
    Effect.gen(function* () {
      const headers = { "content-type": "application/json", "content-encoding": "gzip" }
      const [tag, outcome] = yield* failing((_seen, reply) => reply.whole(200, headers, JSON.stringify(done())))
      // where the runtime unpacks, it only tells that the body broke
      expect(["Malformed", "Closed"]).toContain(tag)
      expect(outcome).toBe("Unknown")
    })
  )

  it.live("HTTP-22 an event that never ends: it waits, is left out at the end, or is too large", () =>
    Effect.gen(function* () {
      const unfinished = `data: ${JSON.stringify(done())}`
      const server = yield* scripted((_seen, reply) => {
        reply.stream()
        reply.write(unfinished)
      })
      const connection = yield* connect(server.url)
      const waiting = yield* Effect.timeoutOption(connection.exchange(modern(1), deaf), 200)
      expect(waiting._tag).toBe("None")
      const ended = yield* failing((_seen, reply) => {
        reply.stream()
        reply.write(unfinished)
        reply.end()
      })
      expect(ended).toEqual(["Closed", "Unknown"])
      const began = performance.now()
      const endless = yield* failing((_seen, reply) => {
        reply.stream()
        const line = "data: aaaa\n".repeat(1490)
        for (let sent = 0; sent < 32 * 1024 * 1024; sent += line.length) reply.write(line)
      })
      expect(endless).toEqual(["TooLarge", "Unknown"])
      expect(performance.now() - began).toBeLessThan(5_000)
    })
  )

  it.live("HTTP-23 a hundred thousand events that are skipped do not hide the response, nor hold up others", () =>
    Effect.gen(function* () {
      const skipped = "event: x\ndata: no\n\n".repeat(100_000)
      const began = performance.now()
      let beats = 0
      const beating = setInterval(() => beats++, 1)
      const { first } = yield* against((_seen, reply) => {
        reply.stream()
        reply.write(skipped + event(done()))
      })
      clearInterval(beating)
      expect(yield* Effect.fromResult(first)).toEqual(done())
      expect(performance.now() - began).toBeLessThan(3_000)
      expect(beats).toBeGreaterThan(0)
    })
  )
})

describe("an event stream", () => {
  const parts = 'event: message\r\ndata: {"jsonrpc":"2.0","id":1,\r\ndata: "result":{}}\r\n\r\n'

  it.effect("HTTP-20 is read whatever its line ends are, and wherever it is cut", () =>
    Effect.gen(function* () {
      for (const text of [parts, parts.replaceAll("\r\n", "\n"), parts.replaceAll("\r\n", "\r"), `\ufeff${parts}`]) {
        const bytes = new TextEncoder().encode(`${text}:\n`)
        for (let at = 0; at <= bytes.length; at++) {
          const cut = [bytes.slice(0, at), bytes.slice(at), undefined]
          const answer = { ...(yield* stream()), read: Effect.sync(() => cut.shift()) }
          const connection = yield* connect("http://a.test/", { client: memory(() => Effect.succeed(answer)).client })
          expect(yield* connection.exchange(modern(1), deaf)).toEqual(done())
        }
      }
    })
  )

  const { layer, lines } = logs()
  it.live("R-178 HTTP-21 what is no message in it is told and left out; an error response ends the call", () =>
    Effect.gen(function* () {
      const { first, heard } = yield* against((_seen, reply) => {
        reply.stream()
        reply.write("id: 1\ndata:\n\nevent: ping\ndata: x\n\ndata: not json\n\ndata\n\n")
        reply.write(
          'data:{"jsonrpc":"2.0",\ndata: "method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n'
        )
        reply.write("data: [1]\n\n")
        reply.write(event({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "m" } }))
      })
      const response = yield* Effect.fromResult(first)
      expect("error" in response && response.error.code).toBe(-32601)
      expect(heard).toEqual([1])
      expect(lines.length).toBe(2)
      expect(lines.join()).not.toContain("not json")
    }).pipe(Effect.provide(layer))
  )

  it.effect("HTTP-19 may be silent for as long as it likes: comments say nothing, and bring nothing back", () =>
    Effect.gen(function* () {
      const silence = Effect.as(Effect.sleep("6 minutes"), ':\r\n: ping\n\n:{"jsonrpc":"2.0"}\n\n')
      const { client, seen } = memory(() => stream(silence, event(done())))
      const connection = yield* connect("http://a.test/", { client })
      const heard: Array<unknown> = []
      const call = yield* Effect.forkChild(
        connection.exchange(modern(1, "subscriptions/listen"), (said) => Effect.sync(() => void heard.push(said))),
        { startImmediately: true }
      )
      yield* TestClock.adjust("6 minutes")
      expect(yield* Fiber.join(call)).toEqual(done())
      expect([heard, seen.length]).toEqual([[], 1])
    })
  )
})

describe("connections", () => {
  it.live("HTTP-30 are used again, whatever nobody has read, and closed with the scope", () =>
    Effect.gen(function* () {
      const server = yield* scripted(({ body }, reply) => {
        if (body.method === "notify") reply.whole(202, {})
        else if (body.method === "missing") reply.whole(404, { "content-type": "text/html" }, "x".repeat(10_240))
        else {
          reply.stream()
          reply.write(event(done(body.id)))
        }
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* connect(server.url)
          for (let i = 0; i < 300; i++) {
            yield* connection.send(JsonRpc.notification("notify", { _meta: modernMeta }))
            yield* Effect.flip(connection.exchange(modern(`m${i}`, "missing"), deaf))
            if (i % 10 === 0) yield* connection.exchange(modern(`s${i}`), deaf)
          }
          expect(server.mostSockets()).toBeLessThanOrEqual(8)
        })
      )
      // the pool of fetch is the runtime's
      if ("Bun" in globalThis || "Deno" in globalThis) return
      for (let i = 0; i < 200 && server.sockets() > 0; i++) yield* Effect.sleep(5)
      expect(server.sockets()).toBe(0)
    })
  )

  it.live("are used again after an event stream whose end comes a little after the response", () =>
    Effect.gen(function* () {
      const server = yield* scripted(({ body }, reply) => {
        reply.stream()
        reply.write(event(done(body.id)))
        setTimeout(() => reply.end(), 2)
      })
      const connection = yield* connect(server.url)
      for (let i = 0; i < 100; i++) yield* connection.exchange(modern(i), deaf)
      expect(server.opened()).toBeLessThanOrEqual(50)
    })
  )

  it.live("a server that is not there is unreachable: nothing was sent", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(scripted(() => {}))
      const connection = yield* connect(`http://127.0.0.1:${port}/secret?token=secret`)
      const error = yield* Effect.flip(connection.exchange(modern(1), deaf))
      expect([error.outcome, error.reason._tag === "Unreachable" && error.reason.code]).toEqual([
        "NotSent",
        "ECONNREFUSED"
      ])
      expect(error.message).not.toContain("token")
    })
  )
})
