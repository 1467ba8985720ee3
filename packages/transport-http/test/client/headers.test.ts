import { HeaderValue, JsonRpc, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connect, type Headers, type Options } from "../../src/client/index.ts"
import { initialize, modernMeta } from "../support/wire.ts"
import { greeting, json, logs, memory, status } from "./memory.ts"

const deaf = () => Effect.void
const modern = (method: string, params: JsonRpc.JsonObject = {}) =>
  JsonRpc.request(1, method, { ...params, _meta: modernMeta })

type Tools = ReadonlyArray<unknown>

/** A connection to a server with these tools, and the headers of the last request. */
const withTools = Effect.fnUntraced(function* (tools: () => Tools, options: Options = {}) {
  const { client, seen } = memory(
    (request, message) =>
      greeting(request, message) ??
      json(JsonRpc.success(message.id, message.method === "tools/list" ? { tools: tools() } : {}))
  )
  const connection = yield* connect("http://a.test/mcp", { ...options, client })
  const last = (): Headers => seen.at(-1)?.headers ?? {}
  const call = (name: string, args: JsonRpc.JsonObject) =>
    Effect.map(connection.exchange(modern("tools/call", { name, arguments: args }), deaf), last)
  const list = Effect.map(connection.exchange(modern("tools/list"), deaf), (response) =>
    JsonRpc.isSuccess(response) ? response.result.tools : undefined
  )
  return { call, connection, last, list, seen }
})

const properties = {
  zone: { type: "string", "x-mcp-header": "Zone" },
  n: { type: "integer", "x-mcp-header": "N" },
  ok: { type: "boolean", "x-mcp-header": "Ok" },
  a: { type: "object", properties: { b: { type: "string", "x-mcp-header": "Deep" } } }
}
const tool = (inputSchema: JsonRpc.JsonObject, name = "t") => ({
  name,
  inputSchema: { type: "object", ...inputSchema }
})
const paramsOf = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-")))

describe("the headers of a request that belongs to a trace", () => {
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
  const headersOf = (meta: JsonRpc.JsonObject) =>
    Effect.gen(function* () {
      const { connection, last } = yield* withTools(() => [], { headers: { traceparent: "a program's own" } })
      const sent: Array<Headers> = []
      for (const era of [modernMeta, {}]) {
        yield* connection.exchange(JsonRpc.request(1, "tools/list", { _meta: { ...era, ...meta } }), deaf)
        sent.push(last())
      }
      return sent.map(({ traceparent, tracestate }) => ({ traceparent, tracestate }))
    })

  it.effect("name that trace, in both eras", () =>
    Effect.gen(function* () {
      const own = { traceparent, tracestate: "vendor=1, other=2" }
      expect(yield* headersOf({ ...own, baggage: "a=1" })).toEqual([own, own])
    })
  )
  it.effect("leave to the body what no header can carry", () =>
    Effect.gen(function* () {
      for (const tracestate of ["a=1\r\nx: y", "ü", 1, "a".repeat(5_000)]) {
        const own = { traceparent, tracestate: undefined }
        expect(yield* headersOf({ traceparent, tracestate })).toEqual([own, own])
      }
      const own = { traceparent: "a program's own", tracestate: undefined }
      for (const wrong of ["x", `${traceparent}-ü`, 1]) {
        expect(yield* headersOf({ traceparent: wrong, tracestate: "a=1" })).toEqual([own, own])
      }
    })
  )
})

