import { TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { detect, type DetectError, type DetectOptions, type Verdict } from "../src/index.ts"
import { type Answer, error, events, json, memory, type Message, status, URL } from "./support/memory.ts"
import { sentOf } from "./support/replay.ts"

const pong = { jsonrpc: "2.0", id: 1, result: {} }

/** What comes of an address where POSTs, and GETs, are answered like this. */
const found = (
  post: (message: Message) => Answer,
  get: () => Answer = () => status(405),
  options: DetectOptions = {}
) => {
  const { client, seen } = memory((request, message) => {
    if (request.method === "DELETE") return status(204)
    return request.method === "GET" ? get() : post(message)
  })
  return Effect.match(detect(URL, { ...options, client }), {
    onFailure: ({ evidence, reason }: DetectError) => ({ is: reason._tag as string, evidence, reason, seen }),
    onSuccess: ({ evidence, kind }) => ({ is: kind as string, evidence, reason: undefined, seen })
  })
}

const is = (post: (message: Message) => Answer, get?: () => Answer): Effect.Effect<string> =>
  Effect.map(found(post, get), ({ is }) => is)

describe("the first probe", () => {
  it.effect("T-61 is a POST of a JSON-RPC ping, and takes a JSON-RPC response or an event stream with 200", () =>
    Effect.gen(function* () {
      const { evidence, is: kind, seen } = yield* found(() => json(pong))
      expect(kind).toBe("streamable-http")
      expect(seen).toEqual([
        {
          method: "POST",
          url: URL,
          headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
          body: '{"jsonrpc":"2.0","id":1,"method":"ping"}'
        }
      ])
      expect(evidence).toEqual([
        { sent: "POST ping", status: 200, mediaType: "application/json", verdict: "Response", ms: 0 }
      ])
      expect(yield* is(() => events)).toBe("streamable-http")
      expect(yield* is(() => json(error(-32601, 1)))).toBe("streamable-http")
      for (const type of ["", "application/vnd.x+json", "Application/JSON; charset=utf-8"]) {
        expect(yield* is(() => status(200, { "content-type": type }, JSON.stringify(pong)))).toBe("streamable-http")
      }
      expect(yield* is(() => json(error(-32600, null)))).toBe("streamable-http")
    })
  )

  it.effect("T-61 takes nothing else with 200: another id, a request, a batch, the text of another type, 202", () =>
    Effect.gen(function* () {
      const others: ReadonlyArray<readonly [Verdict, Answer]> = [
        ["Json", json({ ...pong, id: 2 })],
        ["Json", json({ ...pong, id: "1" })],
        ["Json", json({ jsonrpc: "2.0", id: 1, method: "ping" })],
        ["Json", json([pong])],
        ["Json", json({ ...pong, jsonrpc: "1.0" })],
        ["Json", json(pong, 202)],
        ["Other", status(200, { "content-type": "text/plain" }, JSON.stringify(pong))],
        ["Other", status(202)],
        ["Other", status(202, { "content-type": "text/event-stream" })],
        ["Other", status(200, { "content-type": "application/json" }, '{"jsonrpc":')],
        ["Other", status(204)],
        ["WebPage", status(200, { "content-type": "application/xhtml+xml" }, JSON.stringify(pong))],
        ["WebPage", status(200, { "content-type": "Text/HTML; charset=utf-8" }, "<p>")]
      ]
      for (const [verdict, answer] of others) {
        const { evidence } = yield* found(() => answer)
        expect(evidence.map(({ sent, verdict }) => [sent, verdict])).toEqual([
          ["POST ping", verdict],
          ["GET", "Absent"]
        ])
      }
    })
  )

  it.effect("T-67 knows a server without ping by 404 and -32601, and by any error that came with 2026-07-28", () =>
    Effect.gen(function* () {
      expect(yield* is(() => json(error(-32601, 1), 404))).toBe("streamable-http")
      for (const code of [-32020, -32021, -32022, -32029]) {
        for (const http of [400, 404, 422, 500]) {
          for (const id of [1, null, undefined]) {
            const { evidence, is: kind } = yield* found(() => json(error(code, id), http))
            expect(kind).toBe("streamable-http")
            expect(evidence).toEqual([
              {
                sent: "POST ping",
                status: http,
                mediaType: "application/json",
                code,
                verdict: "ModernError",
                ms: 0
              }
            ])
          }
        }
      }
      for (const [code, id] of [
        [-32019, 1],
        [-32030, 1],
        [-32022, 7],
        [-32601, 1]
      ] as const) {
        expect(yield* is(() => json(error(code, id), 400))).toBe("plain")
      }
    })
  )

  it.effect("T-67 401 and 403 to any probe need auth, whatever the body says, with the challenge", () =>
    Effect.gen(function* () {
      const challenge = `Bearer realm="${"x".repeat(5_000)}"`
      for (const http of [401, 403]) {
        const answer = json(error(-32022, 1), http, { "www-authenticate": challenge })
        const reason = { _tag: "NeedsAuth", status: http, challenge: challenge.slice(0, 4_096) }
        expect((yield* found(() => answer)).reason).toEqual(reason)
        expect(
          (yield* found(
            () => status(404),
            () => answer
          )).reason
        ).toEqual(reason)
        const late = yield* found(({ method }) => (method === "ping" ? json(error(-32600), 400) : answer))
        expect(late.reason).toEqual(reason)
        expect(late.evidence.map(({ sent, verdict }) => [sent, verdict])).toEqual([
          ["POST ping", "RpcError"],
          ["POST server/discover", "NeedsAuth"]
        ])
        expect((yield* found(() => status(http))).reason).toEqual({ _tag: "NeedsAuth", status: http })
      }
    })
  )
})

describe("a refusal in words of JSON-RPC", () => {
  const refusing = (name: string, then: (message: Message) => Answer) => (message: Message) =>
    message.method === name ? then(message) : json(error(-32000), 400)

  it.effect("leads to server/discover as a modern client asks it", () =>
    Effect.gen(function* () {
      for (const answer of [events, json({ ...pong, id: 2 }), json(error(-32022, 2), 400)]) {
        const { is: kind, seen } = yield* found(refusing("server/discover", () => answer))
        expect(kind).toBe("streamable-http")
        expect(seen.map(sentOf)).toEqual(["POST ping", "POST server/discover"])
        expect(seen[1]?.headers).toMatchObject({
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "server/discover"
        })
        expect(JSON.parse(String(seen[1]?.body)).params._meta).toMatchObject({
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}
        })
      }
    })
  )

  it.effect("leads to initialize after that, whose session is left again, whatever comes of it", () =>
    Effect.gen(function* () {
      const session = { "mcp-session-id": "s-1" }
      const answers: ReadonlyArray<readonly [string, Answer]> = [
        ["streamable-http", json({ ...pong, id: 3 }, 200, session)],
        ["streamable-http", status(200, { ...session, "content-type": "text/event-stream" })],
        ["Unavailable", status(503, session)],
        ["plain", json(error(-32600), 400, session)]
      ]
      for (const [kind, answer] of answers) {
        const got = yield* found(refusing("initialize", () => answer))
        expect(got.is).toBe(kind)
        const left = got.seen.filter(({ method }) => method === "DELETE")
        expect(left).toEqual([{ method: "DELETE", url: URL, headers: { "mcp-session-id": "s-1" } }])
        expect(got.evidence.find(({ sent }) => sent === "DELETE")).toEqual({
          sent: "DELETE",
          status: 204,
          verdict: "Left",
          ms: 0
        })
      }
      const without = yield* found(refusing("initialize", () => json({ ...pong, id: 3 })))
      expect(without.seen.map(sentOf)).toEqual(["POST ping", "POST server/discover", "POST initialize"])
    })
  )

  it.effect("a session is left where the answer that opened it does not end, and no longer than 2 s", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(({ method }, { method: rpc }) => {
        if (method === "DELETE") return Effect.never
        if (rpc !== "initialize") return json(error(-32000), 400)
        return Effect.map(json({}, 200, { "mcp-session-id": "s-1" }), (http) => ({
          ...http,
          whole: () => Effect.never
        }))
      })
      const fiber = yield* Effect.forkChild(Effect.exit(detect(URL, { client })), { startImmediately: true })
      yield* TestClock.adjust("9999 millis")
      expect(seen.map(sentOf)).toEqual(["POST ping", "POST server/discover", "POST initialize"])
      yield* TestClock.adjust("1 millis")
      expect(seen.at(-1)?.method).toBe("DELETE")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("2 seconds")
      expect(Exit.isSuccess(yield* Fiber.join(fiber))).toBe(false)
    })
  )

  it.effect("an id that is too long for one is no session", () =>
    Effect.gen(function* () {
      for (const [length, isLeft] of [
        [4_096, true],
        [4_097, false]
      ] as const) {
        const answer = json({ ...pong, id: 3 }, 200, { "mcp-session-id": "s".repeat(length) })
        const { seen } = yield* found(refusing("initialize", () => answer))
        expect(seen.at(-1)?.method).toBe(isLeft ? "DELETE" : "POST")
      }
    })
  )

  it.effect("the end of a session holds up nobody who has given up for more than 2 s", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(({ method }, { method: rpc }) => {
        if (method === "DELETE") return Effect.never
        if (rpc !== "initialize") return json(error(-32000), 400)
        return Effect.map(json({}, 200, { "mcp-session-id": "s-1" }), (http) => ({
          ...http,
          whole: () => Effect.never
        }))
      })
      const fiber = yield* Effect.forkChild(detect(URL, { client }), { startImmediately: true })
      yield* Effect.yieldNow
      const ending = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
      yield* TestClock.adjust("1999 millis")
      expect(seen.at(-1)?.method).toBe("DELETE")
      expect(ending.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(ending)
    })
  )

  it.effect("whose words do not come within 2 s is one in none", () =>
    Effect.gen(function* () {
      const answer = Effect.map(json(error(-32000), 400), (http) => ({ ...http, whole: () => Effect.never }))
      const fiber = yield* Effect.forkChild(
        found(() => answer),
        { startImmediately: true }
      )
      yield* TestClock.adjust("4 seconds")
      const { evidence, is: kind } = yield* Fiber.join(fiber)
      expect(kind).toBe("plain")
      expect(evidence.map(({ ms, sent, verdict }) => [sent, verdict, ms])).toEqual([
        ["POST ping", "Refused", 2_000],
        ["POST initialize", "Refused", 2_000],
        ["GET", "Absent", 0]
      ])
    })
  )

  it.effect("nothing is ever asked to be done, and no version is taken from anybody", () =>
    Effect.gen(function* () {
      const { seen } = yield* found(() => json(error(-32600), 400))
      expect(seen.map(sentOf)).toEqual(["POST ping", "POST server/discover", "POST initialize", "GET"])
    })
  )
})

