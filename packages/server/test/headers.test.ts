import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as z from "zod"
import { info, Log, modern, wire } from "./wire.ts"

const run = () => Effect.succeed("")
const make = (properties: object, more: object = {}) =>
  Tool.make("t", { inputSchema: { type: "object", properties, ...more }, run })

const region = { type: "string", "x-mcp-header": "Region" }

describe("x-mcp-header of a schema of a tool", () => {
  const right: ReadonlyArray<readonly [string, object, object?]> = [
    ["on a string", { region }],
    [
      "on an integer and a boolean",
      { a: { type: "integer", "x-mcp-header": "A" }, b: { type: "boolean", "x-mcp-header": "B" } }
    ],
    [
      "on a property of a property",
      { a: { type: "object", properties: { b: { type: "object", properties: { region } } } } }
    ],
    ["as any token", { a: { type: "string", "x-mcp-header": "!#$%&'*+-.^_`|~09azAZ" } }],
    ["as the name of a property", { "x-mcp-header": { type: "array", items: {} } }],
    ["as a part of a value", { a: { type: "object", default: { "x-mcp-header": "" }, enum: [{ "x-mcp-header": 1 }] } }]
  ]
  for (const [what, properties, more] of right) {
    it.effect(`may stand ${what}, and is listed`, () =>
      Effect.gen(function* () {
        const { result } = yield* wire(Server.make(info, [make(properties, more)]))
        expect((yield* result("tools/list", modern())).tools).toMatchObject([{ inputSchema: { properties } }])
      })
    )
  }
  const wrong: ReadonlyArray<readonly [string, object, object?]> = [
    ["empty", { a: { type: "string", "x-mcp-header": "" } }],
    ["no text", { a: { type: "string", "x-mcp-header": 1 } }],
    ["no token", { a: { type: "string", "x-mcp-header": "A B" } }],
    ["two lines", { a: { type: "string", "x-mcp-header": "A\r\nB" } }],
    ["twice there, in another case", { a: region, b: { type: "string", "x-mcp-header": "REGION" } }],
    ["on a number", { a: { type: "number", "x-mcp-header": "A" } }],
    ["on an object", { a: { type: "object", "x-mcp-header": "A" } }],
    ["on an array", { a: { type: "array", "x-mcp-header": "A" } }],
    ["on null", { a: { type: "null", "x-mcp-header": "A" } }],
    ["on something of two types", { a: { type: ["string", "null"], "x-mcp-header": "A" } }],
    ["on something of no type", { a: { "x-mcp-header": "A" } }],
    ["on the whole", {}, { "x-mcp-header": "A" }],
    ["on items", { a: { type: "array", items: region } }],
    ["on prefix items", { a: { type: "array", prefixItems: [region] } }],
    ["behind oneOf", { a: { oneOf: [region] } }],
    ["behind allOf of the whole", {}, { allOf: [{ properties: { region } }] }],
    ["behind if", {}, { if: { properties: { region } } }],
    ["behind not", { a: { not: region } }],
    ["in a definition", {}, { $defs: { region } }],
    ["in additional properties", {}, { additionalProperties: region }],
    ["in pattern properties", {}, { patternProperties: { a: region } }],
    ["in dependent schemas", {}, { dependentSchemas: { a: { properties: { region } } } }]
  ]
  for (const [what, properties, more] of wrong) {
    it(`is refused when the tool is made where it is ${what}`, () => {
      expect(() => make(properties, more)).toThrow(/x-mcp-header/)
    })
  }
  it("is looked for in any schema, however it is nested", () => {
    let deep: object = region
    for (let i = 0; i < 10_000; i++) deep = { not: deep }
    expect(() => make({ deep })).toThrow(/x-mcp-header/)
  })
  it.effect("comes from an annotation of Effect Schema, and from zod", () =>
    Effect.gen(function* () {
      const effect = Tool.make("effect", {
        input: { region: Schema.String.annotate({ "x-mcp-header": "Region" }), size: Schema.optionalKey(Schema.Int) },
        run
      })
      const zod = Tool.make("zod", { input: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }), run })
      const { result } = yield* wire(Server.make(info, [effect, zod]))
      const expected = { inputSchema: { properties: { region } } }
      expect((yield* result("tools/list", modern())).tools).toMatchObject([expected, expected])
    })
  )
  it.effect("that is not allowed in a schema made later leaves its tool out of the list, and no other", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const wrong = Tool.make("wrong", {
        input: { n: Schema.Finite.annotate({ "x-mcp-header": "N" }) },
        run
      })
      const { result } = yield* wire(Server.make(info, [wrong, make({ region })]))
      expect((yield* result("tools/list", modern())).tools).toMatchObject([{ name: "t" }])
      expect(log.lines.join()).toContain("wrong")
    }).pipe(Effect.provide(log.layer))
  })
})
