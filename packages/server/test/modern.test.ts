import { Call, Server, Tool } from "@effective-mcp/server"
import { legacyRevisions, Meta, modernRevisions, versionsOf } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clientInfo, info, modern, modernMeta, stamp, wire } from "./wire.ts"

const hello = Tool.make("hello", { run: () => Effect.succeed("Hello") })
const server = Server.make(info, [hello], { instructions: "Be kind." })

/** All that is spoken, newest first. */
const spoken = versionsOf([...modernRevisions, ...legacyRevisions])

const without = (key: string) => {
  const { [key]: _left, ...rest } = { ...modernMeta } as Record<string, unknown>
  return { _meta: rest }
}

describe("a modern request", () => {
  const methods = ["server/discover", "tools/list", "tools/call", "no/such/method"]
  for (const method of methods) {
    it.effect(`without a version is -32602: ${method}`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        expect(yield* error(method, without(Meta.PROTOCOL_VERSION))).toMatchObject({
          code: -32602,
          message: expect.stringContaining(Meta.PROTOCOL_VERSION)
        })
      })
    )
    it.effect(`without the client's capabilities is -32602: ${method}`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        expect(yield* error(method, without(Meta.CLIENT_CAPABILITIES))).toMatchObject({
          code: -32602,
          message: expect.stringContaining(Meta.CLIENT_CAPABILITIES)
        })
      })
    )
    it.effect(`in a version nobody here speaks is -32022, with what is spoken and what was asked: ${method}`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        for (const requested of ["2099-01-01", "", "2025-11-25"]) {
          expect(yield* error(method, modern({}, { [Meta.PROTOCOL_VERSION]: requested }))).toMatchObject({
            code: -32022,
            data: { supported: spoken, requested }
          })
        }
        const long = modern({}, { [Meta.PROTOCOL_VERSION]: "9".repeat(1_000_000) })
        expect(yield* error(method, long)).toMatchObject({ data: { requested: `${"9".repeat(100)}…` } })
      })
    )
  }
  it.effect("without any _meta is -32602 where only the modern era has the method", () =>
    Effect.gen(function* () {
      const { error } = yield* wire(server)
      expect(yield* error("server/discover")).toMatchObject({ code: -32602 })
      expect(yield* error("server/discover", { _meta: null })).toMatchObject({ code: -32602 })
      expect(yield* error("subscriptions/listen", {})).toMatchObject({ code: -32602 })
    })
  )
  const wrong: ReadonlyArray<readonly [string, string, unknown]> = [
    ["a version that is a number", Meta.PROTOCOL_VERSION, 20260728],
    ["a version that is null", Meta.PROTOCOL_VERSION, null],
    ["capabilities that are null", Meta.CLIENT_CAPABILITIES, null],
    ["capabilities that are a list", Meta.CLIENT_CAPABILITIES, []],
    ["a client that is a text", Meta.CLIENT_INFO, "me"],
    ["a client without a version", Meta.CLIENT_INFO, { name: "me" }],
    ["a client that is null", Meta.CLIENT_INFO, null]
  ]
  for (const [what, key, value] of wrong) {
    it.effect(`with ${what} is -32602`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        expect(yield* error("tools/list", modern({}, { [key]: value }))).toMatchObject({ code: -32602 })
      })
    )
  }
  it.effect("without a client is served", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(yield* result("tools/list", without(Meta.CLIENT_INFO))).toMatchObject({ tools: [{ name: "hello" }] })
    })
  )
  it.effect("stands alone: nothing is kept from the one before", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(server)
      yield* result("tools/list", modern())
      expect(yield* error("tools/list", without(Meta.PROTOCOL_VERSION))).toMatchObject({ code: -32602 })
      yield* result("tools/list", modern())
    })
  )
  for (const method of ["ping", "initialize", "logging/setLevel", "resources/list", "subscriptions/listen", ""]) {
    it.effect(`for a method that is not there is -32601: ${JSON.stringify(method)}`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        expect(yield* error(method, modern())).toMatchObject({ code: -32601 })
      })
    )
  }
})

describe("server/discover", () => {
  it.effect("says what the server is", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(yield* result("server/discover", modern())).toEqual({
        ...stamp,
        supportedVersions: spoken,
        capabilities: { tools: {} },
        instructions: "Be kind.",
        ttlMs: expect.any(Number),
        cacheScope: "private"
      })
    })
  )
  it.effect("promises nothing that no feature serves", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(Server.make(info, []))
      const discovered = yield* result("server/discover", modern())
      expect(discovered).toMatchObject({ capabilities: {} })
      expect(discovered.capabilities).toEqual({})
      expect(discovered).not.toHaveProperty("instructions")
      expect(yield* error("tools/list", modern())).toMatchObject({ code: -32601 })
      expect(yield* error("tools/call", modern({ name: "hello" }))).toMatchObject({ code: -32601 })
    })
  )
})

describe("a modern result", () => {
  it.effect("says that it is complete, and whose it is", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(yield* result("tools/call", modern({ name: "hello" }))).toEqual({
        ...stamp,
        content: [{ type: "text", text: "Hello" }]
      })
      expect(yield* result("tools/list", modern())).toMatchObject(stamp)
      expect(yield* result("server/discover", modern())).toMatchObject(stamp)
    })
  )
  it.effect("of a tool keeps its own _meta, but not in the server's name", () =>
    Effect.gen(function* () {
      const _meta = { "com.example/k": 1, [Meta.SERVER_INFO]: { name: "somebody", version: "else" } }
      const tool = Tool.make("t", { run: () => Effect.succeed({ content: [], _meta }) })
      const { result } = yield* wire(Server.make(info, [tool]))
      expect((yield* result("tools/call", modern({ name: "t" })))._meta).toEqual({
        "com.example/k": 1,
        [Meta.SERVER_INFO]: info
      })
    })
  )
  it.effect("of tools/list says how long it is fresh, and for whom", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const { cacheScope, ttlMs } = yield* result("tools/list", modern())
      expect(["public", "private"]).toContain(cacheScope)
      expect(Number.isInteger(ttlMs) && Number(ttlMs) >= 0).toBe(true)
    })
  )
  it.effect("of tools/call says nothing of the kind", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const called = yield* result("tools/call", modern({ name: "hello" }))
      expect(Object.keys(called).toSorted()).toEqual(["_meta", "content", "resultType"])
    })
  )
})

describe("what a tool knows of a modern request", () => {
  it.effect("is in the request alone", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const tool = Tool.make("t", {
        run: Effect.fnUntraced(function* () {
          const { client, clientCapabilities, meta, request } = yield* Call
          seen.push({ client, clientCapabilities, key: meta["com.example/k"], id: request.id })
          return ""
        })
      })
      const { result, said } = yield* wire(Server.make(info, [tool]))
      const capabilities = { elicitation: { form: {} } }
      const meta = { "com.example/k": 1, [Meta.CLIENT_CAPABILITIES]: capabilities }
      yield* result("tools/call", modern({ name: "t" }, meta))
      yield* result("tools/call", { name: "t", ...without(Meta.CLIENT_INFO) })
      const ids = said.map((message) => ("id" in message ? message.id : undefined))
      expect(seen).toEqual([
        { client: clientInfo, clientCapabilities: capabilities, key: 1, id: ids[0] },
        { client: undefined, clientCapabilities: {}, key: undefined, id: ids[1] }
      ])
    })
  )
})
