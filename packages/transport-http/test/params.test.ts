import { type Host, JsonRpc, limits, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { HttpCall } from "../src/server/index.ts"
import { make as makeLearned } from "../src/server/ParamHeaders.ts"
import { ask, type Headers, modern, served } from "./support/wire.ts"

type Schema = JsonRpc.JsonObject

const properties = {
  zone: { type: "string", "x-mcp-header": "Zone" },
  n: { type: "integer", "x-mcp-header": "N" },
  ok: { type: "boolean", "x-mcp-header": "Ok" },
  a: { type: "object", properties: { b: { type: "string", "x-mcp-header": "Deep" } } },
  list: { type: "array", items: { properties: { c: { type: "string", "x-mcp-header": "Never" } } } },
  plain: { type: "string" }
}

/** A host with one tool whose schema may change, two pages long; it counts how often it is asked for its tools. */
const makeHost = () => {
  let schema: Schema = { type: "object", properties }
  let lists = 0
  const host: Host = {
    modern: {
      notify: () => Effect.void,
      exchange: ({ id, method, params }) =>
        Effect.sync(() => {
          if (method !== "tools/list") return JsonRpc.success(id, {})
          lists++
          return params?.cursor === undefined
            ? JsonRpc.success(id, { tools: [], nextCursor: "2" })
            : JsonRpc.success(id, { tools: [{ name: "t", inputSchema: schema }] })
        })
    },
    converse: () => Effect.never
  }
  const change = (next: Schema): void => {
    schema = next
  }
  return { host, change, lists: () => lists }
}

const call = (args: JsonRpc.JsonObject, headers: Headers, name = "t") =>
  modern(1, "tools/call", { name, arguments: args }, headers)

describe("arguments that headers repeat", () => {
  it.live("HTTP-26 are compared decoded, numbers as numbers, wherever they stand", () =>
    Effect.gen(function* () {
      const { host } = makeHost()
      const url = yield* served(host)
      for (const [args, headers, status] of [
        [{}, {}, 200],
        [{ plain: "x" }, {}, 200],
        [{ zone: "eu" }, { "mcp-param-zone": "eu" }, 200],
        [{ zone: "eu" }, {}, 400],
        [{ zone: "eu" }, { "mcp-param-zone": "us" }, 400],
        [{ zone: "Grüße" }, { "mcp-param-zone": "=?base64?R3LDvMOfZQ==?=" }, 200],
        [{ zone: "Grüße" }, { "mcp-param-zone": "=?base64?R3LDvMOfZQ?=" }, 400],
        [{ zone: null }, {}, 200],
        [{ zone: null }, { "mcp-param-zone": "null" }, 400],
        [{}, { "mcp-param-zone": "eu" }, 400],
        [{ n: 42 }, { "mcp-param-n": "42.0" }, 200],
        [{ n: 42 }, { "mcp-param-n": "43" }, 400],
        [{ ok: true }, { "mcp-param-ok": "true" }, 200],
        [{ ok: true }, { "mcp-param-ok": "True" }, 400],
        [{ a: { b: "q" } }, { "mcp-param-deep": "q" }, 200],
        [{ a: { b: "q" } }, {}, 400],
        [{ list: [{ c: "q" }] }, {}, 200],
        [{}, { "mcp-param-never": "x", "mcp-param-unknown": "x" }, 200]
      ] as const) {
        const answer = yield* ask(url, ...call(args, headers))
        expect([args, headers, answer.status]).toEqual([args, headers, status])
        if (status === 400) expect(answer.body.error.code).toBe(-32020)
      }
    })
  )

  it.live("are known before any client has listed the tools, and the list is asked for once", () =>
    Effect.gen(function* () {
      const { host, lists } = makeHost()
      const url = yield* served(host)
      const calls = Array.from({ length: 8 }, () => ask(url, ...call({ zone: "eu" }, {})))
      const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
      expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 400))
      expect(lists()).toBe(2)
      yield* ask(url, ...call({ zone: "eu" }, { "mcp-param-zone": "eu" }))
      yield* ask(url, ...call({}, {}, "unknown"))
      expect(lists()).toBe(2)
    })
  )

  it.live(
    "are checked of every tool of more than are remembered, and those that are called are not asked for again",
    () =>
      Effect.gen(function* () {
        const inputSchema = { type: "object", properties }
        const tools = Array.from({ length: 2 * limits.learnedTools }, (_, n) => ({ name: `t${n}`, inputSchema }))
        let lists = 0
        const host: Host = {
          modern: {
            notify: () => Effect.void,
            exchange: ({ id, method }) =>
              Effect.sync(() => {
                if (method === "tools/list") lists++
                return JsonRpc.success(id, method === "tools/list" ? { tools } : {})
              })
          },
          converse: () => Effect.never
        }
        const url = yield* served(host)
        for (const name of ["t0", `t${tools.length - 1}`, "t1", "t0", "t1"]) {
          expect((yield* ask(url, ...call({ zone: "eu" }, { "mcp-param-zone": "eu" }, name))).status).toBe(200)
        }
        expect(lists).toBe(2)
        for (const name of ["t2", "t1", "t0", `t${tools.length - 1}`]) {
          const { body } = yield* ask(url, ...call({ zone: "eu" }, { "mcp-param-zone": "us" }, name))
          expect([name, body.error?.code]).toEqual([name, -32020])
        }
      })
  )

  it.effect("are forgotten of tools that are listed no more, once others have taken their place", () =>
    Effect.gen(function* () {
      const learned = makeLearned({
        modern: { notify: () => Effect.void, exchange: () => Effect.never },
        converse: () => Effect.never
      })
      const list = (name: string, inputSchema: Schema) =>
        learned.learn(JsonRpc.success(1, { tools: [{ name, inputSchema }] }))
      const [annotated, bare] = [{ type: "object", properties }, { type: "object" }]
      for (let n = 0; n <= limits.learnedTools; n++) list(`a${n}`, { ...annotated })
      for (let n = 0; n <= limits.forgottenTools; n++) list(`b${n}`, bare)
      list("b".repeat(limits.forgottenToolLength + 1), bare)
      const known = (name: string) => learned.of(name)?.length
      expect([known("a0"), known("a1"), known(`a${limits.learnedTools}`)]).toEqual([undefined, 4, 4])
      expect([known("b0"), known("b1"), known(`b${limits.forgottenTools}`)]).toEqual([undefined, 0, 0])
      expect(known("b".repeat(limits.forgottenToolLength + 1))).toBe(undefined)
      // one that has changed is what it is now
      list("a1", bare)
      list("b1", { ...annotated })
      expect([known("a1"), known("b1")]).toEqual([0, 4])
      learned.expire()
      expect([known("a1"), known("b1"), known("b2")]).toEqual([undefined, undefined, undefined])
    })
  )

  it.live("are checked although the list was refused a moment ago, to somebody who asked in another way", () =>
    Effect.gen(function* () {
      const { host } = makeHost()
      const { exchange } = host.modern
      const refusal = { code: -32602, message: "no capabilities" }
      const strict: Host = {
        ...host,
        modern: {
          ...host.modern,
          exchange: (request, say) =>
            Meta.CLIENT_CAPABILITIES in Meta.of(request.params)
              ? exchange(request, say)
              : Effect.succeed(JsonRpc.failure(request.id, refusal))
        }
      }
      const url = yield* served(strict)
      const [{ params, ...message }, headers] = call({ zone: "eu" }, { "mcp-param-zone": "us" })
      const { [Meta.CLIENT_CAPABILITIES]: _unsaid, ...meta } = Meta.of(params)
      const bad = { ...message, params: { ...params, _meta: meta } }
      expect((yield* ask(url, bad, headers)).body.error.code).toBe(-32602)
      expect((yield* ask(url, { ...message, params }, headers)).body.error?.code).toBe(-32020)
    })
  )

  it.live("are checked for a caller who sees more tools than the one who has just asked", () =>
    Effect.gen(function* () {
      const inputSchema = { type: "object", properties }
      const host: Host<HttpCall> = {
        modern: {
          notify: () => Effect.void,
          exchange: Effect.fnUntraced(function* ({ id, method }) {
            const { request } = yield* HttpCall
            const isAdmin = request.header("authorization") === "Bearer admin"
            return JsonRpc.success(
              id,
              method === "tools/list" ? { tools: isAdmin ? [{ name: "t", inputSchema }] : [] } : {}
            )
          })
        },
        converse: () => Effect.never
      }
      const url = yield* served(host)
      yield* ask(url, ...call({}, { authorization: "Bearer guest" }, "unknown"))
      const [message, headers] = call({ zone: "eu" }, { "mcp-param-zone": "us", authorization: "Bearer admin" })
      expect((yield* ask(url, message, headers)).body.error?.code).toBe(-32020)
    })
  )

  it.live("are no way to find out what somebody else may call", () =>
    Effect.gen(function* () {
      const inputSchema = { type: "object", properties }
      const isAdmin = Effect.map(HttpCall, ({ request }) => request.header("authorization") === "Bearer admin")
      let isRefusing = false
      const host: Host<HttpCall> = {
        modern: {
          notify: () => Effect.void,
          exchange: Effect.fnUntraced(function* ({ id, method }) {
            if (method === "tools/list" && isRefusing) return JsonRpc.failure(id, { code: -32000, message: "later" })
            const tools = (yield* isAdmin) ? [{ name: "t", inputSchema }] : []
            return JsonRpc.success(id, method === "tools/list" ? { tools } : {})
          })
        },
        converse: () => Effect.never
      }
      const url = yield* served(host)
      const codeFor = (who: string, headers: Headers, name?: string) =>
        Effect.map(
          ask(url, ...call({ zone: "eu" }, { authorization: `Bearer ${who}`, ...headers }, name)),
          ({ body }) => body.error?.code
        )
      expect(yield* codeFor("admin", {})).toBe(-32020)
      for (const headers of [{}, { "mcp-param-zone": "us" }, { "mcp-param-zone": "eu" }]) {
        // as of a tool that is not there; once for the list, and again for what is remembered of it
        expect(yield* codeFor("guest", headers)).toBe(undefined)
        expect(yield* codeFor("guest", headers)).toBe(undefined)
        expect(yield* codeFor("guest", headers, "none")).toBe(undefined)
      }
      expect(yield* codeFor("admin", { "mcp-param-zone": "us" })).toBe(-32020)
      // who cannot have the list gets around nothing by that
      isRefusing = true
      expect(yield* codeFor("other", { "mcp-param-zone": "us" })).toBe(-32020)
    })
  )

  it.live("are checked for who sees a tool, although somebody who does not has just called", () =>
    Effect.gen(function* () {
      const inputSchema = { type: "object", properties }
      const host: Host<HttpCall> = {
        modern: {
          notify: () => Effect.void,
          exchange: ({ id, method }) =>
            Effect.map(HttpCall, ({ request }) => {
              const tools = request.header("x-key") === "admin" ? [{ name: "t", inputSchema }] : []
              return JsonRpc.success(id, method === "tools/list" ? { tools } : {})
            })
        },
        converse: () => Effect.never
      }
      const url = yield* served(host)
      for (const common of [{}, { authorization: "Bearer of all" }]) {
        yield* ask(url, ...modern(1, "tools/list", {}, { ...common, "x-key": "admin" }))
        for (const [key, code] of [
          ["guest", undefined],
          ["admin", -32020],
          ["admin", -32020]
        ] as const) {
          const headers = { ...common, "x-key": key, "mcp-param-zone": "us" }
          expect((yield* ask(url, ...call({ zone: "eu" }, headers))).body.error?.code).toBe(code)
        }
      }
    })
  )

  it.live("are learned anew from every list that passes", () =>
    Effect.gen(function* () {
      const { change, host } = makeHost()
      const url = yield* served(host)
      expect((yield* ask(url, ...call({ zone: "eu" }, {}))).status).toBe(400)
      change({ type: "object", properties: { plain: { type: "string", "x-mcp-header": "Plain" } } })
      yield* ask(url, ...modern(1, "tools/list", { cursor: "2" }))
      expect((yield* ask(url, ...call({ zone: "eu" }, {}))).status).toBe(200)
      expect((yield* ask(url, ...call({ plain: "eu" }, {}))).status).toBe(400)
    })
  )

  it.live("can be named instead of being learned", () =>
    Effect.gen(function* () {
      const { host, lists } = makeHost()
      const paramHeaders = (tool: string) => (tool === "t" ? [{ header: "Mcp-Param-Zone", path: ["zone"] }] : [])
      const url = yield* served(host, { paramHeaders })
      expect((yield* ask(url, ...call({ zone: "eu" }, {}))).status).toBe(400)
      expect((yield* ask(url, ...call({ n: 1 }, {}))).status).toBe(200)
      expect(lists()).toBe(0)
    })
  )
})
