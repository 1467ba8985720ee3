import { type Client, Tools } from "@effective-mcp/client"
import { JsonRpc, type Method } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  type Act,
  begin,
  connect,
  death,
  declared,
  discovered,
  error,
  initialized,
  legacy,
  modern,
  result,
  type Run,
  type Script,
  scripted,
  silence,
  started,
  pass
} from "./scripted.ts"

const handshake = ["initialize", "notifications/initialized"]
const done = result({ content: [] })
const lists = result({ tools: [] })
const capable = initialized({ capabilities: { tools: {}, resources: { subscribe: true }, logging: {} } })

/** Up for long enough to be started again. */
const longer = TestClock.adjust("6 seconds")

const pinned = (options: Client.Options = {}): Client.Options => ({ era: "legacy", ...options })

describe("a server on a pipe that is gone", () => {
  it.effect("is started again for the next request, which has not been sent yet", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/call": done }))
      const client = yield* connect(server, pinned())
      yield* longer
      server.run.die()
      yield* Effect.yieldNow
      expect(server.runs.length).toBe(1)
      expect(yield* Tools.call(client, "add")).toEqual({ content: [] })
      expect(server.runs.length).toBe(2)
      expect(server.run.methods).toEqual([...handshake, "tools/call"])
    })
  )
  it.effect("gets what can do no harm twice sent again", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": death }), legacy({ "tools/list": lists }))
      const client = yield* connect(server, pinned())
      yield* longer
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
      expect(server.run.methods).toEqual([...handshake, "tools/list"])
    })
  )
  it.effect("never gets a call again that it had: the error says that it may have run", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/call": death }), legacy({ "tools/call": done }))
      const client = yield* connect(server, pinned())
      yield* longer
      const call = Tools.call(client, "add")
      expect(yield* Effect.flip(call)).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
      expect(server.runs.length).toBe(1)
      // running the effect again is how a program sends it again
      expect(yield* call).toEqual({ content: [] })
      expect(server.runs.length).toBe(2)
    })
  )
  it.effect("is started again once for all who wait", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": silence }), legacy({ "tools/list": lists }))
      const client = yield* connect(server, pinned())
      const all = yield* begin(
        Effect.all([Tools.list(client), Tools.list(client), Tools.list(client)], { concurrency: 3 })
      )
      yield* server.run.told("tools/list", 3)
      yield* longer
      server.run.die()
      expect((yield* Fiber.join(all)).length).toBe(3)
      expect(server.runs.length).toBe(2)
      expect(server.run.methods.filter((method) => method === "initialize").length).toBe(1)
    })
  )
  it.effect("gets a request again once, however often it dies of it", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": death }))
      const client = yield* connect(server, pinned({ recover: { uptime: 0 } }))
      expect(yield* Effect.flip(Tools.list(client))).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
      expect(server.runs.length).toBe(2)
    })
  )
  it.effect("is not started again when it was up for less than 5 s", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": lists }))
      const client = yield* connect(server, pinned())
      yield* TestClock.adjust(4_999)
      server.run.die()
      const failure = yield* Effect.flip(Tools.list(client))
      expect(failure).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
      expect(server.runs.length).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
      expect(server.runs.length).toBe(2)
    })
  )
  it.effect("is not started again without leave", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": lists }))
      const client = yield* connect(server, pinned({ recover: false }))
      yield* longer
      server.run.die()
      expect(yield* Effect.flip(Tools.list(client))).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
      expect(client.connected).toBe(false)
      expect(server.runs.length).toBe(1)
      yield* client.connect
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
    })
  )
  it.effect("that cannot be started again is tried five times, and all who wait fail typed", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), legacy({ initialize: death }))
      const client = yield* connect(server, pinned())
      yield* longer
      server.run.die()
      const all = yield* begin(
        Effect.all([Effect.flip(Tools.list(client)), Effect.flip(Tools.call(client, "add"))], { concurrency: 2 })
      )
      yield* pass(30)
      for (const failure of yield* Fiber.join(all))
        expect(failure).toMatchObject({ _tag: "TransportError", outcome: "NotSent" })
      expect(server.runs.length).toBe(6)
      expect(server.runs.every(({ isClosed }, at) => at === 5 || isClosed)).toBe(true)
    })
  )
  it.effect("that comes back as one that cannot be spoken with fails typed, with why", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), legacy({ initialize: error(-32603) }))
      const client = yield* connect(server, pinned())
      yield* longer
      server.run.die()
      const failure = yield* Effect.flip(Tools.list(client))
      expect(failure).toMatchObject({
        _tag: "TransportError",
        outcome: "NotSent",
        reason: { _tag: "Unreachable", cause: { _tag: "RpcError", code: -32603 } }
      })
    })
  )
  it.effect("is noticed by who asks whether it is there, and not started again for that", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server, pinned())
      yield* longer
      server.run.die()
      expect(yield* Effect.flip(client.ping())).toMatchObject({ reason: { _tag: "Closed" } })
      expect(client.connected).toBe(false)
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("is told again what a legacy session has been told", () =>
    Effect.gen(function* () {
      const script: Script = {
        ...legacy({ initialize: capable, "tools/list": lists }),
        "resources/subscribe": result({}),
        "resources/unsubscribe": result({}),
        "logging/setLevel": result({})
      }
      const server = scripted(script)
      const client = yield* connect(server, pinned())
      for (const uri of ["a:1", "a:2", "a:3"]) yield* client.request("resources/subscribe", { uri })
      yield* client.request("resources/unsubscribe", { uri: "a:2" })
      yield* client.request("logging/setLevel", { level: "debug" })
      yield* client.request("logging/setLevel", { level: "error" })
      yield* longer
      server.run.die()
      yield* Tools.list(client)
      expect(server.run.methods).toEqual([
        ...handshake,
        "logging/setLevel",
        "resources/subscribe",
        "resources/subscribe",
        "tools/list"
      ])
      expect(server.run.requests.map(({ params }) => params?.level ?? params?.uri).filter(Boolean)).toEqual([
        "error",
        "a:1",
        "a:3"
      ])
    })
  )
  it.effect("is not told again what it had refused", () =>
    Effect.gen(function* () {
      const server = scripted(
        legacy({ initialize: capable, "resources/subscribe": error(-32002), "tools/list": lists })
      )
      const client = yield* connect(server, pinned())
      yield* Effect.flip(client.request("resources/subscribe", { uri: "a:1" }))
      yield* longer
      server.run.die()
      yield* Tools.list(client)
      expect(server.run.methods).toEqual([...handshake, "tools/list"])
    })
  )
  it.effect("R-173 never hears a request that was made for the session before it, only one of its own", () =>
    Effect.gen(function* () {
      const server = scripted(modern(), legacy({ "tools/call": done }))
      const client = yield* connect(server)
      server.run.stuck = true
      const call = yield* begin(Tools.call(client, "add"))
      yield* client.reconnect
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
      expect(server.runs[0]!.methods).toEqual(["server/discover"])
      expect(server.run.methods).toEqual(["server/discover", ...handshake, "tools/call"])
      expect(declared(server.run.last).version).toBeUndefined()
    })
  )
})

