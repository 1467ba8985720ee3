import { type Connection, JsonRpc, type TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { connect, type Interceptor } from "../../src/client/index.ts"
import { initialize } from "../support/wire.ts"
import { type Answer, greeting, logs, json, memory, status, stream } from "./memory.ts"
import { shakeHands } from "./pairs.ts"
import { greet, scripted } from "./scripted.ts"

const heardBy = ({ incoming }: Connection) => Stream.scoped(Stream.fromPull(incoming))

const deaf = () => Effect.void
const list = (id: JsonRpc.RequestId) => JsonRpc.request(id, "tools/list")
const tagOf = (error: TransportError) => [error.reason._tag, error.outcome]

describe("a legacy session", () => {
  it.effect("C-18 T-33 its id and version go with everything after initialize, and with nothing before", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(
        (request, message) => greeting(request, message) ?? json(JsonRpc.success(message.id, {}))
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* connect("http://a.test/mcp", { client })
          yield* shakeHands(connection)
          yield* connection.exchange(list(1), deaf)
          yield* connection.send(JsonRpc.success("q", {}))
        })
      )
      expect(
        seen.map(({ headers, method }) => [method, headers["mcp-session-id"], headers["mcp-protocol-version"]])
      ).toEqual([
        ["POST", undefined, undefined],
        ["POST", "s-1", "2025-11-25"],
        ["POST", "s-1", "2025-11-25"],
        ["POST", "s-1", "2025-11-25"],
        ["DELETE", "s-1", "2025-11-25"]
      ])
    })
  )

  it.effect("HTTP-02 takes its id from the answer to initialize alone, and refuses one that no header may hold", () =>
    Effect.gen(function* () {
      let id: string | undefined
      const { client, seen } = memory((_request, { id: requestId, method }) => {
        if (method === "server/discover") return status(400, { "mcp-session-id": "bad" })
        if (method !== "initialize") return json(JsonRpc.success(requestId, {}), { "mcp-session-id": "other" })
        const result = { protocolVersion: "2025-11-25" }
        return json(JsonRpc.success(requestId, result), id === undefined ? {} : { "mcp-session-id": id })
      })
      const connection = yield* connect("http://a.test/mcp", { client })
      yield* Effect.flip(connection.exchange(JsonRpc.request(0, "server/discover"), deaf))
      yield* connection.exchange(initialize(), deaf)
      yield* connection.exchange(list(1), deaf)
      yield* connection.exchange(list(2), deaf)
      expect(seen.map(({ headers }) => "mcp-session-id" in headers)).toEqual([false, false, false, false])
      for (const bad of ["a b", "é", "", "x".repeat(5000)]) {
        id = bad
        const error = yield* Effect.flip(connection.exchange(initialize(), deaf))
        expect(error.reason._tag).toBe("Malformed")
      }
    })
  )

  it.effect(
    "C-19 T-34 HTTP-01 404 ends it for all at once: nothing is sent again, until initialize begins another",
    () =>
      Effect.gen(function* () {
        let known = "s-1"
        const { client, seen } = memory((request, message) => {
          const greeted = greeting(request, message, known)
          if (greeted !== undefined) return greeted
          return request.headers["mcp-session-id"] === known
            ? json(JsonRpc.success(message.id, {}))
            : json({ jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } }, {}, 404)
        })
        const connection = yield* connect("http://a.test/mcp", { client })
        yield* shakeHands(connection)
        known = "s-2"
        const calls = [
          ...Array.from({ length: 9 }, (_, i) => list(i)),
          JsonRpc.request("t", "tools/call", { name: "t" })
        ]
        const failed = yield* Effect.forEach(calls, (call) => Effect.flip(connection.exchange(call, deaf)), {
          concurrency: "unbounded"
        })
        expect(failed.map(({ reason }) => reason._tag)).toEqual(calls.map(() => "SessionExpired"))
        expect(failed.map(({ outcome }) => outcome)).not.toContain("Unknown")
        expect(tagOf(yield* Effect.flip(connection.exchange(list(20), deaf)))).toEqual(["SessionExpired", "NotSent"])
        const before = seen.length
        yield* shakeHands(connection)
        yield* connection.exchange(list(21), deaf)
        expect(seen.slice(before).map(({ headers }) => headers["mcp-session-id"])).toEqual([undefined, "s-2", "s-2"])
        expect(seen.filter(({ body }) => String(body).includes("tools/call")).length).toBeLessThanOrEqual(1)
      })
  )

  it.effect("without an id, a 404 is a status like any other", () =>
    Effect.gen(function* () {
      const { client } = memory((_request, { id, method }) =>
        method === "initialize" ? json(JsonRpc.success(id, { protocolVersion: "2025-11-25" })) : status(404)
      )
      const connection = yield* connect("http://a.test/mcp", { client })
      yield* connection.exchange(initialize(), deaf)
      expect(tagOf(yield* Effect.flip(connection.exchange(list(1), deaf)))).toEqual(["HttpStatus", "Rejected"])
    })
  )

  for (const [answer, warns] of [
    [200, false],
    [202, false],
    [204, false],
    [404, false],
    [405, false],
    [500, true]
  ] as const) {
    const { layer, lines } = logs()
    it.effect(`C-20 C-21 HTTP-05 is ended with one DELETE, which ${answer} answers well enough`, () =>
      Effect.gen(function* () {
        const { client, seen } = memory((request, message) =>
          request.method === "DELETE" ? status(answer) : (greeting(request, message) ?? status(500))
        )
        const scope = yield* Scope.make()
        yield* Scope.provide(Effect.flatMap(connect("http://a.test/mcp", { client }), shakeHands), scope)
        yield* Scope.close(scope, Exit.void)
        yield* Scope.close(scope, Exit.void)
        expect(seen.map(({ method }) => method)).toEqual(["POST", "POST", "DELETE"])
        expect(lines).toEqual(warns ? ["The server did not confirm the end of its session"] : [])
      }).pipe(Effect.provide(layer))
    )
  }

  it.effect("HTTP-05 a server that does not answer the DELETE costs two seconds", () =>
    Effect.gen(function* () {
      const { client } = memory((request, message) =>
        request.method === "DELETE" ? Effect.never : (greeting(request, message) ?? status(500))
      )
      const scope = yield* Scope.make()
      yield* Scope.provide(Effect.flatMap(connect("http://a.test/mcp", { client }), shakeHands), scope)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust(1_999)
      expect(closing.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
    })
  )

  it.effect("C-22 without a session nothing is sent when the scope closes", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(() => status(500))
      yield* Effect.scoped(connect("http://a.test/mcp", { client }))
      expect(seen).toEqual([])
    })
  )
})

