import { type CallError, NotOffered, Tools } from "@effective-mcp/client"
import { Violation } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connect, discovered, error, initialized, legacy, modern, result, scripted, type Script } from "./scripted.ts"

const add = { name: "add", inputSchema: { type: "object" } } as const

/** A server of each era, connected to. */
const eras = {
  modern: (script: Script) => scripted(modern(script)),
  legacy: (script: Script) => scripted(legacy(script))
}

/** What a server of the era says of a result besides. */
const stamp = { modern: { resultType: "complete" }, legacy: {} }

for (const era of ["modern", "legacy"] as const) {
  describe(`on ${era}`, () => {
    it.effect("a page of tools is one request, without a cursor the first", () =>
      Effect.gen(function* () {
        const server = eras[era]({ "tools/list": result({ ...stamp[era], tools: [add], nextCursor: "2" }) })
        const client = yield* connect(server)
        expect(yield* Tools.list(client)).toMatchObject({ tools: [add], nextCursor: "2" })
        expect(server.run.last.params).not.toHaveProperty("cursor")
        yield* Tools.list(client, { cursor: "2" })
        expect(server.run.last.params).toMatchObject({ cursor: "2" })
        expect(server.run.requests.filter(({ method }) => method === "tools/list").length).toBe(2)
      })
    )
    it.effect("a call names its tool and carries its arguments as they are", () =>
      Effect.gen(function* () {
        const answer = { content: [{ type: "text", text: "3" }], structuredContent: { sum: 3 } }
        const server = eras[era]({ "tools/call": result({ ...stamp[era], ...answer }) })
        const client = yield* connect(server)
        const args = { a: 1, b: [{ c: null }], _meta: "an argument like any other" }
        expect(yield* Tools.call(client, "add", args)).toMatchObject(answer)
        expect(server.run.last.params).toMatchObject({ name: "add", arguments: args })
      })
    )
    it.effect("C-12 a tool can be called as it was listed", () =>
      Effect.gen(function* () {
        const server = eras[era]({ "tools/call": result({ content: [] }) })
        yield* Tools.call(yield* connect(server), add, { a: 1 })
        expect(server.run.last.params).toMatchObject({ name: "add", arguments: { a: 1 } })
      })
    )
    it.effect("a call without arguments sends none", () =>
      Effect.gen(function* () {
        const server = eras[era]({ "tools/call": result({ content: [] }) })
        yield* Tools.call(yield* connect(server), "add")
        expect(server.run.last.params).not.toHaveProperty("arguments")
      })
    )
    it.effect("that the tool failed is a result", () =>
      Effect.gen(function* () {
        const failed = { content: [{ type: "text", text: "no" }], isError: true }
        const server = eras[era]({ "tools/call": result({ ...stamp[era], ...failed }) })
        expect(yield* Tools.call(yield* connect(server), "add")).toMatchObject(failed)
      })
    )
    it.effect("an unknown tool is an error of the server's", () =>
      Effect.gen(function* () {
        const server = eras[era]({ "tools/call": error(-32602, { name: "nope" }) })
        const failure = yield* Effect.flip(Tools.call(yield* connect(server), "nope"))
        expect(failure).toMatchObject({ _tag: "RpcError", code: -32602, message: "no", data: { name: "nope" } })
      })
    )
    it.effect("C-12 what nobody here knows survives", () =>
      Effect.gen(function* () {
        const tool = {
          ...add,
          inputSchema: { type: "object", "x-vendor": [1], properties: { a: { type: "integer", "x-mcp-header": "A" } } },
          "x-vendor": { deep: [true] },
          annotations: { readOnlyHint: true, mood: "calm" },
          _meta: { "com.example/k": 1 }
        }
        const content = { type: "text", text: "x", "x-vendor": 1, _meta: { "com.example/k": 2 } }
        const server = eras[era]({
          "tools/list": result({ tools: [tool], "x-vendor": "y", _meta: { "com.example/k": 3 } }),
          "tools/call": result({ content: [content], "x-vendor": "z", _meta: { "com.example/k": 4 } })
        })
        const client = yield* connect(server)
        expect(yield* Tools.list(client)).toEqual({ tools: [tool], "x-vendor": "y", _meta: { "com.example/k": 3 } })
        expect(yield* Tools.call(client, "add")).toEqual({
          content: [content],
          "x-vendor": "z",
          _meta: { "com.example/k": 4 }
        })
      })
    )
    it.effect("nothing is sent to a server that did not say it has tools", () =>
      Effect.gen(function* () {
        const server = scripted({
          ...legacy({ initialize: initialized({ capabilities: { prompts: {} } }) }),
          ...(era === "modern" ? { "server/discover": discovered({ capabilities: { prompts: {} } }) } : undefined)
        })
        const client = yield* connect(server)
        const before = server.run.heard.length
        const calls: ReadonlyArray<Effect.Effect<unknown, CallError | Tools.OutputError>> = [
          Tools.list(client),
          Tools.call(client, "add", { a: 1 })
        ]
        for (const call of calls) {
          const failure = yield* Effect.flip(call)
          expect(failure).toBeInstanceOf(NotOffered)
          expect(failure).toMatchObject({ capability: "tools", outcome: "NotSent" })
        }
        expect(server.run.heard.length).toBe(before)
      })
    )
    it.effect("RPC-17 the caller's _meta goes beside what the protocol puts there", () =>
      Effect.gen(function* () {
        const server = eras[era]({ "tools/call": result({ content: [] }) })
        const client = yield* connect(server)
        yield* Tools.call(client, "add", { a: 1 }, { meta: { "com.example/k": 1 }, onProgress: () => {} })
        const { id, params } = server.run.last
        expect(params).toEqual({
          name: "add",
          arguments: { a: 1 },
          _meta: {
            "com.example/k": 1,
            progressToken: id,
            ...(era === "modern" && {
              "io.modelcontextprotocol/protocolVersion": "2026-07-28",
              "io.modelcontextprotocol/clientInfo": expect.anything(),
              "io.modelcontextprotocol/clientCapabilities": {}
            })
          }
        })
      })
    )
    it.effect("RPC-17 the caller cannot set what the protocol owns", () =>
      Effect.gen(function* () {
        const server = eras[era]({ "tools/list": result({ tools: [] }) })
        const client = yield* connect(server)
        yield* Tools.list(client)
        const [untouched] = [server.run.last.params?._meta]
        const meta = {
          progressToken: "mine",
          "io.modelcontextprotocol/protocolVersion": "1999-01-01",
          "io.modelcontextprotocol/clientInfo": { name: "somebody", version: "else" },
          "io.modelcontextprotocol/clientCapabilities": { sampling: {} }
        }
        yield* Tools.list(client, {}, { meta })
        expect(server.run.last.params?._meta).toEqual({ ...Object(untouched), progressToken: server.run.last.id })
      })
    )
  })
}

