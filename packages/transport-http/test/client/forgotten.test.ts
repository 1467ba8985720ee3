import { Client, Tools } from "@effective-mcp/client"
import { JsonRpc, limits } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { connect, type Headers, type Interceptor } from "../../src/client/index.ts"
import { Learned } from "../../src/client/Learned.ts"
import { serve } from "../../src/server/index.ts"
import { memory, status } from "./memory.ts"

const MANY = limits.learnedTools + 1

const annotated = { type: "object", properties: { zone: { type: "string", "x-mcp-header": "Zone" } } } as const

const toolOf = (name: string, inputSchema: JsonRpc.JsonObject) =>
  Tool.make(name, { inputSchema, run: (args) => Effect.succeed(JSON.stringify(args)) })

const many = Array.from({ length: MANY }, (_, i) => toolOf(`t${i}`, annotated))

/** A client of a server with these tools, which has read all of their list, and what it sends from then on. */
const listed = Effect.fnUntraced(function* (tools: ReadonlyArray<Tool.Tool>, pageSize: number) {
  const sent: Array<Headers> = []
  const seeing: Interceptor = (request, next) => {
    sent.push(request.headers)
    return next(request)
  }
  const { url } = yield* serve(Server.make({ name: "s", version: "1" }, tools, { pageSize }))
  const client = yield* Client.connect(
    connect(url, { interceptors: [seeing] }),
    { name: "client", version: "1" },
    { cache: false }
  )
  expect((yield* Stream.runCollect(Tools.all(client))).length).toBe(tools.length)
  sent.length = 0
  const zone = { zone: "eu" }
  return {
    client,
    call: (name: string) => Effect.map(Tools.call(client, name, zone), Tools.text),
    /** Method, name and zone of all that was sent, as headers say. */
    sent: () => sent.splice(0).map((headers) => [headers["mcp-method"], headers["mcp-name"], headers["mcp-param-zone"]])
  }
})

const list = ["tools/list", undefined, undefined]

describe("a tool of which the client has forgotten what headers have to repeat", () => {
  it.live("C-35 is called once, with its headers, after one list: all tools on one page", () =>
    Effect.gen(function* () {
      const { call, sent } = yield* listed(many, 2 * MANY)
      expect(yield* call("t0")).toBe('{"zone":"eu"}')
      expect(sent()).toEqual([list, ["tools/call", "t0", "eu"]])
      // and no list for it, or for what was known, from then on
      yield* call("t0")
      yield* call(`t${MANY - 1}`)
      expect(sent()).toEqual([
        ["tools/call", "t0", "eu"],
        ["tools/call", `t${MANY - 1}`, "eu"]
      ])
    })
  )
  it.live("C-35 is called once, with its headers, after the pages up to it", () =>
    Effect.gen(function* () {
      const { call, sent } = yield* listed(many, 100)
      yield* call("t0")
      expect(sent()).toEqual([list, ["tools/call", "t0", "eu"]])
      // which took the place of another, on the second page
      yield* call("t100")
      expect(sent()).toEqual([list, list, ["tools/call", "t100", "eu"]])
    })
  )
  it.live("C-35 is listed once for all that wait", () =>
    Effect.gen(function* () {
      const tools = Array.from({ length: MANY + 9 }, (_, i) => toolOf(`t${i}`, annotated))
      const { call, sent } = yield* listed(tools, 2 * MANY)
      const names = Array.from({ length: 10 }, (_, i) => `t${i}`)
      yield* Effect.forEach(names, call, { concurrency: "unbounded" })
      const all = sent()
      expect(all[0]).toEqual(list)
      expect(all.slice(1).toSorted()).toEqual(names.map((name) => ["tools/call", name, "eu"]))
    })
  )
  it.live("C-35 costs calls of tools nothing that have no such arguments, or are in no list", () =>
    Effect.gen(function* () {
      const plain = toolOf("plain", { type: "object" })
      const { call, sent } = yield* listed([plain, ...many], 100)
      yield* call("plain")
      yield* call("t5")
      yield* Effect.flip(call("nobody"))
      expect(sent().map(([method, name]) => [method, name])).toEqual([
        ["tools/call", "plain"],
        ["tools/call", "t5"],
        ["tools/call", "nobody"]
      ])
    })
  )
})

