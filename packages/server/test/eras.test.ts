import { Call, Server, Tool } from "@effective-mcp/server"
import { JsonRpc, local, Meta, Peer } from "@effective-mcp/protocol"
import { pair } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { clientInfo, info, initialize, modern, wire } from "./wire.ts"

const hello = Tool.make("hello", { run: () => Effect.succeed("Hello") })
const server = Server.make(info, [hello])

const isModern = (result: JsonRpc.JsonObject): boolean => result.resultType === "complete"

describe("both eras on one pipe", () => {
  it.effect("each message is served in its own, and nothing is ever locked", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(isModern(yield* result("tools/list", modern()))).toBe(true)
      expect(isModern(yield* result("tools/list"))).toBe(false)
      yield* result("initialize", initialize)
      expect(isModern(yield* result("tools/list", modern()))).toBe(true)
      expect(isModern(yield* result("tools/list"))).toBe(false)
      expect(isModern(yield* result("server/discover", modern()))).toBe(true)
      yield* result("initialize", initialize)
      expect(yield* result("ping")).toEqual({})
      expect(isModern(yield* result("tools/call", modern({ name: "hello" })))).toBe(true)
    })
  )
  it.effect("the era of a request is told by _meta first, then by initialize", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(server)
      expect(yield* error("initialize", modern(initialize))).toMatchObject({ code: -32601 })
      expect(yield* error("ping", modern())).toMatchObject({ code: -32601 })
      expect(yield* result("initialize", initialize)).toMatchObject({ protocolVersion: "2025-11-25" })
    })
  )
  it.effect("run side by side: what one client said is not known to the other", () =>
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const both = yield* Deferred.make<void>()
      const tool = Tool.make("t", {
        run: Effect.fnUntraced(function* () {
          const { client } = yield* Call
          if (seen.push(client?.name) === 2) yield* Deferred.succeed(both, undefined)
          yield* Deferred.await(both)
          return ""
        })
      })
      const { answerTo, result, say } = yield* wire(Server.make(info, [tool]))
      yield* result("initialize", initialize)
      const other = { [Meta.CLIENT_INFO]: { name: "other", version: "1" } }
      yield* say(
        JsonRpc.request(1, "tools/call", { name: "t" }),
        JsonRpc.request(2, "tools/call", modern({ name: "t" }, other))
      )
      expect(yield* answerTo(1)).toEqual(JsonRpc.success(1, { content: [{ type: "text", text: "" }] }))
      expect(yield* answerTo(2)).toMatchObject({ result: { resultType: "complete" } })
      expect(seen.toSorted()).toEqual([clientInfo.name, "other"])
    })
  )
})

describe("a server of the modern era alone", () => {
  const only = Server.make(info, [hello], { eras: ["modern"] })

  it.effect("names its versions when it is asked for a handshake", () =>
    Effect.gen(function* () {
      const { error } = yield* wire(only)
      const refusal = yield* error("initialize", initialize)
      expect(refusal).toMatchObject({
        code: -32022,
        data: { supported: ["2026-07-28"], requested: "2025-11-25" },
        message: expect.stringContaining("2026-07-28")
      })
    })
  )
  for (const [what, protocolVersion, requested] of [
    ["long", "9".repeat(1_000_000), `${"9".repeat(100)}…`],
    ["no text", { toString: 1, valueOf: 1 }, ""],
    ["absent", undefined, ""]
  ] as const) {
    it.effect(`names its versions, whatever version a handshake asks for: ${what}`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(only)
        const refusal = yield* error("initialize", { ...initialize, protocolVersion })
        expect(refusal).toMatchObject({ code: -32022, data: { supported: ["2026-07-28"], requested } })
      })
    )
  }
  it.effect("lists nothing else as spoken", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(only)
      expect(yield* result("server/discover", modern())).toMatchObject({ supportedVersions: ["2026-07-28"] })
      const legacy = modern({}, { [Meta.PROTOCOL_VERSION]: "2025-11-25" })
      expect(yield* error("tools/list", legacy)).toMatchObject({
        code: -32022,
        data: { supported: ["2026-07-28"], requested: "2025-11-25" }
      })
    })
  )
  for (const method of ["ping", "tools/list", "tools/call", "no/such/method"]) {
    it.effect(`rejects a bare request: ${method}`, () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(only)
        expect(yield* error(method, { name: "hello" })).toMatchObject({
          code: -32602,
          message: expect.stringContaining(Meta.PROTOCOL_VERSION)
        })
        yield* result("tools/call", modern({ name: "hello" }))
      })
    )
  }
})

describe("a server of the legacy era alone", () => {
  const only = Server.make(info, [hello], { eras: ["legacy"] })

  for (const method of ["server/discover", "tools/list", "tools/call"]) {
    it.effect(`says nothing to a modern request that a modern server would say: ${method}`, () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(only)
        expect(yield* error(method, modern({ name: "hello" }))).toEqual({
          code: -32601,
          message: expect.stringContaining(method)
        })
        yield* result("initialize", initialize)
        yield* result("tools/call", { name: "hello" })
      })
    )
  }
})

describe("one server value", () => {
  it.effect("S-01 is served over a pipe of lines, a pair in memory and no wire at all, at the same time", () =>
    Effect.gen(function* () {
      const lines = yield* wire(server)
      const [near, far] = yield* pair()
      yield* Effect.forkScoped(Peer.host(far, server))
      const peer = yield* Peer.make(near)
      const direct = yield* local(server.modern)
      const call = JsonRpc.request(1, "tools/call", modern({ name: "hello" }))
      const answers = [
        yield* lines.ask("tools/call", modern({ name: "hello" })),
        yield* peer.exchange(call, () => Effect.void),
        yield* direct.exchange(call, () => Effect.void)
      ]
      for (const answer of answers) {
        expect(answer).toMatchObject({ result: { content: [{ type: "text", text: "Hello" }] } })
      }
    })
  )
  it.effect("keeps apart the clients of its pipes", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* wire(server), yield* wire(server)]
      yield* one.result("initialize", initialize)
      yield* two.result("tools/list", modern())
      yield* one.close
      expect(yield* two.result("ping")).toEqual({})
    })
  )
  it("says what it is without being served", () => {
    expect(server.info).toEqual(info)
    expect(server.capabilities).toEqual({ tools: {} })
  })
})
