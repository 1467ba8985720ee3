import { gzipSync } from "node:zlib"
import { type Connection, type Handler, JsonRpc, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { ClientResponse, connect, from, type Interceptor, type Options, withApiKey } from "../../src/client/plain.ts"
import { initialize, modernMeta } from "../support/wire.ts"
import { json, logs, memory, status } from "./memory.ts"
import { plainly, served } from "./plainServer.ts"
import { event, progress, type Reply, scripted, type Seen } from "./scripted.ts"

const deaf = () => Effect.void
const ask = (id: JsonRpc.RequestId = 1, method = "tools/call") =>
  JsonRpc.request(id, method, { name: "t", _meta: modernMeta })
const done = (id: JsonRpc.RequestId = 1) => ({ jsonrpc: "2.0", id, result: {} })
const tagOf = ({ outcome, reason }: TransportError) => [reason._tag, outcome]
const RPC = "http://a.test/rpc"

/** In the background, up to where it waits. */
const begin = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("plain HTTP", () => {
  it.live("T-50 carries each message as a POST of its own, whose answer is one JSON body", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const handler: Handler = {
        exchange: ({ id, params = {} }) => Effect.succeed(JsonRpc.success(id, params)),
        notify: ({ method }) => Effect.sync(() => void seen.push(method))
      }
      const headers: Array<ReadonlyArray<string | undefined>> = []
      const url = yield* served((request, response) => {
        const names = ["accept", "x-tenant", "mcp-protocol-version", "mcp-method", "mcp-session-id"]
        headers.push([request.method, request.url, ...names.map((name) => request.header(name))])
        return plainly(handler)(request, response)
      })
      const connection = yield* connect(url, { headers: { "X-Tenant": "acme" } })
      expect([headers, connection.wire]).toEqual([[], "http"])
      for (const request of [ask("a"), JsonRpc.request(0, "ping", { text: "ü\u2028\n𝄞" })]) {
        expect(yield* connection.exchange(request, deaf)).toEqual({
          jsonrpc: "2.0",
          id: request.id,
          result: request.params
        })
      }
      yield* connection.send(JsonRpc.notification("notifications/initialized"))
      expect(seen).toEqual(["notifications/initialized"])
      const each = ["POST", "/rpc", "application/json", "acme", undefined, undefined, undefined]
      expect(headers).toEqual([each, each, each])
    })
  )

  it.effect("T-51 takes a key in short, beside other headers", () =>
    Effect.gen(function* () {
      const { client, seen } = memory((_request, { id }) => json(done(id)))
      const keyed = yield* withApiKey(RPC, "secret", { client, headers: { "x-a": "b" } })
      yield* keyed.exchange(ask(), deaf)
      expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer secret", "x-a": "b" })
    })
  )

  it.effect("T-51 is made of what a host's file says", () =>
    Effect.gen(function* () {
      const { client, seen } = memory((_request, { id }) => (id === 2 ? Effect.never : json(done(id))))
      const config = { url: RPC, headers: { Authorization: "Basic x" }, timeout: 5_000, type: "http" }
      const connection = yield* from(config, { client })
      yield* connection.exchange(ask(), deaf)
      expect(seen[0]).toMatchObject({ url: RPC, headers: { authorization: "Basic x" } })
      const call = yield* begin(Effect.flip(connection.exchange(ask(2), deaf)))
      yield* TestClock.adjust(5_000)
      expect((yield* Fiber.join(call)).reason).toEqual({ _tag: "TimedOut", afterMs: 5_000, method: "tools/call" })
      expect((yield* Effect.flip(from({ url: "no address" }))).reason._tag).toBe("Unreachable")
    })
  )

  it.effect("T-30 an address that none can be sent to is a typed failure", () =>
    Effect.gen(function* () {
      for (const url of ["", "/rpc", "ftp://a.test/", "http://user:secret@a.test/"]) {
        const error = yield* Effect.flip(connect(url))
        expect(tagOf(error)).toEqual(["Unreachable", "NotSent"])
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it("refuses at once a bound that is none", () => {
    expect(() => connect(RPC, { depth: 0 })).toThrow("depth")
    for (const timeout of [0, -1, Number.NaN]) {
      expect(() => connect(RPC, { timeout })).toThrow("timeout")
      expect(() => from({ url: RPC, timeout })).toThrow("timeout")
    }
  })
})

describe("the time of a plain request", () => {
  const waiting = Effect.fnUntraced(function* (options: Options, ms: number, before = ms - 1) {
    const connection = yield* connect(RPC, options)
    const call = yield* begin(Effect.flip(connection.exchange(ask(), deaf)))
    yield* TestClock.adjust(before)
    expect(call.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust(ms - before)
    return yield* Fiber.join(call)
  })

  it.effect("T-50 T-32 is 30 s, and may have run", () =>
    Effect.gen(function* () {
      const { client } = memory(() => Effect.never)
      const error = yield* waiting({ client }, 30_000)
      expect(tagOf(error)).toEqual(["TimedOut", "Unknown"])
      expect(error.message).toBe("no answer to tools/call in 30000 ms")
    })
  )
  it.effect("T-50 is what a program says, however much of the answer has come", () =>
    Effect.gen(function* () {
      let isAborted = false
      const { client } = memory(() =>
        Effect.as(
          Effect.addFinalizer(() => Effect.sync(() => void (isAborted = true))),
          {
            ...ClientResponse.make({ status: 200, headers: { "content-type": "application/json" } }),
            whole: () => Effect.never
          }
        )
      )
      expect(tagOf(yield* waiting({ client, timeout: "2 minutes" }, 120_000))).toEqual(["TimedOut", "Unknown"])
      expect(isAborted).toBe(true)
    })
  )
  it.effect("counts what interceptors take: what they have not let through was not sent", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(() => Effect.never)
      expect(tagOf(yield* waiting({ client, interceptors: [() => Effect.never] }, 30_000))).toEqual([
        "TimedOut",
        "NotSent"
      ])
      expect(seen).toEqual([])
    })
  )
  it.effect("may have no bound", () =>
    Effect.gen(function* () {
      const { client } = memory((_request, { id }) => Effect.andThen(Effect.sleep("10 days"), json(done(id))))
      const connection = yield* connect(RPC, { client, timeout: Infinity })
      const call = yield* begin(connection.exchange(ask(), deaf))
      yield* TestClock.adjust("10 days")
      expect(yield* Fiber.join(call)).toEqual(done())
    })
  )
  it.effect("bounds what is no request as well", () =>
    Effect.gen(function* () {
      const { client } = memory(() => Effect.never)
      const connection = yield* connect(RPC, { client })
      const told = yield* begin(Effect.flip(connection.send(JsonRpc.notification("notifications/x"))))
      yield* TestClock.adjust(30_000)
      expect(tagOf(yield* Fiber.join(told))).toEqual(["TimedOut", "Unknown"])
    })
  )
})

describe("interceptors of plain HTTP", () => {
  const tagging =
    (name: string, order: Array<string>): Interceptor =>
    (request, next) =>
      Effect.map(
        Effect.suspend(() => {
          order.push(name)
          return next({ ...request, headers: { ...request.headers, [name]: "1" } })
        }),
        (answer) => {
          order.push(`${name} ${answer.status}`)
          return answer
        }
      )

  it.effect("T-52 T-54 see each request in the order of the list, and its answer before it is read", () =>
    Effect.gen(function* () {
      class Tenant extends Context.Reference<string>("test/PlainTenant", { defaultValue: () => "nobody" }) {}
      const order: Array<string> = []
      const tenant: Interceptor = (request, next) =>
        Effect.flatMap(Tenant, (tenant) => next({ ...request, headers: { ...request.headers, tenant } }))
      const { client, seen } = memory((_request, { id }) => json(done(id)))
      const interceptors = [tagging("a", order), tagging("b", order), tenant]
      const connection = yield* connect(RPC, { client, interceptors })
      yield* Effect.provideService(connection.exchange(ask(), deaf), Tenant, "acme")
      yield* connection.send(JsonRpc.notification("notifications/x"))
      expect(order).toEqual(["a", "b", "b 200", "a 200", "a", "b", "b 200", "a 200"])
      expect(seen.map(({ headers }) => [headers.a, headers.b, headers.tenant])).toEqual([
        ["1", "1", "acme"],
        ["1", "1", "nobody"]
      ])
    })
  )
  it.effect("T-53 may rewrite a request, send it again, or answer without sending it", () =>
    Effect.gen(function* () {
      let turn = 0
      const { client, seen } = memory((_request, { id }) => (++turn < 3 ? status(503) : json(done(id))))
      const again: Interceptor = (request, next) =>
        Effect.flatMap(next({ ...request, url: `${request.url}?v=2` }), (answer) =>
          answer.status === 503 ? again(request, next) : Effect.succeed(answer)
        )
      const connection = yield* connect(RPC, { client, interceptors: [again] })
      expect(yield* connection.exchange(ask(), deaf)).toEqual(done())
      expect(seen.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => `${RPC}?v=2`))
      const kept: Interceptor = () => json(done())
      const offline = yield* connect(RPC, { client, interceptors: [kept] })
      expect(yield* offline.exchange(ask(), deaf)).toEqual(done())
      expect(seen.length).toBe(3)
    })
  )
  it.effect("T-55 set a fresh token for each request in a few lines", () =>
    Effect.gen(function* () {
      let issued = 0
      const freshToken = Effect.sync(() => `t-${++issued}`)
      const signedIn: Interceptor = (request, next) =>
        Effect.flatMap(freshToken, (token) =>
          next({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
        )
      const { client, seen } = memory((_request, { id }) => json(done(id)))
      const connection = yield* connect(RPC, { client, interceptors: [signedIn] })
      yield* connection.exchange(ask(1), deaf)
      yield* connection.exchange(ask(2), deaf)
      expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer t-1", "Bearer t-2"])
      expect(yield* connection.caller ?? Effect.succeed("none")).toBeUndefined()
    })
  )
})

/** What comes of a call that is answered like this; the next one is answered all the same. */
const failing = (answer: (seen: Seen, reply: Reply) => void, options?: Options) =>
  Effect.gen(function* () {
    const server = yield* scripted((seen, reply) => (seen.body.id === 2 ? reply.json(done(2)) : answer(seen, reply)))
    const connection = yield* connect(server.url, options)
    const error = yield* Effect.flip(connection.exchange(ask(), deaf))
    expect(yield* connection.exchange(ask(2), deaf)).toEqual(done(2))
    return error
  })

const JSON_TYPE = { "content-type": "application/json" }

describe("a plain answer that is none", () => {
  const malformed: ReadonlyArray<readonly [string, (seen: Seen, reply: Reply) => void]> = [
    ["202", (_seen, reply) => reply.whole(202, {})],
    ["204", (_seen, reply) => reply.raw("HTTP/1.1 204 X\r\n\r\n")],
    ["an empty 200", (_seen, reply) => reply.whole(200, JSON_TYPE)],
    ["HTML", (_seen, reply) => reply.whole(200, { "content-type": "text/html" }, "<p>hello</p>")],
    ["JSON that is cut off", (_seen, reply) => reply.whole(200, JSON_TYPE, '{"jsonrpc"')],
    ["no UTF-8", (_seen, reply) => reply.whole(200, JSON_TYPE, Uint8Array.of(0x22, 0xff, 0x22))],
    ["a response with another id", (_seen, reply) => reply.json(done("1"))],
    ["a request", (_seen, reply) => reply.json({ jsonrpc: "2.0", id: 1, method: "ping" })],
    ["a batch", (_seen, reply) => reply.json([done()])],
    ["nesting without end", (_seen, reply) => reply.whole(200, JSON_TYPE, "[".repeat(1e5))]
  ]
  for (const [name, answer] of malformed) {
    it.live(`is a typed error of its call alone: ${name}`, () =>
      Effect.map(failing(answer), (error) => expect(tagOf(error)).toEqual(["Malformed", "Unknown"]))
    )
  }
  it.live("is refused where it is an event stream, which is not waited for, and the error says so", () =>
    Effect.gen(function* () {
      const error = yield* failing((_seen, reply) => {
        reply.stream()
        reply.write(event(progress(1)) + event(done()))
      })
      expect(tagOf(error)).toEqual(["Malformed", "Unknown"])
      expect(error.message).toContain("an event stream")
    })
  )
  it.live("fails with the status where that is all that it says, and with its challenge", () =>
    Effect.gen(function* () {
      const challenge = { "www-authenticate": "Bearer realm=x", "retry-after": "7" }
      const { outcome, reason } = yield* failing((_seen, reply) => reply.whole(401, challenge, "a secret"))
      expect([outcome, reason]).toEqual([
        "Rejected",
        { _tag: "HttpStatus", status: 401, challenge: "Bearer realm=x", retryAfterMs: 7_000 }
      ])
      const html = { "content-type": "text/html" }
      for (const [code, outcome] of [
        [404, "Rejected"],
        [408, "Unknown"],
        [500, "Unknown"]
      ] as const) {
        expect(tagOf(yield* failing((_seen, reply) => reply.whole(code, html, "<p>")))).toEqual(["HttpStatus", outcome])
      }
      const another = JSON.stringify({ jsonrpc: "2.0", id: 7, error: { code: -32601, message: "m" } })
      expect(tagOf(yield* failing((_seen, reply) => reply.whole(400, JSON_TYPE, another)))).toEqual([
        "HttpStatus",
        "Rejected"
      ])
    })
  )
  it.live("is an answer where a status of 4xx or 5xx has a JSON-RPC error in its body", () =>
    Effect.gen(function* () {
      for (const code of [400, 404, 500]) {
        for (const id of [1, null, undefined]) {
          const error = { jsonrpc: "2.0", id, error: { code: -32601, message: "m" } }
          const server = yield* scripted((_seen, reply) => reply.json(error, {}, code))
          const connection = yield* connect(server.url)
          expect(yield* connection.exchange(ask(), deaf)).toMatchObject({ id: 1, error: { code: -32601 } })
        }
      }
    })
  )
  it.live("ends at the limit, packed or not, and a request over it is not sent", () =>
    Effect.gen(function* () {
      const options = { messageBytes: 1_000 }
      const large = JSON.stringify({ ...done(), pad: "x".repeat(1_000) })
      const packed = { ...JSON_TYPE, "content-encoding": "gzip" }
      const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024))
      for (const answer of [
        (_seen: Seen, reply: Reply) => reply.whole(200, JSON_TYPE, large),
        (_seen: Seen, reply: Reply) => reply.whole(200, packed, bomb)
      ]) {
        expect(tagOf(yield* failing(answer, options))).toEqual(["TooLarge", "Unknown"])
      }
      const deep = { jsonrpc: "2.0", id: 1, result: { a: { b: { c: {} } } } }
      expect(tagOf(yield* failing((_seen, reply) => reply.json(deep), { depth: 4 }))).toEqual(["Malformed", "Unknown"])
      const { client, seen } = memory(() => status(500))
      const connection = yield* connect(RPC, { client, ...options })
      const long = JsonRpc.request(1, "m", { text: "ü".repeat(600) })
      expect(tagOf(yield* Effect.flip(connection.exchange(long, deaf)))).toEqual(["TooLarge", "NotSent"])
      expect(tagOf(yield* Effect.flip(connection.exchange(JsonRpc.request(1, "m", { n: 1n }), deaf)))).toEqual([
        "Unsendable",
        "NotSent"
      ])
      expect(seen).toEqual([])
    })
  )
  it.live("is not fetched from another origin", () =>
    Effect.gen(function* () {
      const elsewhere = { location: "http://other.test/rpc" }
      expect(tagOf(yield* failing((_seen, reply) => reply.whole(307, elsewhere)))).toEqual(["Redirected", "Rejected"])
      const near = yield* scripted((seen, reply) =>
        seen.path === "/rpc" ? reply.json(done(seen.body.id)) : reply.whole(308, { location: "/rpc" })
      )
      const connection = yield* connect(near.url)
      expect(yield* connection.exchange(ask(), deaf)).toEqual(done())
    })
  )
  it.live("is a typed error where the connection breaks, or nobody is there", () =>
    Effect.gen(function* () {
      expect(tagOf(yield* failing((_seen, reply) => reply.cut()))).toEqual(["Closed", "Unknown"])
      const { port } = yield* Effect.scoped(scripted(() => {}))
      const connection = yield* connect(`http://127.0.0.1:${port}/rpc`)
      expect(tagOf(yield* Effect.flip(connection.exchange(ask(), deaf)))).toEqual(["Unreachable", "NotSent"])
    })
  )
})

describe("batches over plain HTTP", () => {
  const { layer, lines } = logs()
  it.effect("are taken where the handshake has agreed on a revision that has them", () =>
    Effect.gen(function* () {
      for (const [version, isTaken] of [
        ["2025-03-26", true],
        ["2025-06-18", false]
      ] as const) {
        const heard: Array<unknown> = []
        const { client } = memory((_request, message) => {
          const { id, method } = message
          if (method === "initialize") return json(JsonRpc.success(id, { protocolVersion: version }))
          return json([progress(1, id), { jsonrpc: "1.0" }, done(id)])
        })
        const connection = yield* connect(RPC, { client })
        yield* connection.exchange(initialize(version), deaf)
        const listener = (said: unknown) => Effect.sync(() => void heard.push(said))
        const exit = yield* Effect.exit(connection.exchange(JsonRpc.request(1, "tools/list"), listener))
        expect(Exit.isSuccess(exit)).toBe(isTaken)
        expect(heard).toEqual(isTaken ? [progress(1, 1)] : [])
        // a modern request is in a revision of its own
        expect(tagOf(yield* Effect.flip(connection.exchange(ask(), deaf)))).toEqual(["Malformed", "Unknown"])
      }
      expect(lines.length).toBe(1)
    }).pipe(Effect.provide(layer))
  )
})

describe("what is said over plain HTTP outside requests", () => {
  it.effect("is nothing: reading it sends nothing, and waits", () =>
    Effect.gen(function* () {
      const { client, seen } = memory((_request, { id }) => json(done(id)))
      const connection = yield* connect(RPC, { client })
      const pull = yield* connection.incoming
      const said = yield* begin(Effect.exit(pull))
      yield* connection.exchange(initialize(), deaf)
      yield* connection.send(JsonRpc.notification("notifications/initialized"))
      yield* TestClock.adjust("1 day")
      expect([said.pollUnsafe(), seen.length]).toEqual([undefined, 2])
      yield* Fiber.interrupt(said)
    })
  )
  it.live("by a client is a POST whose answer counts by its status alone", () =>
    Effect.gen(function* () {
      const codes = [200, 202, 204, 400, 503]
      const { url } = yield* scripted((seen, reply) => {
        const code = Number(seen.body.params.code)
        if (code === 204) return reply.raw("HTTP/1.1 204 X\r\n\r\n")
        reply.json({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } }, {}, code)
      })
      const connection = yield* connect(url)
      const outcomes = yield* Effect.forEach(codes, (code) =>
        Effect.match(connection.send(JsonRpc.notification("notifications/x", { code })), {
          onFailure: tagOf,
          onSuccess: () => "sent"
        })
      )
      expect(outcomes).toEqual(["sent", "sent", "sent", ["HttpStatus", "Rejected"], ["HttpStatus", "Unknown"]])
    })
  )
})