describe("the type of a result", () => {
  const call = (era: "modern" | "legacy", resultType: unknown) =>
    Effect.gen(function* () {
      const server = eras[era]({ "tools/call": result({ content: [], resultType, inputRequests: {} }) })
      return yield* Tools.call(yield* connect(server), "add")
    })

  it.effect("R-160 DET-07 on modern is complete when it is not said", () =>
    Effect.gen(function* () {
      const server = eras.modern({ "tools/call": result({ content: [] }) })
      expect(yield* Tools.call(yield* connect(server), "add")).toEqual({ content: [] })
    })
  )
  for (const resultType of ["input_required", "task", "Complete", "", 1, null]) {
    it.effect(`R-160 R-162 DET-07 on modern ${JSON.stringify(resultType)} is a violation, never an empty success`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(call("modern", resultType))
        expect(failure).toBeInstanceOf(Violation)
        expect(failure).toMatchObject({ method: "tools/call", revision: "2026-07-28", outcome: "Unknown" })
      })
    )
  }
  it.effect("R-160 on legacy does not exist: any but complete is a violation", () =>
    Effect.gen(function* () {
      expect(yield* call("legacy", "complete")).toMatchObject({ content: [] })
      for (const resultType of ["input_required", "task", 1]) {
        expect(yield* Effect.flip(call("legacy", resultType))).toMatchObject({
          _tag: "Violation",
          revision: "2025-11-25"
        })
      }
    })
  )
})

describe("the text of a result", () => {
  it("is its text contents, a line each, and nothing of the others", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const
    expect(Tools.text({ content: [{ type: "text", text: "a" }, image, { type: "text", text: "b" }] })).toBe("a\nb")
    expect(Tools.text({ content: [] })).toBe("")
  })
})
