import * as JsonSchema from "@effective-mcp/protocol/json-schema"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import { compiled, errorOf, every, fits, outcome, refusal, withDialect } from "./outcome.ts"

const tool = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    age: { type: "integer", minimum: 0 },
    kind: { enum: ["cat", "dog"] },
    tags: { type: "array", items: { type: "string" } }
  },
  required: ["name", "age"],
  additionalProperties: false
}

describe("the text of a mismatch", () => {
  it("says where, what and by which keyword, one a line", () => {
    expect(errorOf(tool, { age: "secret", kind: "bird", tags: ["a", 1], extra: 1 }).message).toBe(
      [
        "the value does not match its schema:",
        'the value must have the member "name" (required)',
        "/age must be integer, is string (type)",
        '/kind must be one of "cat", "dog" (enum)',
        "/tags/1 must be string, is number (type)",
        'the value must not have the member "extra" (additionalProperties)'
      ].join("\n")
    )
  })

  it("says where as a JSON pointer", () => {
    expect(outcome({ properties: { "a/b~c": { items: false } } }, { "a/b~c": [1] })).toStrictEqual([
      ["/a~1b~0c/0", "items"]
    ])
  })

  it("says of a list or object that the schema gives that it is that one", () => {
    const line = (schema: { readonly [keyword: string]: unknown }, value: unknown) =>
      errorOf(schema, value).message.split("\n")[1]
    expect(line({ const: ["1"] }, [1])).toBe("the value must be the array that the schema gives (const)")
    expect(line({ const: {} }, { a: 1 })).toBe("the value must be the object that the schema gives (const)")
    expect(line({ enum: [["1"], {}, 2] }, [1])).toBe(
      "the value must be one of an array that the schema gives, an object that the schema gives, 2 (enum)"
    )
  })

  it("takes no number that is not finite for a fraction", () => {
    const line = (type: string, value: unknown) => errorOf({ type }, value).message.split("\n")[1]
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(line("number", odd)).toBe("the value must be number, is no finite number (type)")
      expect(line("integer", odd)).toBe("the value must be integer, is no finite number (type)")
    }
    expect(line("integer", 0.5)).toBe("the value must be integer, is number with a fraction (type)")
  })

  it("never holds the value", () => {
    const schemas = [
      tool,
      { const: 1 },
      { pattern: "^x$" },
      { maxLength: 1 },
      { anyOf: [{ type: "null" }, { const: "y" }] },
      { oneOf: [true, true] },
      { not: {} },
      { format: "x", enum: [] }
    ]
    for (const schema of schemas) expect(errorOf(schema, "hunter2").message).not.toContain("hunter2")
  })

  it("is bounded, whatever the names are", () => {
    const value = Object.fromEntries(
      Array.from({ length: 99 }, (_, i) => [`${i}${"é".repeat(400)}`, { [`${"🦜".repeat(99)}`]: i }])
    )
    for (const schema of [
      { additionalProperties: false },
      { additionalProperties: { additionalProperties: { type: "null" } } }
    ]) {
      const error = errorOf(schema, value)
      expect(new TextEncoder().encode(error.message).length).toBeLessThanOrEqual(4096)
      expect(error.message).toMatch(/more$/)
      expect(error.message).toBe(Buffer.from(error.message).toString())
    }
  })

  it("disturbs no terminal", () => {
    const name = "\u001b[31m\u0007\n\u202e"
    const schema = {
      additionalProperties: { required: [name], propertyNames: { maxLength: 0 }, additionalProperties: false }
    }
    expect(errorOf(schema, { [name]: { [name]: undefined, [`x${name}`]: 1 } }).message).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u202e]/
    )
  })
})