/** A session whose GET is answered in turn; every other request succeeds. */
const withGets = Effect.fnUntraced(function* (answers: Array<Answer>, isKnown = () => true) {
  const wire = memory((request, message) => {
    const greeted = greeting(request, message)
    if (greeted !== undefined) return greeted
    if (request.method === "GET") return answers.shift() ?? Effect.never
    return isKnown() ? json(JsonRpc.success(message.id, {})) : status(404)
  })
  const connection = yield* connect("http://a.test/mcp", { client: wire.client })
  const gets = () => wire.seen.filter(({ method }) => method === "GET")
  return { connection, gets, seen: wire.seen }
})

const news = (n: number) => JsonRpc.notification("notifications/news", { n })
const said = (n: number, id?: string) => `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(news(n))}\n\n`

describe("the stream of a server's own", () => {
  it.effect("T-35 is opened by reading it, once the client has said that it is initialized", () =>
    Effect.gen(function* () {
      const { connection, gets } = yield* withGets([stream(said(1), Effect.never)])
      yield* connection.exchange(initialize(), deaf)
      const reading = yield* Effect.forkChild(Stream.runCollect(Stream.take(heardBy(connection), 1)), {
        startImmediately: true
      })
      yield* TestClock.adjust(10_000)
      expect(gets()).toEqual([])
      yield* connection.send(JsonRpc.notification("notifications/initialized"))
      expect(yield* Fiber.join(reading)).toEqual([news(1)])
      expect(gets().map(({ headers }) => [headers.accept, headers["mcp-session-id"]])).toEqual([
        ["text/event-stream", "s-1"]
      ])
    })
  )

  for (const code of [400, 404, 405, 406, 501, 503]) {
    it.effect(`is none where the server answers ${code}: nobody asks again and again`, () =>
      Effect.gen(function* () {
        const { connection, gets } = yield* withGets(Array.from({ length: 20 }, () => status(code)))
        yield* shakeHands(connection)
        const reading = yield* Effect.forkChild(Stream.runDrain(heardBy(connection)), {
          startImmediately: true
        })
        yield* TestClock.adjust("1 hour")
        expect(gets().length).toBe(code === 503 ? 3 : 1)
        expect(reading.pollUnsafe()).toBe(undefined)
        expect(JsonRpc.isSuccess(yield* connection.exchange(list(1), deaf))).toBe(true)
      })
    )
  }

  it.effect("a 404 is the end of the session only when a ping finds it, too", () =>
    Effect.gen(function* () {
      const { connection, seen } = yield* withGets([status(404)], () => false)
      yield* shakeHands(connection)
      const error = yield* Effect.flip(Stream.runDrain(heardBy(connection)))
      expect(tagOf(error)).toEqual(["SessionExpired", "Rejected"])
      expect(seen.filter(({ body }) => String(body).includes('"ping"')).length).toBe(1)
      expect(tagOf(yield* Effect.flip(connection.exchange(list(1), deaf)))).toEqual(["SessionExpired", "NotSent"])
    })
  )

  it.effect("C-34 comes back after a break from the last event, and after as long as the server asks", () =>
    Effect.gen(function* () {
      const { connection, gets } = yield* withGets([
        stream(`retry: 5000\n${said(1, "a")}`),
        stream(said(2, "b"), "retry: 0\n\n"),
        stream(said(3))
      ])
      yield* shakeHands(connection)
      const heard: Array<unknown> = []
      yield* Effect.forkChild(
        Stream.runForEach(heardBy(connection), (said) => Effect.sync(() => void heard.push(said))),
        {
          startImmediately: true
        }
      )
      yield* TestClock.adjust(4_999)
      expect(heard).toEqual([news(1)])
      yield* TestClock.adjust(1)
      expect(heard).toEqual([news(1), news(2)])
      yield* TestClock.adjust(99)
      expect(gets().length).toBe(2)
      yield* TestClock.adjust(1)
      expect(heard).toEqual([news(1), news(2), news(3)])
      expect(gets().map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "a", "b"])
    })
  )

  it.effect("C-34 gives up after two attempts in vain, and can then be read anew", () =>
    Effect.gen(function* () {
      const answers = [stream(said(1)), status(503), status(503), stream(said(2), Effect.never)]
      const { connection, gets } = yield* withGets(answers)
      yield* shakeHands(connection)
      const reading = yield* Effect.forkChild(Effect.flip(Stream.runDrain(heardBy(connection))), {
        startImmediately: true
      })
      yield* TestClock.adjust(2_000)
      expect((yield* Fiber.join(reading)).reason).toEqual({ _tag: "HttpStatus", status: 503 })
      expect(gets().length).toBe(3)
      expect(yield* Stream.runCollect(Stream.take(heardBy(connection), 1))).toEqual([news(2)])
    })
  )

  it.effect("C-34 is opened anew after five minutes without a byte", () =>
    Effect.gen(function* () {
      const { connection, gets } = yield* withGets([stream(said(1, "a"), Effect.never), stream(said(2), Effect.never)])
      yield* shakeHands(connection)
      const reading = yield* Effect.forkChild(Stream.runCollect(Stream.take(heardBy(connection), 2)), {
        startImmediately: true
      })
      yield* TestClock.adjust(300_999)
      expect(gets().length).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(reading)).toEqual([news(1), news(2)])
    })
  )

  it.effect("goes over to the session that takes its place", () =>
    Effect.gen(function* () {
      const { connection, gets } = yield* withGets([stream(Effect.never), stream(said(2), Effect.never)])
      yield* shakeHands(connection)
      const reading = yield* Effect.forkChild(Stream.runCollect(Stream.take(heardBy(connection), 1)), {
        startImmediately: true
      })
      yield* TestClock.adjust(0)
      yield* shakeHands(connection)
      expect(yield* Fiber.join(reading)).toEqual([news(2)])
      expect(gets().length).toBe(2)
    })
  )
})