describe("the headers of a modern request", () => {
  it.effect("R-150 R-151 name the version that the body carries, the method, and what it is about", () =>
    Effect.gen(function* () {
      const { connection, last } = yield* withTools(() => [])
      for (const [method, params, name] of [
        ["tools/call", { name: "t" }, "t"],
        ["prompts/get", { name: "p q" }, "p q"],
        ["resources/read", { uri: "file:///ü" }, HeaderValue.encode("file:///ü")],
        ["tools/list", { name: "t" }, undefined]
      ] as const) {
        yield* connection.exchange(modern(method, params), deaf)
        expect([last()["mcp-protocol-version"], last()["mcp-method"], last()["mcp-name"]]).toEqual([
          "2026-07-28",
          method,
          name
        ])
        expect(last().accept).toBe("application/json, text/event-stream")
      }
      const later = { ...modernMeta, [Meta.PROTOCOL_VERSION]: "2027-01-01" }
      yield* connection.exchange(JsonRpc.request(1, "tools/list", { _meta: later }), deaf)
      expect(last()["mcp-protocol-version"]).toBe("2027-01-01")
    })
  )

  it.effect("HTTP-26 R-152 repeat annotated arguments as the list of tools says, safely encoded", () =>
    Effect.gen(function* () {
      const { call, list } = yield* withTools(() => [tool({ properties })])
      expect(paramsOf(yield* call("t", { zone: "eu" }))).toEqual({})
      yield* list
      for (const zone of ["eu-north9", "a b", "Grüße, мир", " pad ", "l1\nl2", "=?base64?raw?=", "a\r\nX-Evil: 1"]) {
        const header = paramsOf(yield* call("t", { zone }))["mcp-param-zone"] ?? ""
        expect(header).toMatch(/^[\x20-\x7e]+$/)
        expect(header === zone).toBe(zone === "eu-north9" || zone === "a b")
        expect(HeaderValue.decode(header)).toBe(zone)
      }
      expect(paramsOf(yield* call("t", { n: 42, ok: true, a: { b: "q" } }))).toEqual({
        "mcp-param-n": "42",
        "mcp-param-ok": "true",
        "mcp-param-deep": "q"
      })
      expect(paramsOf(yield* call("t", { zone: null, n: 2 ** 60, ok: {}, a: [] }))).toEqual({})
      expect(paramsOf(yield* call("__proto__", { zone: "eu" }))).toEqual({})
    })
  )

  const { layer, lines } = logs()
  it.effect("HTTP-26 R-153 tools whose annotations are wrong are left out, each with a warning", () =>
    Effect.gen(function* () {
      const zone = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name })
      const bad = [
        { properties: { z: zone("") } },
        { properties: { z: zone("A B") } },
        { properties: { y: zone("zone"), z: zone("Zone") } },
        { properties: { z: zone("Z", "number") } },
        { properties: { z: { type: "array", items: zone("Z") } } },
        { anyOf: [{ properties: { z: zone("Z") } }] },
        { $defs: { z: zone("Z") }, properties: { z: { $ref: "#/$defs/z" } } }
      ].map((schema, at) => tool(schema, `bad${at}`))
      const good = [tool({ properties }), { name: "without a schema" }, 7]
      const { list } = yield* withTools(() => [...bad, ...good])
      expect(yield* list).toEqual(good)
      expect(lines.length).toBe(bad.length)
      expect(lines.every((line) => /bad\d/.test(line))).toBe(true)
    }).pipe(Effect.provide(layer))
  )

  it.effect("C-35 the annotations of a thousand tools are remembered, the newest", () =>
    Effect.gen(function* () {
      const { call, list } = yield* withTools(() =>
        Array.from({ length: 1_001 }, (_, i) => tool({ properties }, `t${i}`))
      )
      yield* list
      expect(paramsOf(yield* call("t0", { zone: "eu" }))).toEqual({})
      expect(paramsOf(yield* call("t1", { zone: "eu" }))).toEqual({ "mcp-param-zone": "eu" })
      expect(paramsOf(yield* call("t1000", { zone: "eu" }))).toEqual({ "mcp-param-zone": "eu" })
    })
  )
})