describe("failures", () => {
  it("are at most 20, and it is said that there are more", () => {
    const { reason } = errorOf({ items: { type: "null" } }, Array(21).fill(1))
    expect(reason).toMatchObject({ _tag: "Mismatch", more: true })
    expect(outcome({ items: { type: "null" } }, Array(99).fill(1))).toHaveLength(20)
    expect(errorOf({ items: { type: "null" } }, Array(20).fill(1)).reason).toMatchObject({ more: false })
  })

  it("are each said once", () => {
    expect(outcome({ allOf: [{ type: "null" }, { type: "null" }] }, 1)).toStrictEqual([["", "type"]])
  })

  it("of alternatives are told where only one can have been meant", () => {
    const circle = { properties: { kind: { const: "circle" }, r: { type: "number" } }, required: ["kind", "r"] }
    const square = { properties: { kind: { const: "square" }, a: { type: "number" } }, required: ["kind", "a"] }
    const schema = { items: { oneOf: [circle, square, { type: "null" }] } }
    expect(outcome(schema, [{ kind: "square", a: "1" }])).toStrictEqual([
      ["/0", "oneOf"],
      ["/0/a", "type"]
    ])
    expect(outcome(schema, [1])).toStrictEqual([["/0", "oneOf"]])
    expect(outcome(schema, [{ kind: "star" }])).toStrictEqual([["/0", "oneOf"]])
  })

  it("of alternatives tell what each asks of the value itself", () => {
    const text = (anyOf: ReadonlyArray<object>, value: unknown) => errorOf({ anyOf }, value).message.split("\n")[1]
    expect(text([{ type: "string" }, { type: "null" }], 1)).toBe(
      "the value must match one of 2 alternatives: must be string, is number; must be null, is number (anyOf)"
    )
    expect(text([{ const: "a" }, { const: "b" }], "c")).toBe(
      'the value must match one of 2 alternatives: must be "a"; must be "b" (anyOf)'
    )
    expect(
      text(
        [1, 2, 3, 4, 5].map((one) => ({ const: one })),
        6
      )
    ).toBe("the value must match one of 5 alternatives (anyOf)")
  })

  it("are there even where finding them takes too much", () => {
    const wide = { anyOf: Array.from({ length: 100 }, () => ({ items: { type: "null" } })) }
    const value = Array.from({ length: 100 }, () => 1)
    const { reason } = errorOf(wide, value, { steps: 300 })
    expect(reason).toStrictEqual({
      _tag: "Mismatch",
      more: true,
      failures: [{ path: "", keyword: "schema", message: "must match the schema" }]
    })
  })
})

describe("a dialect", () => {
  it("is 2020-12 where none is named", () => {
    expect(fits({ prefixItems: [{ type: "null" }] }, [1])).toBe(false)
  })

  it.each(every)("is known by its name with and without an empty fragment, over http and https: %s", (name) => {
    const { $schema } = Object(withDialect(name, {}))
    for (const uri of [
      $schema,
      `${$schema.replace(/#$/, "")}#`,
      $schema.replace(/#$/, ""),
      $schema.replace(/^https?/, "https")
    ])
      expect(refusal({ $schema: uri, type: "null" })).toBeUndefined()
  })

  it.each(["http://json-schema.org/draft-04/schema#", "https://example.com/mine", "", "__proto__"])(
    "that is not known is an error of its schema: %s",
    ($schema) => {
      expect(refusal({ $schema })).toStrictEqual({ _tag: "UnknownDialect", dialect: $schema })
      expect(refusal({ $defs: { a: { $id: "a", $schema } } })?._tag).toBe("UnknownDialect")
    }
  )

  it("may change inside, with a $id", () => {
    const inner = { $id: "inner", $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "null" }] }
    expect(fits({ properties: { a: inner } }, { a: [1] })).toBe(false)
  })
})

