import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ask, failureOf, reach } from "../support/asking.ts"
import { event, nobody, type Reply, result, scripted, type Seen, usual } from "../support/scripted.ts"

/** Answers the POSTs in a way of its own. */
const posting = (answer: (seen: Seen, reply: Reply, stream: Reply) => void) =>
  scripted(
    usual((seen, reply, stream) => {
      if (seen.method !== "POST") return false
      answer(seen, reply, stream)
      return true
    })
  )

const error = (id: unknown, code = -32001) => ({ jsonrpc: "2.0", id, error: { code, message: "no" } })

describe("The answer to a POST over HTTP+SSE", () => {
  for (const [status, outcome] of [
    [400, "Rejected"],
    [401, "Rejected"],
    [403, "Rejected"],
    [408, "Unknown"],
    [429, "Rejected"],
    [500, "Unknown"],
    [503, "Unknown"]
  ] as const) {
    it.live(`LEG-03 status ${status} fails the request at once, and no other`, () =>
      Effect.gen(function* () {
        const server = yield* posting((seen, reply, stream) => {
          if (seen.body.method === "refused") {
            reply.whole(status, { "www-authenticate": 'Bearer realm="x"', "retry-after": "7" }, "<html>")
          } else {
            reply.whole(202)
            if (seen.body.method !== "waits") stream.write(event(result(seen.body.id)))
            else if (server.posts().length > 2) stream.write(event(result(1)))
          }
        })
        const connection = yield* reach(server.url)
        const other = yield* Effect.forkScoped(ask(connection, 1, "waits"))
        yield* Effect.yieldNow
        const failure = yield* failureOf(ask(connection, 2, "refused"))
        expect(failure.reason).toEqual({
          _tag: "HttpStatus",
          status,
          challenge: 'Bearer realm="x"',
          retryAfterMs: 7_000
        })
        expect(failure.outcome).toBe(outcome)
        expect(yield* ask(connection, 3)).toEqual(result(3))
        expect(other.pollUnsafe()).toBeUndefined()
      })
    )
  }

  it.live("LEG-03 status 404 says no more than that, to who has sent nothing before", () =>
    Effect.gen(function* () {
      const server = yield* posting((_seen, reply) => reply.whole(404))
      const connection = yield* reach(server.url)
      const failure = yield* failureOf(ask(connection, 1))
      expect([failure.reason, failure.outcome]).toEqual([{ _tag: "HttpStatus", status: 404 }, "Rejected"])
    })
  )

  it.live("a refused request is not cancelled as well", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply, stream) => {
        if (seen.body.method === "refused") return reply.whole(401)
        reply.whole(202)
        stream.write(event(result(seen.body.id)))
      })
      const connection = yield* reach(server.url)
      yield* failureOf(ask(connection, 1, "refused"))
      yield* ask(connection, 2)
      expect(server.posts().map(({ body }) => body.method)).toEqual(["refused", "ping"])
    })
  )

  it.live("a JSON-RPC error in the body outranks the status", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply) => {
        if (seen.body.id === 1) reply.json(error(1), {}, 400)
        else if (seen.body.id === 2) reply.json({ jsonrpc: "2.0", error: { code: -32600, message: "no" } }, {}, 500)
        else if (seen.body.id === 3) reply.json(error(null, -32700), {}, 400)
        else reply.json(error(77), {}, 400)
      })
      const connection = yield* reach(server.url)
      expect(yield* ask(connection, 1)).toMatchObject({ id: 1, error: { code: -32001 } })
      expect(yield* ask(connection, 2)).toMatchObject({ id: 2, error: { code: -32600 } })
      expect(yield* ask(connection, 3)).toMatchObject({ id: 3, error: { code: -32700 } })
      expect((yield* failureOf(ask(connection, 4))).reason).toMatchObject({ _tag: "HttpStatus", status: 400 })
    })
  )

  it.live("an error in the body that names no id is that of the request, whatever the status", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply) =>
        reply.json(seen.body.id === 1 ? error(null) : { jsonrpc: "2.0", error: { code: -32600, message: "no" } })
      )
      const connection = yield* reach(server.url)
      expect(yield* ask(connection, 1)).toMatchObject({ id: 1, error: { code: -32001 } })
      expect(yield* ask(connection, 2)).toMatchObject({ id: 2, error: { code: -32600 } })
    })
  )

  it.live("a response in the body is taken, and what else is there is not", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply, stream) => {
        if (seen.body.id === 1) return reply.json(result(1, { from: "body" }))
        if (seen.body.id === 2) reply.json({ ok: true })
        else if (seen.body.id === 3) reply.json(result(99, { from: "body" }), {}, 202)
        else if (seen.body.id === 4) reply.whole(200, { "content-type": "text/plain" }, "Accepted")
        else if (seen.body.id === 5) reply.whole(200, { "content-type": "text/event-stream" }, "data: {}\n\n")
        else reply.whole(204)
        stream.write(event(result(seen.body.id, { from: "stream" })))
      })
      const connection = yield* reach(server.url)
      expect(yield* ask(connection, 1)).toEqual(result(1, { from: "body" }))
      for (const id of [2, 3, 4, 5, 6]) expect(yield* ask(connection, id)).toEqual(result(id, { from: "stream" }))
    })
  )

  it.live("a response may come on the stream before its POST is answered, and progress as well", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, _reply, stream) => {
        const { id } = seen.body
        stream.write(event(JsonRpc.notification("notifications/progress", { progressToken: id, progress: 1 })))
        stream.write(event(result(id)))
      })
      const connection = yield* reach(server.url)
      const heard: Array<unknown> = []
      const listener = (said: JsonRpc.Notification | JsonRpc.Request) =>
        Effect.sync(() => void heard.push(said.params?.progress))
      expect(yield* connection.exchange(JsonRpc.request(1, "ping"), listener)).toEqual(result(1))
      expect(heard).toEqual([1])
    })
  )

  it.live("a cancel never goes ahead of the request that it is about", () =>
    Effect.gen(function* () {
      const here = yield* Deferred.make<Reply>()
      const cancelled = yield* Deferred.make<unknown>()
      const server = yield* posting((seen, reply) => {
        if (seen.body.method === "slow") return void Deferred.doneUnsafe(here, Effect.succeed(reply))
        reply.whole(202)
        Deferred.doneUnsafe(cancelled, Effect.succeed(seen.body))
      })
      const connection = yield* reach(server.url)
      const call = yield* Effect.forkScoped(ask(connection, 1, "slow"))
      const reply = yield* Deferred.await(here)
      yield* Fiber.interrupt(call)
      expect(server.posts()).toHaveLength(1)
      reply.whole(202)
      expect(yield* Deferred.await(cancelled)).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: 1 }
      })
    })
  )

  it.live("a cancel that is not answered is left after a moment", () =>
    Effect.gen(function* () {
      const left = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      const server = yield* posting((seen, reply) => {
        if (seen.body.method === "notifications/cancelled") reply.onGone(() => Deferred.doneUnsafe(left, Effect.void))
        else {
          reply.whole(202)
          Deferred.doneUnsafe(begun, Effect.void)
        }
      })
      const connection = yield* reach(server.url)
      const call = yield* Effect.forkScoped(ask(connection, 1, "waits"))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(call)
      yield* Effect.timeout(Deferred.await(left), "10 seconds")
    })
  )

  it.live("a session that the server has forgotten ends the connection, and all that waits", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply, stream) => {
        if (seen.body.method === "late") return reply.json(error(seen.body.id), {}, 404)
        reply.whole(202)
        if (seen.body.method === "ping") stream.write(event(result(seen.body.id)))
      })
      const connection = yield* reach(server.url)
      yield* ask(connection, 1)
      const waits = yield* Effect.forkScoped(failureOf(ask(connection, 2, "waits")))
      yield* ask(connection, 3)
      const late = yield* failureOf(ask(connection, 4, "late"))
      expect([late.reason._tag, late.outcome]).toEqual(["SessionExpired", "Rejected"])
      const other = yield* Fiber.join(waits)
      expect([other.reason._tag, other.outcome]).toEqual(["SessionExpired", "Unknown"])
      const next = yield* failureOf(ask(connection, 5))
      expect([next.reason._tag, next.outcome]).toEqual(["SessionExpired", "NotSent"])
    })
  )

  it.live("a connection that breaks under a POST fails its request, and nothing else", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply, stream) => {
        const { id, method } = seen.body
        if (method === "cut" || method === "note") return reply.cut()
        reply.whole(202)
        if (method !== "waits") stream.write(event(result(id)))
        if (method === "last") stream.write(event(result(1)))
      })
      const connection = yield* reach(server.url)
      const other = yield* Effect.forkScoped(ask(connection, 1, "waits"))
      yield* ask(connection, 2)
      const cut = yield* failureOf(ask(connection, 3, "cut"))
      expect([cut.reason._tag, cut.outcome]).toEqual(["Unreachable", "Unknown"])
      const note = yield* failureOf(connection.send(JsonRpc.notification("note")))
      expect([note.reason._tag, note.outcome]).toEqual(["Unreachable", "Unknown"])
      yield* ask(connection, 4, "last")
      expect(yield* Fiber.join(other)).toEqual(result(1))
    })
  )

  it.live("a message that the server does not take fails its send", () =>
    Effect.gen(function* () {
      const server = yield* posting((_seen, reply) => reply.whole(403))
      const connection = yield* reach(server.url)
      const failure = yield* failureOf(connection.send(JsonRpc.notification("note")))
      expect(failure.reason).toMatchObject({ _tag: "HttpStatus", status: 403 })
    })
  )

  it.live("nothing that is too long, or no JSON, is sent", () =>
    Effect.gen(function* () {
      const server = yield* scripted(usual())
      const connection = yield* reach(server.url, { messageBytes: 1_000 })
      const long = yield* failureOf(ask(connection, 1, "echo", { text: "é".repeat(500) }))
      expect([long.reason, long.outcome]).toEqual([{ _tag: "TooLarge", limit: 1_000 }, "NotSent"])
      // cast: what no JSON can say
      const none = yield* failureOf(ask(connection, 2, "echo", { n: 1n } as unknown as JsonRpc.JsonObject))
      expect([none.reason._tag, none.outcome]).toEqual(["Unsendable", "NotSent"])
      expect(server.posts()).toEqual([])
    })
  )

  it.live("a body that is too long fails its request", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply, stream) => {
        if (seen.body.id === 1) return reply.json(result(1, { text: "x".repeat(2_000) }))
        reply.whole(202)
        stream.write(event(result(seen.body.id)))
      })
      const connection = yield* reach(server.url, { messageBytes: 1_000 })
      expect((yield* failureOf(ask(connection, 1))).reason).toEqual({ _tag: "TooLarge", limit: 1_000 })
      expect(yield* ask(connection, 2)).toEqual(result(2))
    })
  )

  it.live("names the revision that was agreed on from then on", () =>
    Effect.gen(function* () {
      const server = yield* posting((seen, reply, stream) => {
        reply.whole(202)
        stream.write(event(result(seen.body.id, { protocolVersion: "2025-06-18" })))
      })
      const connection = yield* reach(server.url)
      yield* ask(connection, 1, "initialize")
      yield* ask(connection, 2)
      expect(server.posts().map(({ headers }) => headers["mcp-protocol-version"])).toEqual([undefined, "2025-06-18"])
    })
  )

  it.live("an interceptor sees what is sent, answers by itself, and fails by itself", () =>
    Effect.gen(function* () {
      const server = yield* scripted(usual())
      const url = yield* nobody
      const connection = yield* reach(server.url, {
        interceptors: [
          (request, next) => next({ ...request, headers: { ...request.headers, "x-first": "1" } }),
          (request, next) =>
            String(request.body).includes("unsent")
              ? next({ ...request, url })
              : next({ ...request, headers: { ...request.headers, "x-second": request.headers["x-first"] ?? "" } })
        ]
      })
      yield* ask(connection, 1)
      for (const { headers } of server.seen) expect(headers).toMatchObject({ "x-first": "1", "x-second": "1" })
      const failure = yield* failureOf(ask(connection, 2, "unsent"))
      expect([failure.reason._tag, failure.outcome]).toEqual(["Unreachable", "NotSent"])
      expect(yield* ask(connection, 3)).toEqual(result(3))
    })
  )
})