/** A number of runs of a tool, by the call that asked for it, and how a server answers that is restarted under them. */
const counting = () => {
  const ran = new Map<string, number>()
  const act: Act = ({ id, params }, run: Run) => {
    const key = String((params!.arguments as { key: string }).key)
    ran.set(key, (ran.get(key) ?? 0) + 1)
    // every third is never answered, and is open when the server goes
    if (ran.size % 3 !== 0) run.say(JsonRpc.success(id, { content: [] }))
  }
  return { ran, act }
}

describe("a server that is restarted 50 times under 20 clients", () => {
  for (const era of ["legacy", "modern"] as const) {
    it.effect(`FEA-04 has each begin once a restart, runs no call twice, and each call settles: ${era}`, () =>
      Effect.gen(function* () {
        const { act, ran } = counting()
        const complete = { resultType: "complete", tools: [], ttlMs: 0, cacheScope: "private" }
        const opened = era === "legacy" ? initialized() : discovered()
        const script: Script = {
          [era === "legacy" ? "initialize" : "server/discover"]: opened,
          "tools/call": act,
          "tools/list": result(era === "legacy" ? { tools: [] } : complete)
        }
        const servers = Array.from({ length: 20 }, () => scripted(script))
        const clients = yield* Effect.forEach(servers, (server) => connect(server, { era }))
        const settled: Array<string> = []
        const settle = (key: string) => (use: Effect.Effect<unknown, { readonly outcome: string }>) =>
          Effect.matchEffect(use, {
            onFailure: (failure) => Effect.sync(() => void settled.push(`${key} ${failure.outcome}`)),
            onSuccess: () => Effect.sync(() => void settled.push(`${key} done`))
          })
        for (let restart = 1; restart <= 50; restart++) {
          yield* longer
          const calls = yield* Effect.forEach(clients, (client, at) =>
            begin(
              Effect.all(
                [
                  settle(`call ${restart} ${at}`)(Tools.call(client, "inc", { key: `${restart} ${at}` })),
                  settle(`list ${restart} ${at}`)(Tools.list(client)),
                  settle(`call ${restart} ${at} b`)(Tools.call(client, "inc", { key: `${restart} ${at} b` }))
                ],
                { concurrency: 3 }
              )
            )
          )
          yield* Effect.forEach(servers, ({ run }) => run.told("tools/call", 2))
          for (const { run } of servers) run.die()
          yield* Effect.forEach(calls, Fiber.join)
          yield* Effect.forEach(clients, (client) =>
            Effect.all([Tools.list(client), Tools.list(client)], { concurrency: 2 })
          )
          for (const { runs } of servers) expect(runs.length).toBe(restart + 1)
        }
        expect(settled.length).toBe(50 * 20 * 3)
        expect(Math.max(...ran.values())).toBe(1)
        expect(settled.filter((end) => end.startsWith("list") && !end.endsWith("done"))).toEqual([])
        expect(new Set(settled.map((end) => end.split(" ").at(-1)))).toEqual(new Set(["done", "Unknown"]))
        for (const { run, runs } of servers) {
          expect(runs.length).toBe(51)
          expect(
            run.requests.filter(({ method }) => method === "initialize" || method === "server/discover").length
          ).toBe(1)
        }
      })
    )
  }
})

describe("requests of every kind", () => {
  const idempotent: ReadonlyArray<readonly [Method, object]> = [
    ["tools/list", {}],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "a:1" }],
    ["prompts/list", {}],
    ["prompts/get", { name: "p" }],
    ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }],
    ["logging/setLevel", { level: "info" }],
    ["resources/subscribe", { uri: "a:1" }],
    ["resources/unsubscribe", { uri: "a:1" }]
  ]
  for (const [method, params] of idempotent) {
    it.effect(`${method} is sent again after a loss`, () =>
      Effect.gen(function* () {
        const initialize = initialized({
          capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} }
        })
        const server = scripted(
          legacy({ initialize, [method]: death }),
          legacy({ initialize, [method]: error(-32603) })
        )
        const client = yield* connect(server, pinned())
        yield* longer
        // cast: the params of each method, which this list keeps beside its name
        yield* Effect.flip(client.request(method, params as never))
        yield* started(server, 2)
        expect(server.run.methods).toEqual([...handshake, method])
      })
    )
  }
})