describe("leaving a plain request", () => {
  /** A server that tells when a request has come, and when its client has gone. */
  const held = Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const gone = yield* Deferred.make<void>()
    const hold = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
    const url = yield* served((request, response) =>
      Effect.ensuring(
        plainly({ exchange: () => hold, notify: deaf })(request, response),
        Deferred.succeed(gone, undefined)
      )
    )
    return { url, begun: Deferred.await(begun), gone: Deferred.await(gone) }
  })
  interface Trial {
    readonly call: Fiber.Fiber<unknown, TransportError>
    readonly connection: Connection
    readonly life: Scope.Closeable
  }
  const stop = TransportError.make({ _tag: "TimedOut", afterMs: 1 })
  const ways: ReadonlyArray<readonly [string, (trial: Trial) => Effect.Effect<unknown>, string | undefined]> = [
    ["interrupting it", ({ call }) => Fiber.interrupt(call), undefined],
    ["ending it from outside", ({ connection }) => Effect.sync(() => connection.abandon?.(1, stop)), "TimedOut"],
    ["closing the scope", ({ life }) => Scope.close(life, Exit.void), "Closed"]
  ]
  for (const [name, leave, tag] of ways) {
    it.live(`aborts it: ${name}`, () =>
      Effect.gen(function* () {
        const server = yield* held
        const life = yield* Scope.fork(yield* Effect.scope)
        const connection = yield* Scope.provide(connect(server.url), life)
        const call = yield* begin(connection.exchange(ask(), deaf))
        yield* server.begun
        yield* leave({ call, connection, life })
        yield* Effect.timeout(server.gone, 5_000)
        const exit = yield* Fiber.await(call)
        expect(Exit.isFailure(exit)).toBe(true)
        if (tag !== undefined) expect(tagOf(yield* Effect.flip(exit))).toEqual([tag, "Unknown"])
      })
    )
  }
  it.effect("for good leaves nothing that can be sent", () =>
    Effect.gen(function* () {
      const { client, seen } = memory((_request, { id }) => json(done(id)))
      const life = yield* Scope.fork(yield* Effect.scope)
      const connection = yield* Scope.provide(connect(RPC, { client }), life)
      yield* Scope.close(life, Exit.void)
      for (const sending of [
        connection.exchange(ask(), deaf),
        connection.send(JsonRpc.notification("notifications/x"))
      ]) {
        expect(tagOf(yield* Effect.flip(Effect.asVoid(sending)))).toEqual(["Closed", "NotSent"])
      }
      expect(seen).toEqual([])
    })
  )
})
