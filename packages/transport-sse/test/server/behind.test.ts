import { JsonRpc } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { local, turn } from "../support/local.ts"

const MEGA = 1024 * 1024

/** A server whose answers are long: at once, or all together once they may. */
const makeServer = Effect.map(Deferred.make<void>(), (go) => {
  const said = { answers: 0 }
  const text = (length: number) =>
    Effect.sync(() => {
      said.answers++
      return "x".repeat(length)
    })
  const soon = Tool.make("soon", { run: () => text(MEGA / 8) })
  const late = Tool.make("late", { run: () => Effect.andThen(Deferred.await(go), text(MEGA)) })
  return { server: Server.make({ name: "s", version: "1" }, [soon, late]), said, go: Deferred.succeed(go, undefined) }
})

const call = (id: number, name: string, args: JsonRpc.JsonObject = {}) =>
  JsonRpc.request(id, "tools/call", { name, arguments: args })

describe("A client of HTTP+SSE that does not read", () => {
  it.effect("is answered no further: what it has asked waits until it reads, then all of it is answered", () =>
    Effect.gen(function* () {
      const { said, server } = yield* makeServer
      const { ask, open } = yield* local(server)
      const stream = yield* open()
      for (let id = 0; id < 300; id++) expect((yield* ask(stream.to, call(id, "soon"))).status).toBe(202)
      yield* turn
      expect(said.answers).toBeLessThan(5)
      // but a cancel and the like are heard
      const cancel = JsonRpc.notification("notifications/cancelled", { requestId: 299 })
      expect((yield* ask(stream.to, cancel)).status).toBe(202)
      const ids = new Set<unknown>()
      for (let n = 0; n < 299; n++) ids.add((yield* stream.message).id)
      expect([ids.size, ids.has(299), said.answers]).toEqual([299, false, 299])
      yield* stream.leave
    })
  )

  it.effect("can have no more than 4 MiB of requests wait for that", () =>
    Effect.gen(function* () {
      const { server } = yield* makeServer
      const { ask, open } = yield* local(server)
      const stream = yield* open()
      const heavy = (id: number) => ask(stream.to, call(id, "soon", { text: "x".repeat(MEGA) }))
      const statuses: Array<number> = []
      for (let id = 0; id < 12; id++) statuses.push((yield* heavy(id)).status)
      const taken = statuses.filter((status) => status === 202).length
      expect([taken < 10, statuses.at(-1)]).toEqual([true, 503])
      for (let n = 0; n < taken; n++) yield* stream.message
      expect((yield* heavy(100)).status).toBe(202)
      yield* stream.leave
    })
  )

  it.effect("loses its stream after 5 to 10 s if more than 4 MiB have come to wait for it", () =>
    Effect.gen(function* () {
      const { go, server } = yield* makeServer
      const { ask, open } = yield* local(server)
      const stream = yield* open()
      for (let id = 0; id < 20; id++) yield* ask(stream.to, call(id, "late"))
      yield* go
      yield* turn
      yield* TestClock.adjust("5 seconds")
      yield* turn
      expect((yield* ask(stream.to, JsonRpc.notification("x"))).status).toBe(202)
      yield* TestClock.adjust("5 seconds")
      yield* turn
      expect((yield* ask(stream.to, JsonRpc.notification("x"))).status).toBe(404)
      yield* stream.leave
    })
  )

  it.effect("keeps it if it takes something every now and then, or if less waits", () =>
    Effect.gen(function* () {
      for (const [count, taken] of [
        [20, 1],
        [4, 0]
      ] as const) {
        const { go, server } = yield* makeServer
        const { ask, open } = yield* local(server)
        const stream = yield* open()
        for (let id = 0; id < count; id++) yield* ask(stream.to, call(id, "late"))
        yield* go
        yield* turn
        for (let n = 0; n < 5; n++) {
          for (let m = 0; m < taken; m++) yield* stream.message
          yield* turn
          yield* TestClock.adjust("5 seconds")
          yield* turn
        }
        for (let n = 5 * taken; n < count; n++) yield* stream.message
        expect((yield* ask(stream.to, JsonRpc.notification("x"))).status).toBe(202)
        yield* stream.leave
      }
    })
  )

  it.effect("gets one message of 4 MiB whole, its characters as they were", () =>
    Effect.gen(function* () {
      const text = `${"x".repeat(64 * 1024 - 80)}${"😀é".repeat(600_000)}`
      const tool = Tool.make("long", { run: () => Effect.succeed(text) })
      const { ask, open } = yield* local(Server.make({ name: "s", version: "1" }, [tool]))
      const stream = yield* open()
      yield* ask(stream.to, call(1, "long"))
      yield* turn
      expect(yield* stream.message).toMatchObject({ id: 1, result: { content: [{ type: "text", text }] } })
      yield* stream.leave
    })
  )
})
