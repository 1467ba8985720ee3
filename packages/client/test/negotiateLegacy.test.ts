import { type ConnectError, NoCommonRevision } from "@effective-mcp/client"
import { JsonRpc, legacyRevisions, RpcError, TransportError, versionsOf, Violation } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import {
  type Act,
  begin,
  closed,
  connect,
  death,
  declared,
  discovered,
  error,
  info,
  initialized,
  inTurn,
  legacy,
  line,
  modern,
  scripted,
  serverInfo,
  silence
} from "./scripted.ts"

const probe = "server/discover"
const handshake = ["initialize", "notifications/initialized"]
const supported = { supported: ["2026-07-28"], requested: "2025-11-25" }

describe("the handshake", () => {
  it.effect("proposes the newest version that has one, and says who asks", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: initialized({ instructions: "Be kind." }) }))
      const client = yield* connect(server)
      const params = server.run.requests[1]!.params
      expect(params).toMatchObject({ protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info })
      expect(declared(server.run.last)).toEqual({ version: undefined, client: undefined, capabilities: undefined })
      expect(client).toMatchObject({
        era: "legacy",
        revision: "2025-11-25",
        server: serverInfo,
        capabilities: { tools: {} },
        instructions: "Be kind."
      })
    })
  )
  it.effect("is over once the server has answered: initialized is sent after that, once", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: silence }))
      const connecting = yield* begin(connect(server))
      yield* server.run.told("initialize")
      expect(server.run.methods).toEqual([probe, "initialize"])
      server.run.answer({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo })
      yield* Fiber.join(connecting)
      expect(server.run.methods).toEqual([probe, ...handshake])
      expect(server.run.heard.at(-1)).toEqual({ jsonrpc: "2.0", method: "notifications/initialized" })
    })
  )
  it.effect("LIF-04 what is said ahead of its result does no harm", () =>
    Effect.gen(function* () {
      const ahead: Act = (request, run) => {
        run.say(
          JsonRpc.notification("notifications/resources/list_changed"),
          JsonRpc.notification("notifications/message", { level: "info", data: "starting" }),
          JsonRpc.notification("notifications/of/nobody", { x: 1 }),
          JsonRpc.notification("notifications/progress", { progressToken: "nobody's", progress: 1 })
        )
        initialized()(request, run)
      }
      const server = scripted(legacy({ initialize: ahead }))
      expect((yield* connect(server)).era).toBe("legacy")
      expect(server.run.methods).toEqual([probe, ...handshake])
    })
  )
  it.effect("R-028 is not cancelled when its time is up", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: silence }))
      const connecting = yield* begin(Effect.flip(connect(server, { era: "legacy" })))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(connecting)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 30_000 } })
      expect(server.run.methods).toEqual(["initialize"])
      expect(server.run.isClosed).toBe(true)
    })
  )

  const unusable: ReadonlyArray<readonly [string, Act, (failure: ConnectError) => boolean]> = [
    ["a version from the future", initialized({ protocolVersion: "2099-01-01" }), (e) => e instanceof NoCommonRevision],
    ["a modern version", initialized({ protocolVersion: "2026-07-28" }), (e) => e instanceof NoCommonRevision],
    ["an empty version", initialized({ protocolVersion: "" }), (e) => e instanceof NoCommonRevision],
    ["no version", initialized({ protocolVersion: undefined }), (e) => e instanceof Violation],
    ["null for a version", initialized({ protocolVersion: null }), (e) => e instanceof Violation],
    ["a number for a version", initialized({ protocolVersion: 20251125 }), (e) => e instanceof Violation],
    ["no capabilities", initialized({ capabilities: undefined }), (e) => e instanceof Violation],
    ["a list of capabilities", initialized({ capabilities: ["tools"] }), (e) => e instanceof Violation],
    ["no name", initialized({ serverInfo: { version: "1" } }), (e) => e instanceof Violation],
    ["a result of an unknown type", initialized({ resultType: "input_required" }), (e) => e instanceof Violation],
    ["null", line(`{"jsonrpc":"2.0","id":ID,"result":null}`), (e) => e instanceof TransportError],
    ["a text", line(`{"jsonrpc":"2.0","id":ID,"result":"2025-11-25"}`), (e) => e instanceof TransportError],
    ["a list", line(`{"jsonrpc":"2.0","id":ID,"result":["2025-11-25"]}`), (e) => e instanceof TransportError],
    ["an error", error(-32602, { supported: ["2024-11-05"], requested: "2025-11-25" }), (e) => e instanceof RpcError]
  ]
  for (const [what, act, isExpected] of unusable) {
    for (const era of ["auto", "legacy"] as const) {
      it.effect(`LIF-01 R-053 answered with ${what} (${era}) is a typed error, and the connection is closed`, () =>
        Effect.gen(function* () {
          const server = scripted(legacy({ initialize: act }))
          const failure = yield* Effect.flip(connect(server, { era }))
          expect(failure).toSatisfy(isExpected)
          expect(server.run.methods).toEqual(era === "auto" ? [probe, "initialize"] : ["initialize"])
          expect(server.run.isClosed).toBe(true)
          expect(server.runs.length).toBe(1)
        })
      )
    }
  }
  it.effect("R-053 a version that is not common names both sides", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: initialized({ protocolVersion: "2099-01-01" }) }))
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toMatchObject({ ours: versionsOf(legacyRevisions), theirs: ["2099-01-01"] })
      expect(failure.message).toContain("2099-01-01")
    })
  )
  it.effect("R-053 a version that is not common is cut when it is long", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: initialized({ protocolVersion: `\n${"9".repeat(1_000_000)}` }) }))
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toMatchObject({ theirs: [`\n${"9".repeat(99)}…`] })
      expect(failure.message).toContain(`the server "\\n${"9".repeat(99)}…". `)
    })
  )
})

