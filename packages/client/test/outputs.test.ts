import { Tools } from "@effective-mcp/client"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type } from "arktype"
import { z } from "zod"
import { connect, inTurn, legacy, Log, modern, result, scripted } from "./scripted.ts"

const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
const tool = (name: string, output?: unknown): JsonRpc.JsonObject => ({
  name,
  inputSchema: { type: "object" },
  ...(output === undefined ? undefined : { outputSchema: output })
})

const serving = (
  era: "modern" | "legacy",
  tools: ReadonlyArray<unknown>,
  ...results: ReadonlyArray<JsonRpc.JsonObject>
) => {
  const [first = { content: [] }, ...rest] = results
  const script = { "tools/list": result({ tools }), "tools/call": inTurn(result(first), ...rest.map(result)) }
  return scripted(era === "modern" ? modern(script) : legacy(script))
}

const given = (structuredContent: unknown) => ({ content: [], structuredContent })

for (const era of ["modern", "legacy"] as const) {
  describe(`what a tool gives back on ${era}`, () => {
    it.effect("FEA-11 fits its output schema, or fails; a tool that failed is not checked", () =>
      Effect.gen(function* () {
        const failed = { content: [{ type: "text", text: "no" }], isError: true }
        const results = [failed, given({ n: 1 }), given({ n: "x" }), { content: [] }]
        const client = yield* connect(serving(era, [tool("t", outputSchema)], ...results))
        const [listed] = (yield* Tools.list(client)).tools
        expect(yield* Tools.call(client, "t")).toEqual(failed)
        expect(yield* Tools.call(client, "t")).toEqual(given({ n: 1 }))
        const unfit = yield* Effect.flip(Tools.call(client, listed!))
        expect(unfit).toMatchObject({
          _tag: "OutputError",
          tool: "t",
          reason: { _tag: "Unfit" },
          result: given({ n: "x" })
        })
        expect(unfit.message).toMatch(/\/n/)
        expect(yield* Effect.flip(Tools.call(client, "t"))).toMatchObject({ reason: { _tag: "Missing" } })
      })
    )
    it.effect("FEA-11 may only be warned of, or not looked at", () => {
      const log = new Log()
      return Effect.gen(function* () {
        const client = yield* connect(serving(era, [tool("t", outputSchema)], given({ n: "x" })))
        yield* Tools.list(client)
        expect(yield* Tools.call(client, "t", {}, { check: "off" })).toEqual(given({ n: "x" }))
        expect(log.lines).toEqual([])
        expect(yield* Tools.call(client, "t", {}, { check: "warn" })).toEqual(given({ n: "x" }))
        expect(log.lines.length).toBe(1)
      }).pipe(Effect.provide(log.layer))
    })
    it.effect("FEA-06 one bad tool hides no other, and is only told of when it is called", () => {
      const log = new Log()
      return Effect.gen(function* () {
        const missing = { ...outputSchema, properties: { n: { $ref: "#/$defs/Missing" } } }
        const local = { ...outputSchema, properties: { n: { $ref: "#/$defs/N" } }, $defs: { N: { type: "integer" } } }
        const dialect = { ...outputSchema, $schema: "https://example.com/dialect" }
        const tools = [
          tool("good"),
          tool("missing", missing),
          { ...tool("null"), inputSchema: null },
          null,
          { ...tool("x"), name: 5 },
          tool("local", local),
          tool("dialect", dialect)
        ]
        const client = yield* connect(serving(era, tools, given({ n: "x" })))
        const listed = yield* Stream.runCollect(Tools.all(client))
        expect(listed.map(({ name }) => name)).toEqual(["good", "missing", "local", "dialect"])
        expect(log.lines.length).toBe(1)
        yield* Tools.call(client, "good")
        expect(yield* Effect.flip(Tools.call(client, "local"))).toMatchObject({ reason: { _tag: "Unfit" } })
        expect(log.lines.length).toBe(1)
        for (const name of ["missing", "missing", "dialect"]) yield* Tools.call(client, name)
        expect(log.lines.length).toBe(3)
        expect(log.lines[2]).toMatch(/dialect/)
      }).pipe(Effect.provide(log.layer))
    })
    it.effect("is checked as the last list said", () =>
      Effect.gen(function* () {
        const lists = inTurn(result({ tools: [tool("t", outputSchema)] }), result({ tools: [tool("t")] }))
        const script = { "tools/list": lists, "tools/call": result(given({ n: "x" })) }
        const client = yield* connect(scripted(era === "modern" ? modern(script) : legacy(script)))
        yield* Tools.list(client)
        yield* Effect.flip(Tools.call(client, "t"))
        yield* Tools.list(client)
        yield* Tools.call(client, "t")
      })
    )
    it.effect("is not checked any more once the server says that its tools are others", () =>
      Effect.gen(function* () {
        const server = serving(era, [tool("t", outputSchema)], given({ n: "x" }))
        const client = yield* connect(server)
        yield* Tools.list(client)
        yield* Effect.flip(Tools.call(client, "t"))
        const heard = yield* Deferred.make<void>()
        client.hub.onHeard(() => Deferred.doneUnsafe(heard, Effect.void))
        server.run.say(JsonRpc.notification("notifications/tools/list_changed"))
        yield* Deferred.await(heard)
        expect(yield* Tools.call(client, "t")).toEqual(given({ n: "x" }))
      })
    )
  })
}

describe("structured content", () => {
  it.effect("FEA-11 may be any JSON on modern", () =>
    Effect.gen(function* () {
      const any = { type: ["array", "integer", "null"] }
      for (const value of [[1], 5, null]) {
        const client = yield* connect(serving("modern", [tool("t", any)], given(value)))
        yield* Tools.list(client)
        expect(yield* Tools.call(client, "t")).toEqual(given(value))
      }
    })
  )
  it.effect("FEA-11 without content has an empty one on legacy, and is refused on modern", () =>
    Effect.gen(function* () {
      const structuredContent = { n: 1 }
      const old = yield* connect(serving("legacy", [], { structuredContent }))
      expect(yield* Tools.call(old, "t")).toEqual({ structuredContent, content: [] })
      const young = yield* connect(serving("modern", [], { structuredContent }))
      expect(yield* Effect.flip(Tools.call(young, "t"))).toMatchObject({ _tag: "Violation" })
    })
  )
})

describe("a caller's own schema", () => {
  const schemas = {
    Effect: Schema.Struct({ n: Schema.FiniteFromString }),
    zod: z.object({ n: z.string().regex(/^\d+$/).transform(Number) }),
    arktype: type({ n: "string.numeric.parse" })
  }
  for (const [library, schema] of Object.entries(schemas)) {
    it.effect(`of ${library} reads what a tool gave, and says when it is something else`, () =>
      Effect.gen(function* () {
        const results = [given({ n: "5" }), given({ n: "x" }), { content: [] }, { content: [], isError: true }]
        const client = yield* connect(serving("modern", [], ...results))
        const call = Tools.callAs(client, "t", schema as typeof schemas.Effect)
        expect(yield* call).toEqual({ n: 5 })
        for (const _tag of ["Unexpected", "Missing", "Failed"])
          expect(yield* Effect.flip(call)).toMatchObject({ _tag: "OutputError", reason: { _tag } })
      })
    )
  }
})
