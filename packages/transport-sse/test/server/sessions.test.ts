import { JsonRpc, Principal } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { Fixture } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Unverified, type Verify } from "../../src/server/index.ts"
import { local, turn } from "../support/local.ts"

const echo = (id: JsonRpc.RequestId = 1) => JsonRpc.request(id, "echo", { id })

/** Who bears `Bearer name`. */
const principal: Verify = (asked) => {
  const [scheme, subject = ""] = (asked.header("authorization") ?? "").split(" ")
  return scheme === "Bearer"
    ? Effect.succeed({ subject, scopes: [] })
    : Effect.fail(new Unverified({ challenge: 'Bearer realm="tests"' }))
}
const as = (who: string) => ({ authorization: `Bearer ${who}` })

/** A tool that waits for ever, and what tells that it has begun and ended. */
const waiting = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  const ended = yield* Deferred.make<void>()
  const go = yield* Deferred.make<void>()
  const wait = Tool.make("wait", {
    run: () =>
      Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Deferred.await(go)),
        Effect.as("done"),
        Effect.ensuring(Deferred.succeed(ended, undefined))
      )
  })
  return {
    server: Server.make({ name: "s", version: "1" }, [wait]),
    call: JsonRpc.request("w", "tools/call", { name: "wait" }),
    begun: Deferred.await(begun),
    ended: Deferred.await(ended),
    go: Deferred.succeed(go, undefined)
  }
})

describe("A session over HTTP+SSE", () => {
  it.effect("LEG-05 is found by its own name only, and is its owner's", () =>
    Effect.gen(function* () {
      const whoami = Tool.make("whoami", { run: () => Effect.map(Principal, ({ subject }) => subject) })
      const { ask, get, open } = yield* local(Server.make({ name: "s", version: "1" }, [whoami]), { principal })
      const call = JsonRpc.request(1, "tools/call", { name: "whoami" })
      const stream = yield* open(as("a"))
      const [path = "", id = ""] = stream.to.split("?sessionId=")
      expect((yield* ask(path, call, as("a"))).status).toBe(400)
      expect((yield* ask(`${path}?sessionId=`, call, as("a"))).status).toBe(400)
      expect((yield* ask(`${stream.to}&sessionId=${id}`, call, as("a"))).status).toBe(400)
      expect((yield* ask(`${path}?sessionid=${id}`, call, as("a"))).status).toBe(400)
      expect((yield* ask(`${path}?sessionId=${crypto.randomUUID()}`, call, as("a"))).status).toBe(404)
      expect((yield* ask(stream.to, call, as("b"))).status).toBe(403)
      const unknown = yield* ask(stream.to, call)
      expect([unknown.status, unknown.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="tests"'])
      expect((yield* get()).status).toBe(401)
      // nothing of all that has come to the stream
      expect((yield* ask(stream.to, call, as("a"))).status).toBe(202)
      expect(yield* stream.message).toMatchObject({ id: 1, result: { content: [{ text: "a" }] } })
      yield* stream.leave
    })
  )

  it.effect("LEG-05 belongs to whom the program says, and to the page that opened it", () =>
    Effect.gen(function* () {
      const [one, two] = ["https://one.example", "https://two.example"]
      const { ask, open } = yield* local(yield* Fixture.make, {
        cors: { origins: [one, two] },
        sessions: {
          owner: (request) => Effect.succeed(request.header("x-tenant")),
          admit: (request) => Effect.succeed(request.header("x-bad") === undefined)
        }
      })
      const { leave, to } = yield* open({ "x-tenant": "1", origin: one })
      const statusOf = (headers: Record<string, string>) => Effect.map(ask(to, echo(), headers), ({ status }) => status)
      expect(yield* statusOf({ "x-tenant": "2" })).toBe(403)
      expect(yield* statusOf({})).toBe(403)
      expect(yield* statusOf({ "x-tenant": "1", origin: two })).toBe(403)
      expect(yield* statusOf({ "x-tenant": "1", "x-bad": "1" })).toBe(403)
      expect(yield* statusOf({ "x-tenant": "1", origin: one })).toBe(202)
      yield* leave
    })
  )

  it.effect("ends with its stream: what runs in it is interrupted, and its name is nobody's", () =>
    Effect.gen(function* () {
      const { begun, call, ended, server } = yield* waiting
      const { ask, open } = yield* local(server)
      const stream = yield* open()
      yield* ask(stream.to, call)
      yield* begun
      yield* stream.leave
      yield* ended
      expect((yield* ask(stream.to, echo())).status).toBe(404)
    })
  )

  it.effect("is one of a bounded number: the next is refused with 503 until one has gone", () =>
    Effect.gen(function* () {
      const { ask, get, open } = yield* local(yield* Fixture.make, { sessions: { most: 2 } })
      const [first, second] = [yield* open(), yield* open()]
      expect((yield* get()).status).toBe(503)
      yield* first.leave
      yield* turn
      const third = yield* open()
      for (const { message, to } of [second, third]) {
        yield* ask(to, echo(to))
        expect(yield* message).toMatchObject({ id: to })
      }
      yield* Effect.all([second.leave, third.leave])
    })
  )

  it.effect("ends when nothing has been said in it for half an hour, and not while something runs", () =>
    Effect.gen(function* () {
      const { begun, call, go, server } = yield* waiting
      const { ask, open } = yield* local(server, { keepAliveMs: Infinity })
      const stream = yield* open()
      yield* TestClock.adjust("20 minutes")
      yield* ask(stream.to, call)
      yield* begun
      yield* TestClock.adjust("2 hours")
      yield* go
      expect(yield* stream.message).toMatchObject({ id: "w" })
      yield* TestClock.adjust("29 minutes")
      expect((yield* ask(stream.to, JsonRpc.request(2, "ping"))).status).toBe(202)
      expect(yield* stream.message).toMatchObject({ id: 2 })
      yield* TestClock.adjust("31 minutes")
      expect(yield* stream.next).toBeUndefined()
      expect((yield* ask(stream.to, echo())).status).toBe(404)
    })
  )

  it.effect("makes room for the next when it has idled", () =>
    Effect.gen(function* () {
      const { open } = yield* local(yield* Fixture.make, {
        keepAliveMs: Infinity,
        sessions: { most: 1, idleMs: 1_000, reaperMs: 1_000_000 }
      })
      const first = yield* open()
      yield* TestClock.adjust(999)
      expect((yield* open()).status).toBe(503)
      yield* TestClock.adjust(1)
      expect(yield* first.next).toBeUndefined()
      const second = yield* open()
      expect(second.status).toBe(200)
      yield* second.leave
    })
  )

  it.effect("of which each has its own host, where one is made for each", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* local((request) =>
        Effect.succeed(
          Server.make({ name: request.header("x-tenant") ?? "", version: "1" }, [
            Tool.make("who", { run: () => Effect.succeed(request.header("x-tenant") ?? "") })
          ])
        )
      )
      for (const tenant of ["1", "2"]) {
        const { leave, message, to } = yield* open({ "x-tenant": tenant })
        yield* ask(to, JsonRpc.request(1, "tools/call", { name: "who" }))
        expect(yield* message).toMatchObject({ result: { content: [{ text: tenant }] } })
        yield* leave
      }
    })
  )
})
