import { Client, type Middleware, Tools } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { info, initialized, legacy, modern, result, scripted } from "./scripted.ts"

const named = (name: string, hints: object = {}) =>
  result({ resultType: "complete", tools: [{ name, inputSchema: { type: "object" } }], ...hints })

const fresh = { ttlMs: 1_000, cacheScope: "public" }

describe("a client", () => {
  it.effect("keeps what stays fresh, tells of it, and forgets it when told to", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/list": named("a", fresh) }))
      const client = yield* Client.connect(server.transport, info)
      yield* Tools.list(client)
      yield* Tools.list(client)
      const asked = () => server.run.methods.filter((method) => method === "tools/list").length
      expect(asked()).toBe(1)
      expect(yield* client.cache.info("tools/list")).toMatchObject({ ttlMs: 1_000, isFresh: true })
      yield* client.cache.invalidate()
      yield* Tools.list(client)
      expect(asked()).toBe(2)
    })
  )
  it.effect("R-121 R-127 keeps a legacy server's list until that says that it has changed", () =>
    Effect.gen(function* () {
      const server = scripted(
        legacy({
          initialize: initialized({ capabilities: { tools: { listChanged: true } } }),
          "tools/list": result({ tools: [{ name: "a", inputSchema: { type: "object" } }] })
        })
      )
      const client = yield* Client.connect(server.transport, info, { era: "legacy" })
      yield* Tools.list(client)
      yield* Tools.list(client)
      const asked = () => server.run.methods.filter((method) => method === "tools/list").length
      expect(asked()).toBe(1)
      const heard = yield* Deferred.make<void>()
      client.hub.onHeard(() => Deferred.doneUnsafe(heard, Effect.void))
      server.run.say({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      yield* Deferred.await(heard)
      yield* Tools.list(client)
      expect(asked()).toBe(2)
    })
  )
  it.effect("R-133 tells of what it keeps, whatever the program says with every request", () =>
    Effect.gen(function* () {
      const { transport } = scripted(modern({ "tools/list": named("a", fresh) }))
      const client = yield* Client.connect(transport, info, { meta: Effect.succeed({ tenant: "a" }) })
      yield* Tools.list(client)
      expect(yield* client.cache.info("tools/list")).toMatchObject({ ttlMs: 1_000, isFresh: true })
      expect(yield* client.cache.info("tools/list", "", { tenant: "b" })).toBeUndefined()
    })
  )
  it.effect("keeps nothing where that is not wanted", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/list": named("a", fresh) }))
      const client = yield* Client.connect(server.transport, info, { cache: false })
      yield* Tools.list(client)
      yield* Tools.list(client)
      expect(server.run.methods.filter((method) => method === "tools/list")).toHaveLength(2)
      expect(yield* client.cache.info("tools/list")).toBeUndefined()
    })
  )
  it.effect("says in every request what the program says", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/list": named("a") }))
      const client = yield* Client.connect(server.transport, info, { meta: Effect.succeed({ tenant: "acme" }) })
      yield* Tools.list(client, {}, { meta: { "com.example/more": 1 } })
      expect(server.run.last.params?._meta).toMatchObject({ tenant: "acme", "com.example/more": 1 })
    })
  )
  it.effect("has middleware around what is asked of it, with the services that it was connected with", () =>
    Effect.gen(function* () {
      class Log extends Context.Service<Log, Array<string>>()("Log") {}
      const log: Array<string> = []
      const middleware: Middleware<Log> = ({ method }, next) =>
        Effect.flatMap(Log, (lines) => {
          lines.push(method)
          return next
        })
      const server = scripted(modern({ "tools/list": named("a", fresh) }))
      const client = yield* Client.connect(server.transport, info, { middleware: [middleware] }).pipe(
        Effect.provideService(Log, log)
      )
      yield* Tools.list(client)
      yield* Tools.list(client)
      expect(log).toEqual(["tools/list", "tools/list"])
    })
  )
  it.effect("R-173 has a session that reaches no later one", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/list": named("a") }))
      const client = yield* Client.connect(server.transport, info)
      const { session } = client
      yield* client.reconnect
      const fiber = yield* Effect.forkChild(Effect.flip(session.request("tools/list", {})))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "TransportError", outcome: "NotSent" })
      expect(server.run.methods).not.toContain("tools/list")
    })
  )
  it("is told at once of options that mean nothing", () => {
    const { transport } = scripted({})
    expect(() => Client.connect(transport, info, { retry: { attempts: -1 } })).toThrow("attempts")
    expect(() => Client.connect(transport, info, { retry: { delay: NaN } })).toThrow("delay")
    expect(() => Client.connect(transport, info, { cache: { staleIfError: -1 } })).toThrow("staleIfError")
  })
})
