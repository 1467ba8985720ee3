import { Client, Tools } from "@effective-mcp/client"
import { Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  begin,
  connect,
  death,
  discovered,
  error,
  info,
  initialized,
  inTurn,
  legacy,
  modern,
  result,
  scripted,
  silence,
  started
} from "./scripted.ts"

const probe = "server/discover"
const handshake = ["initialize", "notifications/initialized"]
const tools = { "tools/list": result({ tools: [] }) }

describe("a client", () => {
  it.effect("T-03 comes to terms with whatever its transport reaches, each time it is run", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), modern())
      const client = yield* connect(server)
      expect(client.era).toBe("legacy")
      yield* client.reconnect
      expect(client.era).toBe("modern")
      expect(server.runs.map(({ isClosed }) => isClosed)).toEqual([true, true, false])
    })
  )
  it.effect("C-02 C-06 keeps what the handshake said", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: initialized({ instructions: "Be kind." }), ...tools }))
      const client = yield* connect(server, { era: "legacy" })
      yield* Tools.list(client)
      expect(client.server).toMatchObject({ version: "4.5.6" })
      expect(client.instructions).toBe("Be kind.")
      expect(server.run.methods).toEqual([...handshake, "tools/list"])
    })
  )
  it.effect("C-03 says who it is, and what it speaks", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: initialized({ protocolVersion: "2025-06-18" }) }))
      yield* connect(server, { revision: "2025-06-18" })
      expect(server.run.requests[0]!.params).toMatchObject({
        clientInfo: info,
        protocolVersion: "2025-06-18",
        capabilities: {}
      })
    })
  )
  it.effect("C-04 that is connected sends nothing to connect", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server, { era: "legacy" })
      yield* client.connect
      yield* client.connect
      expect(server.run.methods).toEqual(handshake)
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("C-05 that was closed has let go of its server, and sends nothing", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(tools))
      const client = yield* connect(server, { era: "legacy" })
      expect(client.connected).toBe(true)
      yield* client.close
      expect(client.connected).toBe(false)
      expect(server.run.isClosed).toBe(true)
      const failure = yield* Effect.flip(Tools.list(client))
      expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" }, outcome: "NotSent" })
      expect(yield* Effect.flip(client.ping())).toMatchObject({ outcome: "NotSent" })
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("C-05 shakes hands again when it is connected after that", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(tools))
      const client = yield* connect(server, { era: "legacy" })
      yield* client.close
      yield* client.connect
      expect(client.connected).toBe(true)
      expect(server.runs.length).toBe(2)
      expect(server.run.methods).toEqual(handshake)
      yield* Tools.list(client)
    })
  )
  it.effect("C-05 ends what is open when it is closed, without beginning anew", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": silence }))
      const client = yield* connect(server, { era: "legacy" })
      const listing = yield* begin(Effect.flip(Tools.list(client)))
      yield* client.close
      expect(yield* Fiber.join(listing)).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("is connected anew once for all who ask at the same time", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), legacy({ initialize: silence }))
      const client = yield* connect(server, { era: "legacy" })
      const all = yield* begin(Effect.all([client.reconnect, client.reconnect, client.connect], { concurrency: 3 }))
      yield* started(server, 2)
      yield* server.run.told("initialize")
      server.run.answer({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "x", version: "1" } })
      yield* Fiber.join(all)
      expect(server.runs.length).toBe(2)
      expect(client.server?.name).toBe("x")
    })
  )
  it.effect("lets go of the server before it connects anew", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server, { era: "legacy" })
      yield* client.reconnect
      expect(server.run.besides).toBe(0)
    })
  )
  it.effect("that is closed while it connects anew stays closed", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), legacy({ initialize: silence }))
      const client = yield* connect(server, { era: "legacy" })
      const again = yield* begin(Effect.flip(client.reconnect))
      yield* started(server, 2)
      yield* server.run.told("initialize")
      yield* client.close
      expect(yield* Fiber.join(again)).toMatchObject({ reason: { _tag: "Closed" } })
      expect(client.connected).toBe(false)
      expect(server.runs.every(({ isClosed }) => isClosed)).toBe(true)
    })
  )
  it.effect("ends with its scope, for good", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(tools))
      const scope = yield* Scope.make()
      const client = yield* connect(server, { era: "legacy" }).pipe(Scope.provide(scope))
      yield* Scope.close(scope, Exit.void)
      expect(client.connected).toBe(false)
      expect(server.run.isClosed).toBe(true)
      for (const use of [Tools.list(client), client.reconnect, client.connect])
        expect(yield* Effect.flip<unknown, unknown, never>(use)).toMatchObject({ outcome: "NotSent" })
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("that could not connect leaves nothing", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: error(-32603) }))
      yield* Effect.flip(connect(server, { era: "legacy" }))
      expect(server.runs.map(({ isClosed }) => isClosed)).toEqual([true])
    })
  )
  it.effect("that is interrupted while it connects leaves nothing", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: silence }))
      const connecting = yield* begin(connect(server, { era: "legacy" }))
      yield* server.run.told("initialize")
      yield* Fiber.interrupt(connecting)
      expect(server.run.isClosed).toBe(true)
    })
  )
  it.effect("C-10 tells of the session that is spoken, not of the one before", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: initialized({ instructions: "old" }) }), modern())
      const client = yield* connect(server)
      expect([client.era, client.revision, client.instructions]).toEqual(["legacy", "2025-11-25", "old"])
      yield* client.reconnect
      expect([client.era, client.revision, client.instructions]).toEqual(["modern", "2026-07-28", undefined])
    })
  )
})

