import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Told } from "../../src/notice.ts"
import { connect } from "../../src/client/index.ts"
import { ask, failureOf, logged, reach } from "../support/asking.ts"
import { endpoint, event, nobody, type Reply, result, scripted, usual } from "../support/scripted.ts"

/** Says this on the stream in place of the response to a request. */
const saying = (say: (stream: Reply, id: JsonRpc.RequestId) => void) =>
  scripted(
    usual((seen, reply, stream) => {
      if (seen.method !== "POST") return false
      reply.whole(202)
      say(stream, seen.body.id)
      return true
    })
  )

const fast = { reconnect: { delayMs: 1, floorMs: 1 } } as const

describe("The stream of an HTTP+SSE server", () => {
  const two = ["event: message", 'data: {"jsonrpc":"2.0","id":1,', 'data: "result":{}}', "", ""]
  for (const [name, ending] of Object.entries({ LF: "\n", CR: "\r", "CR LF": "\r\n" })) {
    it.live(`HTTP-20 lines may end with ${name}, wherever they are cut`, () =>
      Effect.gen(function* () {
        const text = two.join(ending)
        for (let at = 1; at < text.length; at++) {
          const server = yield* saying((stream) => {
            stream.write(text.slice(0, at))
            setImmediate(() => stream.write(text.slice(at) + (ending === "\r" ? ":\n" : "")))
          })
          yield* Effect.scoped(
            Effect.gen(function* () {
              expect(yield* ask(yield* reach(server.url), 1)).toEqual(result(1))
            })
          )
        }
      }).pipe(Effect.scoped)
    )
  }

  it.live("HTTP-20 a byte order mark and mixed line ends are let pass", () =>
    Effect.gen(function* () {
      const server = yield* scripted(
        usual((seen, reply) => {
          if (seen.method !== "GET") return false
          reply.stream()
          reply.write("\ufeffevent: endpoint\r\ndata: /m\n\r\n")
          return true
        })
      )
      expect(yield* ask(yield* reach(server.url), 1)).toEqual(result(1))
    })
  )

  it.live("HTTP-21 odd events are let pass, and what is no message is told of", () =>
    Effect.gen(function* () {
      const server = yield* saying((stream) => {
        stream.write("id: 1\ndata:\n\nevent: ping\ndata: x\n\ndata: not json\n\ndata\n\n")
        stream.write('data:{"jsonrpc":"2.0",\ndata: "method":"notifications/progress",')
        stream.write('\ndata: "params":{"progressToken":1,"progress":1}}\n\ndata: [1]\n\n')
        stream.write(event({ jsonrpc: "2.0", id: 1, error: { code: -32042, message: "no" } }))
      })
      const heard: Array<unknown> = []
      const { lines, value } = yield* logged(
        Effect.gen(function* () {
          const connection = yield* reach(server.url)
          return yield* connection.exchange(JsonRpc.request(1, "x"), (said) =>
            Effect.sync(() => void heard.push(said.params?.progress))
          )
        })
      )
      expect(value).toMatchObject({ error: { code: -32042 } })
      expect(heard).toEqual([1])
      expect(lines.filter((line) => line.includes("no message"))).toHaveLength(2)
    })
  )

  it.live("HTTP-22 an event that never ends is none, and is dropped with the stream", () =>
    Effect.gen(function* () {
      const unfinished = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n'
      const open = yield* saying((stream) => stream.write(unfinished))
      const waits = yield* Effect.timeoutOption(ask(yield* reach(open.url), 1), 50)
      expect(waits._tag).toBe("None")
      const ended = yield* saying((stream) => {
        stream.write(unfinished)
        stream.end()
      })
      const failure = yield* failureOf(ask(yield* reach(ended.url), 1))
      expect([failure.reason._tag, failure.outcome]).toEqual(["Closed", "Unknown"])
    })
  )

  it.live("HTTP-22 an event over the limit ends the connection, in linear time", () =>
    Effect.gen(function* () {
      const part = "data: aaaa\n".repeat(1_490)
      const server = yield* saying((stream) => {
        for (let i = 0; i < 2_048; i++) stream.write(part)
      })
      const connection = yield* reach(server.url)
      const began = performance.now()
      const failure = yield* failureOf(ask(connection, 1))
      expect(failure.reason).toEqual({ _tag: "TooLarge", limit: 4 * 1024 * 1024 })
      expect(performance.now() - began).toBeLessThan(5_000)
    })
  )

  it.live("HTTP-23 a hundred thousand events that are skipped at once harm nobody", () =>
    Effect.gen(function* () {
      const server = yield* saying((stream, id) => {
        stream.write("event: x\ndata: no\n\n".repeat(100_000) + event(result(id)))
      })
      const connection = yield* reach(server.url)
      let beats = 0
      const beating = setInterval(() => beats++, 1)
      const began = performance.now()
      expect(yield* ask(connection, 1)).toEqual(result(1))
      clearInterval(beating)
      expect(performance.now() - began).toBeLessThan(3_000)
      expect(beats).toBeGreaterThan(0)
    })
  )

  for (const [what, answer, reason] of [
    ["HTML", (r: Reply) => r.whole(200, { "content-type": "text/html" }, "<html>"), { _tag: "Malformed" }],
    ["JSON", (r: Reply) => r.json(200, {}), { _tag: "Malformed" }],
    ["405", (r: Reply) => r.whole(405), { _tag: "HttpStatus", status: 405 }],
    [
      "401 with a challenge",
      (r: Reply) => r.whole(401, { "www-authenticate": "Bearer x" }),
      { _tag: "HttpStatus", status: 401, challenge: "Bearer x" }
    ],
    ["another origin", (r: Reply) => r.whole(307, { location: "http://127.0.0.1:1/" }), { _tag: "Redirected" }],
    ["what is no UTF-8", (r: Reply) => (r.stream(), r.write(Buffer.from([0x64, 0xff]))), { _tag: "Malformed" }]
  ] as const) {
    it.live(`a stream that is answered with ${what} is an error at once`, () =>
      Effect.gen(function* () {
        const server = yield* scripted((_seen, reply) => answer(reply))
        const failure = yield* failureOf(Effect.scoped(reach(server.url)))
        expect(failure.reason).toMatchObject(reason)
        expect(server.seen).toHaveLength(1)
      })
    )
  }

  it.live("follows a redirect within the origin, with its headers, and no other", () =>
    Effect.gen(function* () {
      const answer = usual()
      const server = yield* scripted((seen, reply) =>
        seen.path === "/sse" || seen.path === "/m"
          ? reply.whole(307, { location: seen.path === "/sse" ? "/moved/sse" : "http://127.0.0.1:1/m" })
          : answer({ ...seen }, reply)
      )
      const connection = yield* reach(server.url, { apiKey: "key" })
      expect(yield* ask(connection, 1)).toEqual(result(1))
      for (const { headers } of server.seen) expect(headers.authorization).toBe("Bearer key")
      const elsewhere = yield* scripted((seen, reply) =>
        seen.method === "GET"
          ? (reply.stream(), reply.write(endpoint("/m")))
          : reply.whole(307, { location: "http://127.0.0.1:1/m" })
      )
      const failure = yield* failureOf(ask(yield* reach(elsewhere.url, { apiKey: "key" }), 1))
      expect([failure.reason._tag, failure.outcome]).toEqual(["Redirected", "Rejected"])
    })
  )

  it.live("comes back to a stream that breaks before anything was sent, and takes its new endpoint", () =>
    Effect.gen(function* () {
      let gets = 0
      const server = yield* scripted(
        usual((seen, reply) => {
          if (seen.method !== "GET") return false
          gets++
          if (gets === 1) reply.whole(503)
          else {
            reply.stream()
            if (gets === 2) reply.write("retry: 1\n\n")
            else reply.write(endpoint(`/m${gets}`))
            if (gets === 2) reply.end()
          }
          return true
        })
      )
      const connection = yield* reach(server.url, fast)
      expect(yield* ask(connection, 1)).toEqual(result(1))
      expect(server.posts()[0]?.path).toBe("/m3")
    })
  )

  it.live("comes back as often as it may, and no oftener", () =>
    Effect.gen(function* () {
      const ends = yield* scripted((_seen, reply) => {
        reply.stream()
        reply.end()
      })
      const closed = yield* failureOf(Effect.scoped(reach(ends.url, fast)))
      expect([closed.reason._tag, closed.outcome]).toEqual(["Closed", "NotSent"])
      expect(ends.gets()).toHaveLength(3)
      const busy = yield* scripted((_seen, reply) => reply.whole(503, { "retry-after": "400" }))
      expect((yield* failureOf(Effect.scoped(reach(busy.url, fast)))).reason).toMatchObject({ status: 503 })
      expect(busy.gets()).toHaveLength(1)
      const none = yield* failureOf(Effect.scoped(reach(yield* nobody, fast)))
      expect([none.reason._tag, none.outcome]).toEqual(["Unreachable", "NotSent"])
    })
  )

  it.live("does not come back once something was sent: it would be another session", () =>
    Effect.gen(function* () {
      const server = yield* saying((stream) => stream.cut())
      const connection = yield* reach(server.url, fast)
      const failure = yield* failureOf(ask(connection, 1))
      expect([failure.reason._tag, failure.outcome]).toEqual(["Closed", "Unknown"])
      const next = yield* failureOf(ask(connection, 2))
      expect([next.reason._tag, next.outcome]).toEqual(["Closed", "NotSent"])
      expect(server.gets()).toHaveLength(1)
    })
  )

  it.live("closing the scope ends the stream", () =>
    Effect.gen(function* () {
      let gone: (() => void) | undefined
      const left = new Promise<void>((resolve) => (gone = resolve))
      const server = yield* scripted(
        usual((seen, reply) => {
          if (seen.method === "GET") reply.onGone(() => gone?.())
          return false
        })
      )
      yield* Effect.scoped(Effect.flatMap(reach(server.url), (connection) => ask(connection, 1)))
      yield* Effect.promise(() => left)
    })
  )

  it.live("R-179 tells the log once that the transport is deprecated, unless it is not to", () =>
    Effect.gen(function* () {
      const server = yield* scripted(usual())
      const { lines } = yield* logged(
        Effect.scoped(
          Effect.gen(function* () {
            yield* reach(server.url)
            yield* connect(server.url)
            yield* connect(server.url)
          })
        ).pipe(Effect.provideService(Told, { isTold: false }))
      )
      expect(lines.filter((line) => line.includes("deprecated HTTP+SSE"))).toHaveLength(1)
    })
  )
})
