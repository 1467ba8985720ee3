import { Call, Server, Tool } from "@effective-mcp/server"
import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clientInfo, info, initialize, wire } from "./wire.ts"

const hello = Tool.make("hello", { run: () => Effect.succeed("Hello") })
const server = Server.make(info, [hello], { instructions: "Be kind." })
const quiet = Server.make(info, [])

const deaf = {
  exchange: () => Effect.die("nobody is asked here"),
  send: () => Effect.void,
  incoming: Effect.succeed(Effect.never)
}

describe("initialize", () => {
  it.effect("says what the server is", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(yield* result("initialize", initialize)).toEqual({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: info,
        instructions: "Be kind."
      })
    })
  )
  it.effect("promises nothing that no feature serves", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(quiet)
      expect(yield* result("initialize", initialize)).toEqual({
        protocolVersion: "2025-11-25",
        capabilities: {},
        serverInfo: info
      })
      expect(yield* error("tools/list")).toMatchObject({ code: -32601 })
    })
  )
  it.effect("LIF-01 in a version that is spoken is answered with it", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(yield* result("initialize", { ...initialize, protocolVersion: "2025-11-25" })).toMatchObject({
        protocolVersion: "2025-11-25"
      })
    })
  )
  for (const protocolVersion of ["2026-07-28", "2099-01-01", "1.0.0", ""]) {
    it.effect(`LIF-01 in ${JSON.stringify(protocolVersion)} is answered with the newest that has a handshake`, () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        expect(yield* result("initialize", { ...initialize, protocolVersion })).toMatchObject({
          protocolVersion: "2025-11-25"
        })
        expect(yield* result("tools/list")).toMatchObject({ tools: [{ name: "hello" }] })
      })
    )
  }
  const wrong = {
    "a version that is a number": { protocolVersion: 5 },
    "no version": { protocolVersion: undefined },
    "a version that is null": { protocolVersion: null },
    "no capabilities": { capabilities: undefined },
    "capabilities that are a list": { capabilities: [] },
    "no client": { clientInfo: undefined },
    "a client without a name": { clientInfo: { version: "1" } }
  }
  for (const [what, change] of Object.entries(wrong)) {
    it.effect(`LIF-01 with ${what} is -32602, and can be said again`, () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(server)
        expect(yield* error("initialize", { ...initialize, ...change })).toMatchObject({ code: -32602 })
        yield* result("initialize", initialize)
      })
    )
  }
  it.effect("RPC-08 without parameters is -32602", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(server)
      expect(yield* error("initialize")).toMatchObject({ code: -32602 })
      expect(yield* result("ping")).toEqual({})
    })
  )
})

describe("what comes before the handshake", () => {
  it.effect("LIF-02 ping is answered, and the handshake follows", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(yield* result("ping")).toEqual({})
      yield* result("initialize", initialize)
      expect(yield* result("ping")).toEqual({})
    })
  )
  it.effect(
    "LIF-02 a bare request is served as in the newest version that has a handshake, and the handshake follows",
    () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        const before = yield* result("tools/list")
        expect(before).toMatchObject({ tools: [{ name: "hello" }] })
        yield* result("initialize", initialize)
        expect(yield* result("tools/list")).toEqual(before)
      })
  )
  it.effect("LIF-02 requests in the same write as initialize, before initialized, are served", () =>
    Effect.gen(function* () {
      const { answerTo, say } = yield* wire(server)
      yield* say(
        JsonRpc.request(1, "initialize", initialize),
        JsonRpc.request(2, "tools/list"),
        JsonRpc.notification("notifications/initialized"),
        JsonRpc.request(3, "tools/call", { name: "hello" })
      )
      expect(yield* answerTo(1)).toMatchObject({ result: { protocolVersion: "2025-11-25" } })
      expect(yield* answerTo(2)).toMatchObject({ result: { tools: [{ name: "hello" }] } })
      expect(yield* answerTo(3)).toMatchObject({ result: { content: [{ text: "Hello" }] } })
    })
  )
  it.effect("LIF-02 a method that is not there is an error with its id", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(server)
      expect(yield* error("logging/setLevel", { level: "info" })).toMatchObject({ code: -32601 })
      yield* result("initialize", initialize)
    })
  )
  it.effect("LIF-04 nothing is written but the result before initialized", () =>
    Effect.gen(function* () {
      const tools = ["a", "b", "c"].map((name) => Tool.make(name, { run: () => Effect.succeed(name) }))
      const { result, said, say } = yield* wire(Server.make(info, tools))
      expect(said).toEqual([])
      yield* result("initialize", initialize)
      expect(said.length).toBe(1)
      yield* say(JsonRpc.notification("notifications/initialized"))
      yield* result("ping")
      expect(said.length).toBe(2)
    })
  )
})

