import { Ask, Call, Server, Tool } from "@effective-mcp/server"
import { type FormSchema, type JsonRpc, legacyRevisions, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { accept, calling, rounds, textOf } from "./asking.ts"
import { info, wire } from "./wire.ts"

const [modern] = modernRevisions
const fieldsOf = ({ request }: Ask.Ask<unknown>): unknown =>
  request.method === "elicitation/create" && request.params.mode !== "url" ? request.params.requestedSchema : undefined

const read = <A>(ask: Ask.Ask<A>, result: JsonRpc.JsonObject) => ask.read(modern, result, Effect.void)

const fields = {
  name: Schema.String.annotate({ title: "Name", description: "In full", default: "Ada" }),
  age: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 150 })),
  any: Schema.Int,
  score: Schema.Finite.annotate({ default: 9.5 }),
  over: Schema.Finite.check(Schema.isGreaterThan(3)),
  mail: Schema.optionalKey(Schema.String.annotate({ format: "email" })),
  odd: Schema.String.annotate({ format: "phone" }),
  sure: Schema.Boolean.annotate({ default: true }),
  size: Schema.Literals(["S", "L"]).annotate({ default: "S" }),
  colour: Schema.Union([
    Schema.Literal("r").annotate({ title: "Red" }),
    Schema.Literal("g").annotate({ title: "Green" })
  ]),
  some: Schema.Array(Schema.Literals(["a", "b"])).check(Schema.isMinLength(1)),
  shown: Schema.Array(
    Schema.Union([Schema.Literal("a").annotate({ title: "A" }), Schema.Literal("b").annotate({ title: "B" })])
  ),
  named: Schema.Literals(["x", "y"]).annotate({ identifier: "Named" }),
  date: Schema.Date
}

describe("a form of Effect Schemas", () => {
  it("asks for texts, numbers, booleans and choices, with their labels and defaults", () => {
    expect(fieldsOf(Ask.form("", fields))).toEqual({
      type: "object",
      properties: {
        name: { type: "string", title: "Name", description: "In full", default: "Ada" },
        age: { type: "integer", minimum: 0, maximum: 150 },
        any: { type: "integer" },
        score: { type: "number", default: 9.5 },
        over: { type: "number" },
        mail: { type: "string", format: "email" },
        odd: { type: "string" },
        sure: { type: "boolean", default: true },
        size: { type: "string", enum: ["S", "L"], default: "S" },
        colour: {
          type: "string",
          oneOf: [
            { const: "r", title: "Red" },
            { const: "g", title: "Green" }
          ]
        },
        some: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 },
        shown: {
          type: "array",
          items: {
            anyOf: [
              { const: "a", title: "A" },
              { const: "b", title: "B" }
            ]
          }
        },
        named: { type: "string", enum: ["x", "y"] },
        date: { type: "string" }
      },
      required: Object.keys(fields).filter((name) => name !== "mail")
    })
  })
  const right = {
    name: "Bo",
    age: 3,
    any: -1,
    score: 0.5,
    over: 4,
    odd: "",
    sure: false,
    size: "L",
    colour: "g",
    some: ["b"],
    shown: [],
    named: "y",
    date: "2026-01-02T00:00:00.000Z"
  }
  it.effect("gives back what its schemas decode to, and no field that was not asked for", () =>
    Effect.gen(function* () {
      const answer = yield* read(Ask.form("", fields), accept({ ...right, extra: "x" }))
      expect(answer).toEqual({ action: "accept", content: { ...right, date: new Date("2026-01-02") } })
    })
  )
  for (const [name, value] of Object.entries({
    name: 5,
    age: 151,
    any: 0.5,
    score: "1",
    over: 3,
    sure: "yes",
    size: "M",
    colour: "b",
    some: ["c"],
    shown: "a"
  })) {
    it.effect(`says which field does not fit: ${name}`, () =>
      Effect.gen(function* () {
        const fault = yield* Effect.flip(read(Ask.form("", fields), accept({ ...right, [name]: value })))
        expect(fault).toBe(`the field "${name}" does not fit`)
      })
    )
  }
  const bad: ReadonlyArray<readonly [string, Schema.ConstraintDecoder<unknown>]> = [
    ["an object", Schema.Struct({ a: Schema.String })],
    ["a list of texts", Schema.Array(Schema.String)],
    ["a list of objects", Schema.Array(Schema.Struct({ a: Schema.String }))],
    ["a number that may be none", Schema.Number],
    ["a choice of numbers", Schema.Literals([1, 2])],
    ["a union", Schema.Union([Schema.String, Schema.Finite])],
    ["null", Schema.NullOr(Schema.String)],
    ["anything", Schema.Unknown]
  ]
  for (const [what, schema] of bad) {
    it(`refuses ${what} when it is built`, () => {
      expect(() => Ask.form("", { field: schema })).toThrow('the field "field" cannot stand in a form')
    })
  }
  it("refuses what is no schema, as plain JavaScript may have it", () => {
    // @ts-expect-error fields are schemas
    expect(() => Ask.form("", { field: { type: "string" } })).toThrow("is no Effect Schema")
  })
  it.effect("may have names that objects inherit", () =>
    Effect.gen(function* () {
      const ask = Ask.form("", { constructor: Schema.String, toString: Schema.optionalKey(Schema.String) })
      const answer = yield* read(ask, accept({ constructor: "c" }))
      expect(answer).toMatchObject({ content: { constructor: "c" } })
      expect(Exit.isFailure(yield* Effect.exit(read(ask, accept({}))))).toBe(true)
    })
  )
})