describe("cancelling on a legacy wire", () => {
  it.live("tells the server, since leaving the stream says nothing; never for initialize", () =>
    Effect.gen(function* () {
      const server = yield* scripted((seen, reply) => {
        if (greet(seen, reply)) return
        if (seen.body.method === "notifications/cancelled") return reply.whole(202, {})
        reply.stream()
      })
      const connection = yield* connect(server.url)
      yield* shakeHands(connection)
      const cancelled = () =>
        server.seen.flatMap(({ body }) => (body.method === "notifications/cancelled" ? [body.params] : []))
      for (const request of [list(7), JsonRpc.request(8, "tools/call", { name: "t", task: {} })]) {
        const before = server.seen.length
        const call = yield* Effect.forkChild(connection.exchange(request, deaf), { startImmediately: true })
        while (server.seen.length === before) yield* Effect.sleep(5)
        yield* Fiber.interrupt(call)
      }
      expect(cancelled()).toEqual([{ requestId: 7 }])
    })
  )

  it.effect("says nothing of a request whose session is over, in the session after it least of all", () =>
    Effect.gen(function* () {
      const { client, seen } = memory((request, message) => greeting(request, message) ?? Effect.never)
      const connection = yield* connect("http://a.test/mcp", { client })
      yield* shakeHands(connection)
      const call = yield* Effect.forkChild(connection.exchange(list(1), deaf), { startImmediately: true })
      yield* shakeHands(connection)
      yield* Fiber.interrupt(call)
      expect(seen.filter(({ body }) => String(body).includes("notifications/cancelled"))).toEqual([])
    })
  )

  it.effect("C-26 says nothing of a request that has not been let through", () =>
    Effect.gen(function* () {
      const { client, seen } = memory((request, message) => greeting(request, message) ?? Effect.never)
      const held: Interceptor = (request, next) =>
        String(request.body).includes("tools/list") ? Effect.never : next(request)
      const connection = yield* connect("http://a.test/mcp", { client, interceptors: [held] })
      yield* shakeHands(connection)
      const call = yield* Effect.forkChild(connection.exchange(list(1), deaf), { startImmediately: true })
      yield* Fiber.interrupt(call)
      expect(seen.length).toBe(2)
    })
  )

  it.effect("takes a second at most", () =>
    Effect.gen(function* () {
      const { client, seen } = memory((request, message) => greeting(request, message) ?? Effect.never)
      const connection = yield* connect("http://a.test/mcp", { client })
      yield* shakeHands(connection)
      const call = yield* Effect.forkChild(connection.exchange(list(1), deaf), { startImmediately: true })
      const ending = yield* Effect.forkChild(Fiber.interrupt(call), { startImmediately: true })
      yield* TestClock.adjust(1_000)
      yield* Fiber.join(ending)
      expect(seen.length).toBe(4)
    })
  )
})