describe("the second probe", () => {
  it.effect("T-62 is a GET that accepts an event stream, and takes one with 200", () =>
    Effect.gen(function* () {
      const { is: kind, seen } = yield* found(
        () => status(405),
        () => events
      )
      expect(kind).toBe("sse")
      expect(seen.at(-1)).toEqual({ method: "GET", url: URL, headers: { accept: "text/event-stream" } })
      for (const get of [status(202, { "content-type": "text/event-stream" }), json({}), status(404)]) {
        expect(
          yield* is(
            () => status(405),
            () => get
          )
        ).toBe("NothingHere")
      }
      expect(
        yield* is(
          () => json(error(-32600), 400),
          () => events
        )
      ).toBe("sse")
    })
  )

  it.effect("T-62 reads nothing of the stream", () =>
    Effect.gen(function* () {
      const get = Effect.map(events, (http) => ({ ...http, read: Effect.die("read"), whole: () => Effect.die("read") }))
      expect(
        yield* is(
          () => status(404),
          () => get
        )
      ).toBe("sse")
    })
  )
})

describe("what is left", () => {
  it.effect("T-63 is plain HTTP where it speaks JSON or wants another request, and nothing where it never will", () =>
    Effect.gen(function* () {
      const type = { "content-type": "text/plain" }
      for (const plain of [json(error(-32600, 1), 404), json({}, 400), status(400, type, "No method"), status(415)]) {
        expect(yield* is(() => plain)).toBe("plain")
      }
      for (const http of [404, 405, 410])
        expect(yield* is(() => json({ detail: "Not Found" }, http))).toBe("NothingHere")
      expect(yield* is(() => status(400, { "content-type": "text/html" }, "<p>"))).toBe("NothingHere")
      // a server that has no GET at all, and one that has no time
      for (const [http, found] of [
        [501, "plain"],
        [503, "Unavailable"]
      ] as const) {
        const kind = is(
          () => status(415),
          () => status(http)
        )
        expect(yield* kind).toBe(found)
      }
    })
  )
})