describe("what is remembered of tools", () => {
  const tools = (length: number, key: string, at = 0) =>
    Array.from({ length }, (_, i) => ({
      name: `t${at + i}`,
      inputSchema: { properties: { [key]: { type: "string", "x-mcp-header": "A" } } }
    }))
  const learn = (learned: Learned, tools: ReadonlyArray<unknown>) => learned.filter(JsonRpc.success(1, { tools }))

  it.effect("C-35 is bounded in characters as well", () =>
    Effect.gen(function* () {
      const learned = new Learned()
      const key = "k".repeat(limits.learnedChars / 4)
      yield* learn(learned, tools(4, key))
      expect(["t0", "t1", "t3"].map((name) => learned.of(name)?.length)).toEqual([undefined, 1, 1])
      expect([learned.expect("t0"), learned.expect("t1")]).toEqual([true, false])
      yield* learn(learned, tools(1, key.repeat(5), 1))
      expect([learned.of("t1"), learned.expect("t1")]).toEqual([undefined, false])
    })
  )
  it.effect("C-35 is what the last list says: a tool without such arguments needs none any more", () =>
    Effect.gen(function* () {
      const learned = new Learned()
      yield* learn(learned, tools(MANY, "k"))
      expect([learned.expect("t0"), learned.of("t0")]).toEqual([true, undefined])
      yield* learn(learned, tools(MANY, "k"))
      expect([learned.expect("t0"), learned.of("t0")?.[0]?.path]).toEqual([false, ["k"]])
      yield* learn(learned, [{ name: "t0", inputSchema: {} }])
      expect([learned.expect("t0"), learned.of("t0")]).toEqual([false, undefined])
    })
  )
  it.effect("C-35 of the names of others, and of those that are called, there are bounds", () =>
    Effect.gen(function* () {
      const learned = new Learned()
      const total = limits.learnedTools + limits.forgottenTools + 1
      yield* learn(learned, tools(total, "k"))
      yield* learn(learned, [...tools(1, "k"), { ...tools(1, "k")[0], name: "n".repeat(1_000) }])
      yield* learn(learned, tools(limits.learnedTools, "k", total))
      expect(["t1", "n".repeat(1_000), `t${total - 1}`].map((name) => learned.expect(name))).toEqual([
        false,
        false,
        true
      ])
      const names = Array.from({ length: limits.calledTools + 1 }, (_, i) => `t${5_000 + i}`)
      for (const name of names) expect(learned.expect(name)).toBe(true)
      yield* learn(learned, [...tools(200, "k", 5_000), ...tools(limits.learnedTools, "k", total)])
      expect(names.filter((name) => learned.of(name) === undefined)).toEqual(["t5000"])
    })
  )
})

describe("a list that is read before a call", () => {
  const scripted = Effect.fnUntraced(function* (again: () => ReturnType<typeof status>) {
    let lists = 0
    const { client, seen } = memory((_request, { id, method }) => {
      const hints = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
      const capabilities = { tools: {} }
      const tools = many.map(({ name }) => ({ name, inputSchema: annotated }))
      const results: { readonly [method: string]: JsonRpc.JsonObject } = {
        "server/discover": { ...hints, supportedVersions: ["2026-07-28"], capabilities },
        "tools/list": { ...hints, tools },
        "tools/call": { ...hints, content: [] }
      }
      if (method === "tools/list" && ++lists > 1) return again()
      return status(200, {}, JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }))
    })
    const transport = connect("http://a.test/mcp", { client })
    const connected = yield* Client.connect(transport, { name: "client", version: "1" }, { cache: false, retry: false })
    yield* Tools.list(connected)
    return { client: connected, methods: () => seen.slice(2).map(({ headers }) => headers["mcp-method"]) }
  })
  it.effect("and cannot be had lets the call go as it is", () =>
    Effect.gen(function* () {
      const { client, methods } = yield* scripted(() => status(500))
      yield* Tools.call(client, "t0")
      expect(methods()).toEqual(["tools/list", "tools/call"])
    })
  )
  it.live("and does not come uses up the call's own time: it was not sent", () =>
    Effect.gen(function* () {
      const { client, methods } = yield* scripted(() => Effect.never)
      const error = yield* Effect.flip(Tools.call(client, "t0", {}, { totalTimeout: 50, timeout: 10_000 }))
      expect(error).toMatchObject({ outcome: "NotSent", reason: { _tag: "TimedOut", method: "tools/call" } })
      expect(methods()).toEqual(["tools/list"])
    })
  )
})