describe("what is known of a server's era", () => {
  it.effect("DET-01 DET-03 is not asked for again: a legacy server gets the handshake at once", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: silence }))
      const connecting = yield* begin(connect(server, { probeTimeout: "2 seconds" }))
      yield* TestClock.adjust("2 seconds")
      const client = yield* Fiber.join(connecting)
      expect(client.era).toBe("legacy")
      yield* client.reconnect
      expect(server.run.methods).toEqual(handshake)
    })
  )
  it.effect("DET-02 spares a server that dies of the question its second death", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: death }))
      const client = yield* connect(server)
      expect(server.runs.length).toBe(2)
      yield* client.reconnect
      expect(server.runs.length).toBe(3)
      expect(server.run.methods).toEqual(handshake)
    })
  )
  it.effect("is found out anew, once, when the server refuses it", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), { [probe]: discovered() }, { [probe]: discovered() })
      const client = yield* connect(server)
      yield* client.reconnect
      expect(client.era).toBe("modern")
      expect(server.runs.map(({ methods }) => methods)).toEqual([[probe, ...handshake], ["initialize"], [probe]])
    })
  )
  it.effect("is asked for with each session of a modern server, which may have become another", () =>
    Effect.gen(function* () {
      const server = scripted(modern(), modern({ [probe]: discovered({ instructions: "new" }) }), legacy())
      const client = yield* connect(server)
      yield* client.reconnect
      expect(client.instructions).toBe("new")
      yield* client.reconnect
      expect(client.era).toBe("legacy")
      expect(server.run.methods).toEqual([probe, ...handshake])
    })
  )
})

describe("answers to initialize", () => {
  for (const [name, protocolVersion] of [
    ["a version that nobody knows", "2099-01-01"],
    ["no version", undefined],
    ["null", null],
    ["a number", 5]
  ] as const) {
    it.effect(`LIF-01 with ${name} end in a typed error and a closed connection`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ initialize: initialized({ protocolVersion }) }))
        const failure = yield* Effect.flip(connect(server, { era: "legacy" }))
        expect(["NoCommonRevision", "Violation"]).toContain(failure._tag)
        expect(server.run.methods).toEqual(["initialize"])
        expect(server.run.isClosed).toBe(true)
      })
    )
  }
  it.effect("LIF-04 may come after notifications, which are let pass", () =>
    Effect.gen(function* () {
      const server = scripted(
        legacy({
          initialize: (request, run) => {
            run.say(
              { jsonrpc: "2.0", method: "notifications/resources/list_changed" },
              { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } },
              { jsonrpc: "2.0", method: "notifications/of/tomorrow" }
            )
            initialized()(request, run)
          }
        })
      )
      const client = yield* connect(server, { era: "legacy" })
      yield* client.ping()
      expect(client.era).toBe("legacy")
      expect(server.run.methods).toEqual([...handshake, "ping"])
    })
  )
})