describe("what says nothing", () => {
  it.effect("408, 429 and 5xx are a typed error that carries Retry-After, and are never remembered", () =>
    Effect.gen(function* () {
      const now = yield* Effect.clockWith(({ currentTimeMillis }) => currentTimeMillis)
      const headers: ReadonlyArray<readonly [string, number | undefined]> = [
        ["7", 7_000],
        [new Date(now + 90_000).toUTCString(), 90_000],
        [new Date(now - 90_000).toUTCString(), 0],
        ["soon", undefined]
      ]
      for (const http of [408, 429, 500, 501, 503, 599]) {
        for (const [header, retryAfterMs] of headers) {
          const { evidence, reason } = yield* found(() => status(http, { "retry-after": header }))
          expect(reason).toEqual({
            _tag: "Unavailable",
            status: http,
            ...(retryAfterMs === undefined ? {} : { retryAfterMs })
          })
          expect(evidence.map(({ verdict }) => verdict)).toEqual(["Unavailable"])
        }
        expect(yield* is(() => json(error(-32000), http))).toBe("Unavailable")
      }
      let isUp = false
      const { client } = memory(() => (isUp ? json(pong) : status(503)))
      yield* Effect.flip(detect(URL, { client }))
      isUp = true
      expect((yield* detect(URL, { client })).kind).toBe("streamable-http")
    })
  )

  it.effect("nobody there, a connection that breaks, and a redirect that is not followed are told apart", () =>
    Effect.gen(function* () {
      const wrong = [
        ["Unreachable", TransportError.make({ _tag: "Unreachable", what: "no server" }, "NotSent")],
        ["Broken", TransportError.make({ _tag: "Closed" })],
        ["Broken", TransportError.make({ _tag: "Malformed", detail: "no HTTP" })],
        [
          "Redirected",
          TransportError.make({ _tag: "Redirected", status: 307, to: "https://b.example", why: "OtherOrigin" })
        ]
      ] as const
      for (const [tag, error] of wrong) {
        const { evidence, is: kind } = yield* found(() => Effect.fail(error))
        expect(kind).toBe(tag)
        expect(evidence).toEqual([{ sent: "POST ping", verdict: tag, ms: 0 }])
      }
      // of a client that follows none
      const { reason, seen } = yield* found(() => status(301, { location: "https://b.example/mcp?token=x" }))
      expect(reason).toEqual({ _tag: "Redirected", status: 301, to: "https://b.example" })
      expect(seen.length).toBe(1)
    })
  )

  it.effect("T-64 each probe waits 10 s, or what it is given, for its head and its body together", () =>
    Effect.gen(function* () {
      for (const [probe, ms] of [
        [undefined, 10_000],
        ["2 seconds", 2_000]
      ] as const) {
        const slow = (ms: number, answer: Answer) => () => Effect.delay(answer, ms)
        const at = found(slow(ms - 1, status(404)), slow(ms - 1, events), { probe })
        const inTime = yield* Effect.forkChild(at, { startImmediately: true })
        yield* TestClock.adjust(2 * (ms - 1))
        const { evidence, is: kind } = yield* Fiber.join(inTime)
        expect([kind, ...evidence.map(({ ms }) => ms)]).toEqual(["sse", ms - 1, ms - 1])
        const body = Effect.map(json(pong), (http) => ({ ...http, whole: () => Effect.never }))
        const late = yield* Effect.forkChild(found(slow(ms / 2, body), undefined, { probe }), {
          startImmediately: true
        })
        yield* TestClock.adjust(ms - 1)
        expect(late.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust(1)
        const got = yield* Fiber.join(late)
        expect(got.reason).toEqual({ _tag: "TimedOut", afterMs: ms })
        expect(got.evidence).toEqual([
          { sent: "POST ping", status: 200, mediaType: "application/json", verdict: "TimedOut", ms }
        ])
      }
    })
  )

  it("a time that is none is a mistake of the author", () => {
    for (const probe of [0, -1, Number.NaN]) expect(() => detect(URL, { probe })).toThrow("probe")
  })
})