describe("a schema that its dialect does not allow is refused:", () => {
  const wrong: ReadonlyArray<readonly [at: string, schema: unknown]> = [
    ["#", null],
    ["#", []],
    ["#", "string"],
    ["#/$schema", { $schema: 1 }],
    ["#/properties/a", { properties: { a: null } }],
    ["#/properties", { properties: [] }],
    ["#/type", { type: "strnig" }],
    ["#/type", { type: [] }],
    ["#/type", { type: ["null", 1] }],
    ["#/enum", { enum: "a" }],
    ["#/minimum", { minimum: "1" }],
    ["#/exclusiveMinimum", { exclusiveMinimum: true }],
    ["#/multipleOf", { multipleOf: 0 }],
    ["#/minLength", { minLength: -1 }],
    ["#/maxItems", { maxItems: 1.5 }],
    ["#/pattern", { pattern: 1 }],
    ["#/required", { required: "a" }],
    ["#/required", { required: [1] }],
    ["#/items", { items: [{}] }],
    ["#/allOf", { allOf: [] }],
    ["#/anyOf/1", { anyOf: [{}, 1] }],
    ["#/uniqueItems", { uniqueItems: 1 }],
    ["#/dependentRequired", { dependentRequired: { a: "b" } }],
    ["#/$defs/a/not", { $defs: { a: { not: 1 } } }],
    ["#/$ref", { $ref: 1 }],
    ["#/$id", { $id: 1 }],
    ["#/$id", { $id: "http://[" }],
    ["#/$id", { $id: "a#b" }],
    ["#/$defs/b/$id", { $defs: { a: { $id: "a" }, b: { $id: "a" } } }],
    ["#/$anchor", { $anchor: "a b" }],
    ["#/$defs/b/$anchor", { $defs: { a: { $anchor: "a" }, b: { $anchor: "a" } } }]
  ]
  it.each(wrong)("%s", (at, schema) => {
    expect(refusal(schema)).toMatchObject({ _tag: "Invalid", at })
  })

  it("a recursive reference to anywhere else", () => {
    expect(refusal(withDialect("2019-09", { $recursiveRef: "#/a" }))).toMatchObject({
      _tag: "Invalid",
      at: "#/$recursiveRef"
    })
  })

  it("with words for each reason", () => {
    const texts: ReadonlyArray<readonly [unknown, string]> = [
      [{ $schema: "x:y" }, "its dialect is not supported: x:y"],
      [{ $ref: "#/a" }, "#/$ref refers to #/a, which is not in the schema; nothing is fetched"],
      [{ pattern: "(?=a)" }, "the pattern of #/pattern is refused: it looks ahead or behind"],
      [{ type: 1 }, "#/type must be a type of JSON, or a list of some"]
    ]
    for (const [schema, text] of texts) {
      const result = JsonSchema.compile(Object(schema))
      expect(Result.isFailure(result) && result.failure.message).toBe(`the JSON Schema cannot be used: ${text}`)
    }
  })
})

describe("a compiled schema", () => {
  it("gives back the value that fits", () => {
    const value = { name: "a", age: 1 }
    expect(Result.getOrThrow(compiled(tool).check(value))).toBe(value)
  })

  it("is kept for as long as the schema, without options", () => {
    const schema = { type: "null" }
    expect(JsonSchema.compile(schema)).toBe(JsonSchema.compile(schema))
    expect(JsonSchema.compile(schema)).not.toBe(JsonSchema.compile({ ...schema }))
    expect(JsonSchema.compile(schema, { steps: 1 })).not.toBe(JsonSchema.compile(schema))
  })

  it("checks each value anew", () => {
    const { check } = compiled({ items: { type: "null" } }, { steps: 10 })
    for (let i = 0; i < 9; i++) expect(Result.isSuccess(check([null, null, null]))).toBe(true)
  })

  it.effect("is at home in an effect", () =>
    Effect.gen(function* () {
      const { check } = yield* Effect.fromResult(JsonSchema.compile(tool))
      const error = yield* Effect.flip(Effect.fromResult(check(1)))
      expect(error._tag).toBe("ValueError")
      const refused = yield* Effect.flip(Effect.fromResult(JsonSchema.compile({ $ref: "x" })))
      expect(refused).toMatchObject({ _tag: "SchemaError", reason: { _tag: "Unresolvable" } })
    })
  )

  it("has bounds that are counts", () => {
    expect(() => JsonSchema.compile({}, { steps: 0 })).toThrow("steps")
  })
})
