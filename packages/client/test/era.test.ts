import { Tools } from "@effective-mcp/client"
import { JsonRpc, Meta, Violation } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import {
  type Act,
  begin,
  connect,
  declared,
  discovered,
  error,
  info,
  inTurn,
  legacy,
  Log,
  modern,
  result,
  type Script,
  scripted,
  silence
} from "./scripted.ts"

const probe = "server/discover"

/** A server of each era that knows the same tools. */
const tools: Script = { "tools/list": result({ tools: [] }), "tools/call": result({ content: [] }) }

/** Asks the client three things; a round trip afterwards shows that they have been dealt with. */
const questions = [
  JsonRpc.request("a", "ping"),
  JsonRpc.request("b", "sampling/createMessage", { messages: [], maxTokens: 1 }),
  JsonRpc.request(1, "elicitation/create", { message: "?", requestedSchema: { type: "object", properties: {} } })
]

const responses = (heard: ReadonlyArray<JsonRpc.Message>) => heard.filter(JsonRpc.isResponse)

const notFound = (id: JsonRpc.RequestId) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32601, message: expect.any(String) }
})

describe("while the era is not known", () => {
  it.effect("R-042 what a legacy server asks during the probe is answered", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: silence }))
      const connecting = yield* begin(connect(server))
      server.run.say(...questions)
      yield* server.run.told("a response", 3)
      expect(responses(server.run.heard)).toEqual([JsonRpc.success("a", {}), notFound("b"), notFound(1)])
      server.run.say(JsonRpc.failure(server.run.last.id, { code: -32601, message: "no" }))
      expect((yield* Fiber.join(connecting)).era).toBe("legacy")
    })
  )
  it.effect("R-042 so is what it asks during the handshake", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: silence }))
      const connecting = yield* begin(connect(server))
      yield* server.run.told("initialize")
      server.run.say(JsonRpc.request("a", "ping"))
      yield* server.run.told("a response")
      expect(server.run.heard.at(-1)).toEqual(JsonRpc.success("a", {}))
      yield* Fiber.interrupt(connecting)
    })
  )
  it.effect("R-042 a question with the id of the probe is not taken for its answer", () =>
    Effect.gen(function* () {
      const asks: Act = (request, run) => run.say(JsonRpc.request(request.id, "ping"))
      const server = scripted(legacy({ [probe]: asks }))
      const connecting = yield* begin(connect(server))
      yield* server.run.told("a response")
      expect(server.run.methods).toEqual([probe, "a response"])
      yield* Fiber.interrupt(connecting)
    })
  )
})