describe("a legacy result", () => {
  it.effect("says nothing that only the modern era says", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      yield* result("initialize", initialize)
      expect(yield* result("tools/call", { name: "hello" })).toEqual({ content: [{ type: "text", text: "Hello" }] })
      expect(Object.keys(yield* result("tools/list"))).toEqual(["tools"])
    })
  )
  for (const method of ["server/discover", "resources/list", "no/such/method", ""]) {
    it.effect(`for a method that is not there is -32601: ${JSON.stringify(method)}`, () =>
      Effect.gen(function* () {
        const only = Server.make(info, [hello], { eras: ["legacy"] })
        const { error, result } = yield* wire(only)
        yield* result("initialize", initialize)
        expect(yield* error(method)).toMatchObject({ code: -32601 })
      })
    )
  }
})

describe("what a tool knows in a legacy session", () => {
  it.effect("is what the handshake said", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const tool = Tool.make("t", {
        run: Effect.fnUntraced(function* () {
          const { client, clientCapabilities, meta } = yield* Call
          seen.push([client, clientCapabilities, meta])
          return ""
        })
      })
      const { result } = yield* wire(Server.make(info, [tool]))
      yield* result("tools/call", { name: "t" })
      yield* result("initialize", { ...initialize, capabilities: { roots: {} } })
      yield* result("tools/call", { name: "t", _meta: { "com.example/k": 1 } })
      expect(seen).toEqual([
        [undefined, {}, {}],
        [clientInfo, { roots: {} }, { "com.example/k": 1 }]
      ])
    })
  )
})

describe("a conversation", () => {
  it.effect("can be kept as plain data, and taken up where it was", () =>
    Effect.gen(function* () {
      const first = yield* server.converse()
      expect(yield* first.snapshot).toEqual({})
      yield* first.on(deaf).exchange(JsonRpc.request(1, "initialize", initialize), () => Effect.void)
      const snapshot = yield* first.snapshot
      expect(snapshot).toEqual({ revision: "2025-11-25", capabilities: {}, client: clientInfo })
      const second = yield* server.converse(JSON.parse(JSON.stringify(snapshot)))
      expect(yield* second.snapshot).toEqual(snapshot)
      const answer = yield* second.on(deaf).exchange(JsonRpc.request(2, "tools/list"), () => Effect.void)
      expect(answer).toMatchObject({ id: 2, result: { tools: [{ name: "hello" }] } })
    })
  )
  it.effect("is not begun by a handshake that fails", () =>
    Effect.gen(function* () {
      const conversation = yield* server.converse()
      yield* conversation.on(deaf).exchange(JsonRpc.request(1, "initialize", {}), () => Effect.void)
      expect(yield* conversation.snapshot).toEqual({})
    })
  )
  it.effect("knows nothing of another", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* server.converse(), yield* server.converse()]
      yield* mine.on(deaf).exchange(JsonRpc.request(1, "initialize", initialize), () => Effect.void)
      expect(yield* theirs.snapshot).toEqual({})
    })
  )
})

describe("keys of _meta that look modern", () => {
  it.effect("but do not say who asks leave a request legacy", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      yield* result("initialize", initialize)
      const answer = yield* result("tools/list", { _meta: { [Meta.CLIENT_INFO]: clientInfo, progressToken: 1 } })
      expect(Object.keys(answer)).toEqual(["tools"])
    })
  )
})
