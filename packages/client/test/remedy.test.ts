import { Client, Tools } from "@effective-mcp/client"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Act, errorWith, overHttp } from "./httpWire.ts"
import { begin, connect, discovered, error, info, modern, result, scripted } from "./scripted.ts"

const said: Act = () =>
  Effect.succeed({
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private"
  })
const list = { resultType: "complete", tools: [], ttlMs: 0, cacheScope: "private" }
const listed: Act = () => Effect.succeed(list)
const mismatch: Act = () => errorWith(-32020, undefined, 400)

/** Turned away the first time, run the second. */
const once = (first: Act): Act => {
  let turn = 0
  return (...request) => (turn++ === 0 ? first(...request) : Effect.succeed({ resultType: "complete", content: [] }))
}

const over = (script: Parameters<typeof overHttp>[0], options?: Client.Options) => {
  const wire = overHttp({ "server/discover": said, ...script })
  return Effect.map(Client.connect(wire.transport, info, options), (client) => ({ wire, client }))
}

describe("headers that a server finds wrong", () => {
  it.effect("have the tools listed again, and the call sent once more", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* over({ "tools/call": once(mismatch), "tools/list": listed })
      expect(yield* Tools.call(client, "add")).toMatchObject({ content: [] })
      expect(wire.methods).toEqual(["server/discover", "tools/call", "tools/list", "tools/call"])
    })
  )
  it.effect("C-35 have the list read no further than to the tool, which is the newest then that is remembered", () =>
    Effect.gen(function* () {
      const page: Act = ({ params }) => {
        const n = Number(params?.cursor ?? 0)
        const tools = [{ name: n === 1 ? "add" : `other${n}`, inputSchema: { type: "object" } }]
        return Effect.succeed({ ...list, tools, nextCursor: `${n + 1}` })
      }
      const { client, wire } = yield* over({ "tools/call": once(mismatch), "tools/list": page })
      yield* Tools.call(client, "add")
      expect(wire.methods).toEqual(["server/discover", "tools/call", "tools/list", "tools/list", "tools/call"])
    })
  )
  it.effect("have what is kept of the list forgotten: it is asked for anew", () =>
    Effect.gen(function* () {
      const fresh: Act = () => Effect.succeed({ ...list, ttlMs: 60_000 })
      const { client, wire } = yield* over({ "tools/call": once(mismatch), "tools/list": fresh })
      const heard: Array<unknown> = []
      client.hub.onHeard((said) => void heard.push(said))
      yield* Tools.list(client)
      yield* Tools.list(client)
      yield* Tools.call(client, "add")
      yield* Tools.list(client)
      expect(wire.methods.filter((method) => method === "tools/list").length).toBe(3)
      expect(heard).toEqual([{ _tag: "ListChanged", list: "tools" }])
    })
  )
  it.effect("fail the call when they are wrong again", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* over({ "tools/call": mismatch, "tools/list": listed }, { recover: false })
      expect(yield* Effect.flip(Tools.call(client, "add"))).toMatchObject({ code: -32020, outcome: "Rejected" })
      expect(wire.methods).toEqual(["server/discover", "tools/call", "tools/list", "tools/call"])
    })
  )
  it.effect("fail the call with their own error when there is no list", () =>
    Effect.gen(function* () {
      const { client } = yield* over({ "tools/call": mismatch, "tools/list": () => errorWith(-32603) })
      expect(yield* Effect.flip(Tools.call(client, "add"))).toMatchObject({ code: -32020 })
    })
  )
  it.effect("have no more than 16 pages listed of a list that does not end", () =>
    Effect.gen(function* () {
      let page = 0
      const endless: Act = () => Effect.succeed({ ...list, nextCursor: `c${page++}` })
      const { client, wire } = yield* over({ "tools/call": once(mismatch), "tools/list": endless })
      expect(yield* Tools.call(client, "add")).toMatchObject({ content: [] })
      expect(wire.methods.filter((method) => method === "tools/list").length).toBe(16)
    })
  )
  for (const [why, first] of [
    ["with another status", () => errorWith(-32020, undefined, 500)],
    ["with status 200", () => errorWith(-32020)]
  ] as ReadonlyArray<readonly [string, Act]>) {
    it.effect(`are no reason to send a call again when that is said ${why}: it may have run`, () =>
      Effect.gen(function* () {
        const { client, wire } = yield* over({ "tools/call": once(first), "tools/list": listed })
        expect(yield* Effect.flip(Tools.call(client, "add"))).toMatchObject({ code: -32020 })
        expect(wire.methods).toEqual(["server/discover", "tools/call"])
      })
    )
  }
  it.effect("are no reason to send a call again of which something has been heard", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* over({ "tools/call": once(mismatch), "tools/list": listed })
      wire.said.set("tools/call", [JsonRpc.notification("notifications/message", { level: "info", data: "charged" })])
      expect(yield* Effect.flip(Tools.call(client, "add"))).toMatchObject({ code: -32020 })
      expect(wire.methods).toEqual(["server/discover", "tools/call"])
    })
  )
  it.effect("are no reason to send a call again over a pipe, which has none", () =>
    Effect.gen(function* () {
      const server = scripted(
        modern({ "server/discover": discovered(), "tools/call": error(-32020), "tools/list": result(list) })
      )
      const client = yield* connect(server)
      expect(yield* Effect.flip(Tools.call(client, "add"))).toMatchObject({ code: -32020 })
      expect(server.run.methods).toEqual(["server/discover", "tools/call"])
    })
  )
})

describe("a list that a call has to wait for", () => {
  it.effect("C-35 is asked for once, where it cannot be had: all who have waited for it go on", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        "server/discover": said,
        "tools/list": () => Effect.never,
        "tools/call": () => Effect.succeed({ resultType: "complete", content: [] })
      })
      const forgetting = Effect.map(wire.transport, (connection) => ({ ...connection, expect: () => true }))
      const client = yield* Client.connect(forgetting, info)
      const calls = yield* Effect.forEach(["a", "b", "c"], (tool) => begin(Effect.exit(Tools.call(client, tool))))
      yield* TestClock.adjust("30 seconds")
      for (const call of calls) expect(Exit.isSuccess(yield* Fiber.join(call))).toBe(true)
      expect(wire.methods.filter((method) => method === "tools/list").length).toBe(1)
    })
  )
})