describe("a form of JSON Schema", () => {
  const schema: FormSchema = {
    type: "object",
    properties: {
      legacy: { type: "string", enum: ["a"], enumNames: ["A"], title: "T" },
      age: { type: "integer", minimum: 1, default: 5 },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] }, maxItems: 1 }
    },
    required: ["age"]
  }
  it("is asked as it is written", () => {
    expect(fieldsOf(Ask.form("", schema))).toBe(schema)
  })
  it.effect("checks what was filled in", () =>
    Effect.gen(function* () {
      const ask = Ask.form("", schema)
      expect(yield* read(ask, accept({ age: 2, tags: ["x"] }))).toEqual(accept({ age: 2, tags: ["x"] }))
      for (const [content, field] of [
        [{ age: 0 }, "age"],
        [{ age: 1, legacy: "b" }, "legacy"],
        [{ age: 1, tags: ["x", "y"] }, "tags"]
      ] as const) {
        expect(yield* Effect.flip(read(ask, accept(content)))).toBe(`the field "${field}" does not fit`)
      }
      expect(yield* Effect.flip(read(ask, accept({})))).toBe("what was filled in does not fit the form")
    })
  )
  for (const [what, field] of Object.entries({
    "an object": { type: "object", properties: {} },
    "no type": {},
    "several types": { type: ["string", "null"] },
    "a format of another kind": { type: "string", format: "regex" },
    "a list of texts": { type: "array", items: { type: "string" } },
    "a choice of numbers": { type: "integer", enum: [1] },
    "a choice without titles": { type: "string", oneOf: [{ const: "a" }] },
    null: null
  })) {
    it(`refuses ${what} when it is built`, () => {
      const nested = { type: "object", properties: { field } } as unknown as FormSchema // cast: the types refuse it, too
      expect(() => Ask.form("", nested)).toThrow('the field "field" cannot stand in a form')
    })
  }
  it.effect("is read by every revision that has forms", () =>
    Effect.forEach(
      [...modernRevisions, ...legacyRevisions].filter(({ questions }) => questions["elicitation/create"] !== undefined),
      (revision) =>
        Effect.gen(function* () {
          const ask = Ask.form("", { name: Schema.String })
          expect(yield* ask.read(revision, accept({ name: "Ada" }), Effect.void)).toEqual(accept({ name: "Ada" }))
          expect(yield* ask.read(revision, { action: "decline" }, Effect.void)).toEqual({ action: "decline" })
        })
    )
  )
})

describe("a page", () => {
  for (const url of [
    "/relative",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "https://u:p@h",
    ""
  ]) {
    it(`is not at ${JSON.stringify(url)}`, () => {
      expect(() => Ask.url("", url)).toThrow()
    })
  }
  it.effect("is agreed to, or not; on newer revisions nothing says that it is done", () =>
    Effect.gen(function* () {
      const tool = Tool.make("page", {
        run: Effect.fnUntraced(function* () {
          const { page } = yield* (yield* Call).ask({ page: Ask.url("Go", "https://example.com/a", "id 1") })
          if (page.action === "accept") yield* page.done
          return page.action
        })
      })
      const client = yield* wire(Server.make(info, [tool]))
      const { result } = yield* rounds(client, "page", () => ({ action: "accept" }))
      expect(textOf(result)).toBe("accept")
      const first = yield* client.result("tools/call", calling("page"))
      expect(first).toMatchObject({
        inputRequests: { page: { params: { mode: "url", message: "Go", url: "https://example.com/a" } } }
      })
      expect(JSON.stringify(first)).not.toContain("elicitationId")
      expect(client.said.every((message) => "result" in message)).toBe(true)
    })
  )
})