describe("a program's headers", () => {
  it.effect("C-17 C-23 T-31 T-50 go with every request, the key beside them; those of the transport win", () =>
    Effect.gen(function* () {
      const headers = { "X-Api-Key": "k", Accept: "text/html", "Mcp-Session-Id": "mine", "content-length": "1" }
      const { client, seen } = memory((request, message) => greeting(request, message) ?? status(405))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* connect("http://a.test/mcp", { apiKey: "secret", client, headers })
          yield* connection.exchange(initialize(), deaf)
          yield* connection.send(JsonRpc.notification("notifications/initialized"))
        })
      )
      expect(seen.map(({ method }) => method)).toEqual(["POST", "POST", "DELETE"])
      for (const { headers } of seen) {
        expect([headers["x-api-key"], headers.authorization]).toEqual(["k", "Bearer secret"])
        expect(headers["content-length"]).toBe(undefined)
        expect(headers.accept).not.toBe("text/html")
      }
      expect(seen.map(({ headers }) => headers["mcp-session-id"])).toEqual([undefined, "s-1", "s-1"])
    })
  )

  it.effect("R-154 lose their Mcp-Param-* on modern requests, and keep them on legacy ones", () =>
    Effect.gen(function* () {
      const { call, connection, last } = yield* withTools(() => [], { headers: { "Mcp-Param-Zone": "forged", x: "y" } })
      const headers = yield* call("t", { zone: "eu" })
      expect([headers["mcp-param-zone"], headers.x]).toEqual([undefined, "y"])
      yield* connection.exchange(JsonRpc.request(2, "ping"), deaf)
      expect(last()["mcp-param-zone"]).toBe("forged")
    })
  )

  it.effect("may be made anew for each request", () =>
    Effect.gen(function* () {
      let n = 0
      const { call } = yield* withTools(() => [], { headers: Effect.sync(() => ({ authorization: `Bearer ${++n}` })) })
      expect([(yield* call("t", {})).authorization, (yield* call("t", {})).authorization]).toEqual([
        "Bearer 1",
        "Bearer 2"
      ])
    })
  )

  it.effect("R-123 tell who calls, unless something else may change them", () =>
    Effect.gen(function* () {
      let token = "a"
      const headers = Effect.sync(() => ({ Authorization: token }))
      const callerOf = (options: Parameters<typeof withTools>[1]) =>
        Effect.flatMap(
          withTools(() => [], options),
          ({ connection }) => connection.caller ?? Effect.succeed("none")
        )
      const [none, fixed, changing] = yield* Effect.all([
        callerOf({}),
        callerOf({ apiKey: "k" }),
        callerOf({ headers })
      ])
      token = "b"
      const changed = yield* callerOf({ headers })
      expect(none).toBe("")
      expect(new Set([none, fixed, changing, changed]).size).toBe(4)
      expect(yield* callerOf({ headers: { AUTHORIZATION: "b" } })).toBe(changed)
      expect(yield* callerOf({ interceptors: [(request, next) => next(request)] })).toBeUndefined()
    })
  )

  it.live("cannot smuggle lines: nothing is sent", () =>
    Effect.gen(function* () {
      const connection = yield* connect("http://127.0.0.1:9/mcp", { headers: { x: "a\r\nevil: 1" } })
      const error = yield* Effect.flip(connection.exchange(modern("tools/list"), deaf))
      expect([error.reason._tag, error.outcome]).toEqual(["Unsendable", "NotSent"])
    })
  )
})

describe("the options", () => {
  it.effect("T-30 an address that none can be sent to is a typed failure", () =>
    Effect.gen(function* () {
      for (const url of ["", "/mcp", "ftp://a.test/", "http://user:secret@a.test/", "data:,x"]) {
        const error = yield* Effect.flip(connect(url))
        expect([error.reason._tag, error.outcome]).toEqual(["Unreachable", "NotSent"])
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it("refuse at once a bound that is no count", () => {
    expect(() => connect("http://a.test/", { messageBytes: 0 })).toThrow("messageBytes")
    expect(() => connect("http://a.test/", { reconnect: { attempts: 1.5 } })).toThrow("attempts")
  })

  it.effect("a message over the limit, or that is no JSON, is not sent", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(() => status(500))
      const connection = yield* connect("http://a.test/", { client, messageBytes: 1_000 })
      const large = yield* Effect.flip(connection.exchange(modern("m", { text: "ü".repeat(450) }), deaf))
      expect([large.reason._tag, large.outcome]).toEqual(["TooLarge", "NotSent"])
      const wrong = yield* Effect.flip(connection.exchange(modern("m", { n: 1n }), deaf))
      expect([wrong.reason._tag, wrong.outcome]).toEqual(["Unsendable", "NotSent"])
      expect(seen).toEqual([])
    })
  )
})