describe("a server that is silent", () => {
  it.effect("C-09 R-046 gets the handshake, on the same connection", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: silence }))
      const connecting = yield* begin(connect(server))
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(connecting)).era).toBe("legacy")
      expect(server.run.methods).toEqual([probe, "notifications/cancelled", ...handshake])
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("R-046 and then answers the probe after all: the late answer changes nothing", () =>
    Effect.gen(function* () {
      const late: Act = (request, run) => {
        run.say(JsonRpc.success(run.requests[0]!.id, { supportedVersions: ["2026-07-28"], capabilities: {} }))
        initialized()(request, run)
      }
      const server = scripted(legacy({ [probe]: silence, initialize: late }))
      const connecting = yield* begin(connect(server))
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(connecting)).era).toBe("legacy")
    })
  )
  it.effect("R-051 and then refuses the handshake is asked the modern way once more", () =>
    Effect.gen(function* () {
      const server = scripted({ [probe]: inTurn(silence, discovered()), initialize: error(-32601) })
      const connecting = yield* begin(connect(server))
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(connecting)).era).toBe("modern")
      expect(server.run.methods).toEqual([probe, "notifications/cancelled", "initialize", probe])
    })
  )
  it.effect("R-051 and refuses both: the error is the handshake's, and nothing is asked a third time", () =>
    Effect.gen(function* () {
      const server = scripted({ [probe]: inTurn(silence, error(-32601)), initialize: error(-32000, "busy") })
      const connecting = yield* begin(Effect.flip(connect(server)))
      yield* TestClock.adjust("5 seconds")
      const failure = yield* Fiber.join(connecting)
      expect(failure).toBeInstanceOf(RpcError)
      expect(failure).toMatchObject({ code: -32000, data: "busy" })
      expect(server.run.methods).toEqual([probe, "notifications/cancelled", "initialize", probe])
      expect(server.run.isClosed).toBe(true)
    })
  )
})