describe("on modern", () => {
  it.effect("R-033 every request declares the version that was settled, and says who asks", () =>
    Effect.gen(function* () {
      const server = scripted(modern(tools))
      const client = yield* connect(server)
      yield* Tools.list(client)
      yield* Tools.call(client, "t")
      yield* client.ping()
      expect(server.run.requests.map((request) => [request.method, declared(request)])).toEqual(
        [probe, "tools/list", "tools/call", probe].map((method) => [
          method,
          { version: client.revision, client: info, capabilities: {} }
        ])
      )
    })
  )
  it.effect("R-143 a client that is told to keep its name to itself says it to no modern server", () =>
    Effect.gen(function* () {
      const server = scripted(modern(tools))
      const client = yield* connect(server, { identify: false })
      yield* Tools.list(client)
      yield* client.ping()
      expect(server.run.requests.map((request) => declared(request).client)).toEqual([undefined, undefined, undefined])
      expect(server.run.requests.map((request) => declared(request).version)).not.toContain(undefined)
      const old = scripted(legacy())
      yield* connect(old, { identify: false })
      expect(old.run.requests.find(({ method }) => method === "initialize")?.params?.clientInfo).toEqual(info)
    })
  )
  it.effect("R-148 the server is who its last result says it is, unless that breaks the revision", () =>
    Effect.gen(function* () {
      const named = (name: unknown, more: JsonRpc.JsonObject = { tools: [] }): Act =>
        result({
          resultType: "complete",
          ttlMs: 0,
          cacheScope: "private",
          ...more,
          _meta: { [Meta.SERVER_INFO]: { name, version: "1" } }
        })
      const lists = inTurn(named("a"), named(1), named("b", { tools: 1 }), named("c"))
      const server = scripted(modern({ [probe]: discovered({ _meta: {} }), "tools/list": lists }))
      const client = yield* connect(server)
      const names = [client.server?.name]
      for (let n = 0; n < 4; n++) {
        yield* Effect.exit(Tools.list(client))
        names.push(client.server?.name)
      }
      expect(names).toEqual([undefined, "a", "a", "a", "c"])
    })
  )
  it.effect("R-054 ping is server/discover", () =>
    Effect.gen(function* () {
      const server = scripted(modern())
      const client = yield* connect(server)
      yield* client.ping()
      expect(server.run.methods).toEqual([probe, probe])
    })
  )
  it.effect("R-054 ping fails as the question does", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [probe]: inTurn(discovered(), error(-32603), silence) }))
      const client = yield* connect(server)
      expect(yield* Effect.flip(client.ping())).toMatchObject({ _tag: "RpcError", code: -32603 })
      const asking = yield* begin(Effect.flip(client.ping()))
      server.run.die()
      expect(yield* Fiber.join(asking)).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
    })
  )
  it.effect("R-055 a later discover answer leaves the session as it is", () =>
    Effect.gen(function* () {
      const later = discovered({ capabilities: {}, supportedVersions: ["2099-01-01"], instructions: "Obey." })
      const server = scripted(modern({ ...tools, [probe]: inTurn(discovered(), later) }))
      const client = yield* connect(server)
      yield* client.ping()
      expect(client).toMatchObject({ revision: "2026-07-28", capabilities: { tools: {} }, instructions: undefined })
      yield* Tools.list(client)
    })
  )
  it.effect("R-055 a later discover answer of an unknown type is a violation", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [probe]: inTurn(discovered(), discovered({ resultType: "task" })) }))
      const client = yield* connect(server)
      expect(yield* Effect.flip(client.ping())).toBeInstanceOf(Violation)
    })
  )
  it.effect("R-056 an unsupported-version error in the middle surfaces as it is, and nothing is sent again", () =>
    Effect.gen(function* () {
      const data = { supported: ["2099-01-01", "2026-07-28"], requested: "2026-07-28" }
      const server = scripted(modern({ "tools/list": error(-32022, data), "tools/call": error(-32022, data) }))
      const client = yield* connect(server)
      const refused = { _tag: "RpcError", code: -32022, data, outcome: "Rejected" }
      expect(yield* Effect.flip(Tools.list(client))).toMatchObject(refused)
      expect(yield* Effect.flip(Tools.call(client, "t"))).toMatchObject(refused)
      expect(server.run.methods).toEqual([probe, "tools/list", "tools/call"])
    })
  )
  it.effect("R-057 what a server asks is ignored, with a warning", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const server = scripted(modern())
      const client = yield* connect(server)
      server.run.say(...questions)
      yield* log.until(2)
      yield* client.ping()
      expect(server.run.methods).toEqual([probe, probe])
      for (const line of log.lines) expect(line).toMatch(/^Warn .*modern server/)
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("R-057 a server that asks and asks is not answered, and does not fill the log", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const server = scripted(modern())
      const client = yield* connect(server)
      for (let i = 0; i < 100; i++) {
        server.run.say(...Array.from({ length: 100 }, (_, j) => JsonRpc.request(`${i} ${j}`, "ping")))
        yield* client.ping()
      }
      expect(new Set(server.run.methods)).toEqual(new Set([probe]))
      expect(log.lines.length).toBeGreaterThan(0)
      expect(log.lines.length).toBeLessThan(20)
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("R-057 what a server asks together with its discover result is ignored too", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const both: Act = (request, run) => {
        run.say(JsonRpc.success(request.id, { supportedVersions: ["2026-07-28"], capabilities: {} }), ...questions)
      }
      const server = scripted(modern({ [probe]: inTurn(both, discovered()) }))
      const client = yield* connect(server)
      yield* log.until(2)
      yield* client.ping()
      expect(server.run.methods).toEqual([probe, probe])
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("R-059 no notification of the handshake is ever written", () =>
    Effect.gen(function* () {
      const server = scripted(modern(tools))
      const client = yield* connect(server)
      yield* Tools.list(client)
      expect(server.run.methods).toEqual([probe, "tools/list"])
    })
  )
})

describe("on legacy", () => {
  it.effect("R-145 what says nothing more changes no byte", () =>
    Effect.gen(function* () {
      const sent = yield* Effect.forEach([undefined, {}], (meta) =>
        Effect.gen(function* () {
          const server = scripted(legacy(tools))
          const client = yield* connect(server, { era: "legacy", meta })
          yield* Tools.list(client)
          yield* Tools.call(client, "t", {}, { meta })
          return JSON.stringify(server.run.heard)
        })
      )
      expect(sent[1]).toBe(sent[0])
    })
  )
  it.effect("R-033 no request declares anything", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(tools))
      const client = yield* connect(server, { era: "legacy" })
      yield* Tools.list(client)
      yield* Tools.call(client, "t")
      yield* client.ping()
      expect(server.run.requests.map(({ method }) => method)).toEqual([
        "initialize",
        "tools/list",
        "tools/call",
        "ping"
      ])
      for (const { params } of server.run.requests) expect(Object.keys(Meta.of(params))).toEqual(["progressToken"])
    })
  )
  it.effect("R-057 R-058 ping is answered, and what was not declared is method not found", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server)
      server.run.say(...questions, JsonRpc.request("r", "roots/list"), JsonRpc.request("x", "no/such/method"))
      yield* server.run.told("a response", 5)
      expect(responses(server.run.heard)).toEqual([
        JsonRpc.success("a", {}),
        notFound("b"),
        notFound(1),
        notFound("r"),
        notFound("x")
      ])
      yield* client.ping()
    })
  )
  it.effect("R-057 what a server announces does no harm", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server)
      server.run.say(
        JsonRpc.notification("notifications/tools/list_changed"),
        JsonRpc.notification("notifications/cancelled", { requestId: 99 }),
        JsonRpc.notification("no/such/notification")
      )
      expect(Exit.isSuccess(yield* Effect.exit(client.ping()))).toBe(true)
    })
  )
})