describe("responses", () => {
  it.effect("RPC-11 that are none fail their own request once, and the connection stays", () =>
    Effect.gen(function* () {
      const raw = (text: string) => (request: { readonly id: string | number }, run: { say: (line: string) => void }) =>
        run.say(text.replace("ID", JSON.stringify(request.id)))
      const server = scripted(
        legacy({
          "tools/list": inTurn(
            raw('{"jsonrpc":"2.0","id":ID,"result":null}'),
            raw('{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}'),
            raw('{"jsonrpc":"2.0","id":ID}'),
            raw('{"jsonrpc":"2.0","id":ID,"error":{"code":"a","message":5}}'),
            result({ tools: [] })
          )
        })
      )
      const client = yield* connect(server, { era: "legacy" })
      for (let i = 0; i < 4; i++) {
        const failure = yield* Effect.flip(Tools.list(client))
        expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Malformed", id: server.run.last.id } })
      }
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("RPC-09 that nobody asked for are dropped, however many", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": silence }))
      const client = yield* connect(server, { era: "legacy" })
      const listing = yield* begin(Tools.list(client))
      yield* server.run.told("tools/list")
      for (let from = 0; from < 100_000; from += 10_000) {
        server.run.say(
          ...Array.from({ length: 10_000 }, (_, n) => `{"jsonrpc":"2.0","id":${1e6 + from + n},"result":{}}`)
        )
        yield* Effect.yieldNow
      }
      server.run.answer({ tools: [] })
      expect(yield* Fiber.join(listing)).toEqual({ tools: [] })
    })
  )
})

describe("a server that asks a great deal", () => {
  it.effect("CON-06 is answered within bounds, and holds up no call", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(tools))
      const client = yield* connect(server, { era: "legacy" })
      const ask = (method: string, from: number) =>
        server.run.say(
          ...Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ jsonrpc: "2.0", id: from + n, method }))
        )
      ask("elicitation/create", 0)
      ask("ping", 100_000)
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
      yield* server.run.told("a response", 40_000)
      const answers = server.run.heard.filter((message) => !("method" in message))
      expect(answers.length).toBe(40_000)
      expect(answers.filter((answer) => "result" in answer).length).toBe(20_000)
    })
  )
})

describe("a client in its turn", () => {
  it.live("keeps nothing of the sessions that are over", () =>
    Effect.gen(function* () {
      let open = 0
      const transport = Effect.gen(function* () {
        open++
        yield* Effect.addFinalizer(() => Effect.sync(() => open--))
        return yield* scripted(legacy()).transport
      })
      const client = yield* Client.connect(transport, info, { era: "legacy" })
      for (let i = 0; i < 100; i++) yield* client.reconnect
      expect(open).toBe(1)
    })
  )
  it.effect("waits no longer for its wire to open than for a response", () =>
    Effect.gen(function* () {
      const never = yield* begin(Effect.flip(Client.connect(Effect.never, info, { era: "legacy", timeout: 300 })))
      yield* TestClock.adjust(300)
      expect(yield* Fiber.join(never)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 300 }, outcome: "NotSent" })
    })
  )
  it.effect("is held up by no wire that does not open: what asks next gets another one", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ "tools/list": death }), legacy(tools))
      let runs = 0
      const transport = Effect.suspend(() => (++runs === 2 ? Effect.never : server.transport))
      const options = { era: "legacy", timeout: 300, totalTimeout: 400, recover: { uptime: 0 } } as const
      const client = yield* Client.connect(transport, info, options)
      const list = yield* begin(Effect.flip(Tools.list(client)))
      yield* TestClock.adjust(400)
      expect(yield* Fiber.join(list)).toMatchObject({ _tag: "TransportError" })
      yield* TestClock.adjust("10 seconds")
      expect((yield* Tools.list(client)).tools).toEqual([])
      expect(runs).toBe(3)
    })
  )
  it.effect("C-25 needs no wire of a kind: a bare pipe will do", () =>
    Effect.gen(function* () {
      const silent = Peer.make({ incoming: Stream.toPull(Stream.empty), send: () => Effect.void })
      expect(yield* Effect.flip(Client.connect(silent, info, { era: "legacy" }))).toMatchObject({
        reason: { _tag: "Closed" }
      })
    })
  )
})