describe("a server that refuses the handshake", () => {
  it.effect("R-051 in modern words is asked the modern way", () =>
    Effect.gen(function* () {
      const server = scripted({ [probe]: inTurn(error(-32601), discovered()), initialize: error(-32022, supported) })
      expect((yield* connect(server)).era).toBe("modern")
      expect(server.run.methods).toEqual([probe, "initialize", probe])
    })
  )
  it.effect("R-051 in modern words, with no version of ours, is an end", () =>
    Effect.gen(function* () {
      const server = scripted({ initialize: error(-32022, { supported: ["2099-01-01"], requested: "2025-11-25" }) })
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(failure).toMatchObject({ theirs: ["2099-01-01"] })
      expect(server.run.methods).toEqual([probe, "initialize"])
      expect(server.run.isClosed).toBe(true)
    })
  )
  for (const refusal of [error(-32020), error(-32021, { requiredCapabilities: { sampling: {} } })]) {
    it.effect("R-051 in modern words of any kind is followed by the modern way", () =>
      Effect.gen(function* () {
        const asked = inTurn(error(-32603), discovered())
        const server = scripted({ initialize: refusal, [probe]: asked })
        expect((yield* connect(server)).era).toBe("modern")
        expect(server.run.methods).toEqual([probe, "initialize", probe])
      })
    )
  }
  it.effect("R-051 in modern words is not asked the modern way by a client pinned to legacy", () =>
    Effect.gen(function* () {
      const server = scripted({ ...modern(), initialize: error(-32022, supported) })
      const failure = yield* Effect.flip(connect(server, { era: "legacy" }))
      expect(failure).toMatchObject({ _tag: "RpcError", code: -32022 })
      expect(server.run.methods).toEqual(["initialize"])
      expect(server.run.isClosed).toBe(true)
    })
  )
  it.effect("in other words, after it has answered the probe, is an end", () =>
    Effect.gen(function* () {
      const server = scripted({ initialize: error(-32000) })
      expect(yield* Effect.flip(connect(server))).toMatchObject({ _tag: "RpcError", code: -32000 })
      expect(server.run.methods).toEqual([probe, "initialize"])
      expect(server.run.isClosed).toBe(true)
    })
  )
})

describe("a handshake whose last word does not fit into the wire", () => {
  it.effect("T-02 fails typed when its time is up", () =>
    Effect.gen(function* () {
      const server = scripted(
        legacy({
          initialize: (request, run) => {
            initialized()(request, run)
            run.stuck = true
          }
        })
      )
      const connecting = yield* begin(Effect.flip(connect(server, { era: "legacy" })))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(connecting)).toMatchObject({ reason: { _tag: "TimedOut" }, outcome: "NotSent" })
      expect(server.run.isClosed).toBe(true)
    })
  )
})

describe("a server that dies of the probe", () => {
  it.effect("is started once more and only gets the handshake; the first start has been let go of", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: death }))
      const client = yield* connect(server)
      expect(client.era).toBe("legacy")
      expect(server.runs.map(({ methods }) => methods)).toEqual([[probe], handshake])
      expect(server.runs.map(({ isClosed }) => isClosed)).toEqual([true, false])
      expect(server.runs[1]!.besides).toBe(0)
      yield* client.ping()
    })
  )
  it.effect("and of the handshake too is an end", () =>
    Effect.gen(function* () {
      const server = scripted({ [probe]: death, initialize: death })
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" } })
      expect(server.runs.map(({ methods }) => methods)).toEqual([[probe], ["initialize"]])
      expect(server.runs.every(({ isClosed }) => isClosed)).toBe(true)
    })
  )
  it.effect("is not asked the modern way when it then refuses the handshake", () =>
    Effect.gen(function* () {
      const server = scripted({ [probe]: death, initialize: error(-32022, supported) })
      expect(yield* Effect.flip(connect(server))).toMatchObject({ _tag: "RpcError", code: -32022 })
      expect(server.runs.map(({ methods }) => methods)).toEqual([[probe], ["initialize"]])
    })
  )
  it.effect("R-052 is not started again for a client pinned to modern", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: death }))
      const failure = yield* Effect.flip(connect(server, { era: "modern" }))
      expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" } })
      expect(server.runs.map(({ methods }) => methods)).toEqual([[probe]])
      expect(server.run.isClosed).toBe(true)
    })
  )
  it.effect("R-023 is started once more when it answers the probe and dies before the handshake is answered", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: death }), legacy())
      const client = yield* connect(server)
      expect(client.era).toBe("legacy")
      expect(server.runs.map(({ methods }) => methods)).toEqual([
        [probe, "initialize"],
        ["initialize", "notifications/initialized"]
      ])
      expect(server.runs[0]?.isClosed).toBe(true)
    })
  )
  it.effect("that dies of the handshake each time is not started a third time", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: death }), legacy({ initialize: death }))
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" } })
      expect(server.runs.map(({ methods }) => methods)).toEqual([[probe, "initialize"], ["initialize"]])
    })
  )
  it.effect("is not started again when it was never asked the modern way", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: death }))
      const failure = yield* Effect.flip(connect(server, { era: "legacy" }))
      expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" } })
      expect(server.runs.map(({ methods }) => methods)).toEqual([["initialize"]])
    })
  )
  it.effect("R-050 leaves nothing behind: the next attempt asks in the newest version again", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ initialize: death }), legacy({ initialize: death }), modern())
      yield* Effect.flip(connect(server))
      expect((yield* connect(server)).revision).toBe("2026-07-28")
      expect(server.run.methods).toEqual([probe])
    })
  )
})

