import { JsonRpc } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { EventStoreContract, SessionStoreContract } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as TestClock from "effect/testing/TestClock"
import { EventStore, SessionStore } from "../src/server/index.ts"
import * as Host from "./support/host.ts"
import { local } from "./support/local.ts"
import { ask, initialize, JSON_HEADERS, send, served, session } from "./support/wire.ts"

const opening = { headers: JSON_HEADERS, body: JSON.stringify(initialize()) }

describe("an event store in memory", () => {
  for (const { check, name } of EventStoreContract.cases(Effect.sync(() => EventStore.memory()))) {
    it.effect(name, () => check)
  }

  const event = (n: number, data = "x") => ({ id: `s-1.${n}`, data })

  it.effect("keeps a bounded number of events of a stream: the oldest go", () =>
    Effect.gen(function* () {
      const store = EventStore.memory({ events: 3 })
      for (const n of [1, 2, 3, 4, 5]) yield* store.append("s", "s-1", event(n))
      expect(yield* store.after("s", "s-1", "s-1.2")).toBe(undefined)
      expect((yield* store.after("s", "s-1", "s-1.3"))?.length).toBe(2)
    })
  )

  it.effect("keeps a bounded number of bytes: the stream that was silent longest goes, then the oldest events", () =>
    Effect.gen(function* () {
      const store = EventStore.memory({ bytes: 1_600 })
      yield* store.append("s", "s-1", event(1, "x".repeat(300)))
      yield* store.append("t", "t-1", { id: "t-1.1", data: "x".repeat(300) })
      yield* store.append("s", "s-1", event(2, "x".repeat(300)))
      expect(yield* store.after("t", "t-1", "t-1.1")).toBe(undefined)
      expect((yield* store.after("s", "s-1", "s-1.1"))?.length).toBe(1)
      yield* store.append("s", "s-1", event(3, "x".repeat(600)))
      expect(yield* store.after("s", "s-1", "s-1.1")).toBe(undefined)
      expect(yield* store.after("s", "s-1", "s-1.3")).toEqual([])
    })
  )

  it.effect("counts what a stream costs besides its events: many of one small event are bounded too", () =>
    Effect.gen(function* () {
      const store = EventStore.memory({ bytes: 4_000 })
      for (let i = 0; i < 100; i++) yield* store.append("s", `s-${i}`, { id: `s-${i}.1`, data: "" })
      const kept = yield* Effect.forEach(Array.from({ length: 100 }), (_, i) => store.after("s", `s-${i}`, `s-${i}.1`))
      expect(kept.filter((events) => events !== undefined).length).toBeLessThan(10)
      expect(kept[99]).toEqual([])
    })
  )
})

describe("a session store in memory", () => {
  const cases = SessionStoreContract.cases(Effect.sync(SessionStore.memory), { wait: TestClock.adjust })
  for (const { check, name } of cases) it.effect(name, () => check)

  const tool = Tool.make("hello", { description: "Says hello", input: {}, run: () => Effect.succeed("hello") })
  const server = Server.make({ name: "s", version: "1" }, [tool])
  const owner = (request: { header: (name: string) => string | undefined }) => Effect.succeed(request.header("x-me"))

  it.live("S-08 lets another endpoint take up a session, for its owner, until it is ended", () =>
    Effect.gen(function* () {
      const store = SessionStore.memory()
      const [one, two] = [
        yield* served(server, { sessions: { store, owner } }),
        yield* served(server, { sessions: { store, owner } })
      ]
      const opened = yield* session(one, "2025-06-18", { "x-me": "a" })
      const call = JsonRpc.request(1, "tools/call", { name: "hello" })
      const { body } = yield* ask(two, call, opened)
      expect(body.result.content[0].text).toBe("hello")
      expect((yield* ask(two, call, { ...opened, "x-me": "b" })).status).toBe(403)
      expect((yield* ask(two, call, { ...opened, "mcp-protocol-version": "1999-01-01" })).status).toBe(400)
      expect((yield* send(two, { method: "DELETE", headers: opened })).status).toBe(204)
      expect((yield* ask(two, call, opened)).status).toBe(404)
    })
  )

  it.live("S-08 lets another endpoint take up a session once, however many requests of it come at a time", () =>
    Effect.gen(function* () {
      const store = SessionStore.memory()
      const opened = yield* session(yield* served(yield* Host.make, { sessions: { store } }))
      const host = yield* Host.make
      const all = yield* Latch.make()
      let come = 0
      const slow: typeof host = { ...host, converse: (from) => Effect.andThen(all.await, host.converse(from)) }
      const two = yield* served(
        () => {
          if (++come === 8) all.openUnsafe()
          return Effect.succeed(slow)
        },
        { sessions: { store } }
      )
      const ids = [1, 2, 3, 4, 5, 6, 7, 8]
      const answers = yield* Effect.forEach(ids, (id) => ask(two, JsonRpc.request(id, "echo", { id }), opened), {
        concurrency: "unbounded"
      })
      expect(answers.map(({ body }) => body.result.id)).toEqual(ids)
      expect([host.begun(), host.ended()]).toEqual([1, 0])
      expect((yield* send(two, { method: "DELETE", headers: opened })).status).toBe(204)
      expect(host.ended()).toBe(1)
    })
  )

  it.live("S-23 that fails opens no session, and takes no place of any", () =>
    Effect.gen(function* () {
      const kept = SessionStore.memory()
      let isDown = true
      const store: SessionStore.SessionStore = {
        ...kept,
        put: (...entry) => (isDown ? Effect.die("the store is down") : kept.put(...entry))
      }
      const host = yield* Host.make
      const url = yield* served(host, { sessions: { store, most: 1 } })
      for (let i = 0; i < 3; i++) expect((yield* send(url, opening)).status).toBe(500)
      expect([host.begun(), host.ended()]).toEqual([3, 3])
      isDown = false
      yield* session(url)
    })
  )

  it.live("S-23 S-26 lets another endpoint take up no more than it may have: 503, and the session stays kept", () =>
    Effect.gen(function* () {
      const store = SessionStore.memory()
      const opened = yield* session(yield* served(server, { sessions: { store } }))
      const two = yield* served(server, { sessions: { store, most: 1 } })
      const own = yield* session(two)
      const ping = JsonRpc.request(1, "ping")
      expect((yield* ask(two, ping, opened)).status).toBe(503)
      expect((yield* ask(two, ping, own)).status).toBe(200)
      expect((yield* send(two, { method: "DELETE", headers: own })).status).toBe(204)
      expect((yield* ask(two, ping, opened)).status).toBe(200)
    })
  )

  it.effect("keeps a session for as long as it is in use, and no longer", () =>
    Effect.gen(function* () {
      const store = SessionStore.memory()
      const options = { sessions: { store, idleMs: 1_000 } }
      const [one, two] = [yield* local(server, options), yield* local(server, options)]
      const { id } = yield* one(initialize())
      const headers = { "mcp-session-id": id }
      for (let i = 0; i < 6; i++) {
        yield* TestClock.adjust(700)
        expect((yield* one(JsonRpc.request(i, "ping"), headers)).status).toBe(200)
      }
      expect((yield* two(JsonRpc.request(1, "ping"), headers)).status).toBe(200)
      yield* TestClock.adjust(1_001)
      expect((yield* two(JsonRpc.request(2, "ping"), headers)).status).toBe(404)
      expect((yield* one(JsonRpc.request(2, "ping"), headers)).status).toBe(404)
    })
  )
})