describe("a pin", () => {
  it.effect("C-08 R-052 to modern fails against a legacy server, and says which setting would do", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const failure = yield* Effect.flip(connect(server, { era: "modern" }))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(failure).toMatchObject({
        ours: ["2026-07-28"],
        advice: expect.stringMatching(/ legacy server\b.*\bera\b.*"auto"/)
      })
      expect(failure.message).toContain("era")
      expect(server.run.methods).toEqual([probe])
      expect(server.run.isClosed).toBe(true)
    })
  )
  it.effect("C-08 to modern fails against a silent server after 5 s, and calls it silent", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: silence }))
      const connecting = yield* begin(Effect.flip(connect(server, { era: "modern" })))
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(connecting)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 5_000 } })
      expect(server.run.methods).toEqual([probe, "notifications/cancelled"])
    })
  )
  it.effect("C-08 to legacy is not asked the modern way, whatever the server", () =>
    Effect.gen(function* () {
      const server = scripted(modern())
      expect(yield* Effect.flip(connect(server, { era: "legacy" }))).toMatchObject({ code: -32601 })
      expect(server.run.methods).toEqual(["initialize"])
    })
  )
})

describe("a connection that does not come about", () => {
  it.effect("T-02 fails with the transport's own error", () =>
    Effect.gen(function* () {
      const unreachable = new TransportError({
        reason: { _tag: "Unreachable", what: "no-such-command", code: "ENOENT" },
        outcome: "NotSent"
      })
      const server = { ...scripted({}), transport: Effect.fail(unreachable) }
      for (const era of ["auto", "modern", "legacy"] as const) {
        expect(yield* Effect.flip(connect(server, { era }))).toBe(unreachable)
      }
    })
  )
  it.effect("R-005 because it was interrupted leaves nothing open", () =>
    Effect.gen(function* () {
      const server = scripted({ [probe]: silence })
      yield* Fiber.interrupt(yield* begin(connect(server)))
      expect(server.run.isClosed).toBe(true)
      expect(server.run.methods).toEqual([probe, "notifications/cancelled"])
    })
  )
  it.effect("R-031 R-005 because initialized could not be written fails typed, and leaves nothing open", () =>
    Effect.gen(function* () {
      const breaks: Act = (request, run) => {
        initialized()(request, run)
        run.broken = closed
      }
      const server = scripted(legacy({ initialize: breaks }))
      expect(yield* Effect.flip(connect(server))).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" } })
      expect(server.run.isClosed).toBe(true)
    })
  )
  it.effect("T-03 does not come about before it is asked for, and ends with its scope", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const connecting = connect(server)
      expect(server.runs.length).toBe(0)
      const scope = yield* Scope.make()
      const client = yield* Effect.provideService(connecting, Scope.Scope, scope)
      expect(server.run.isClosed).toBe(false)
      yield* Scope.close(scope, Exit.void)
      expect(server.run.isClosed).toBe(true)
      expect(yield* Effect.flip(client.ping())).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
    })
  )
})
