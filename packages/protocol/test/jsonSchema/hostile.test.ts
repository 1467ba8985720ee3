import { describe, expect, it } from "vitest"
import { fits, outcome, refusal } from "./outcome.ts"

const parse = (text: string) => JSON.parse(text)

/** Definitions that each hold two references to the next. */
const doubling = (keyword: string, levels: number, last: object) => {
  const $defs: { [name: string]: object } = { [`d${levels}`]: last }
  for (let i = 0; i < levels; i++) $defs[`d${i}`] = { [keyword]: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) }
  return { $ref: "#/$defs/d0", $defs }
}

const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown => {
  let value = inner
  for (let i = 0; i < levels; i++) value = wrap(value)
  return value
}

describe("FEA-08 a reference out of the schema", () => {
  const refs = [
    "http://127.0.0.1:1/s.json",
    "file:///etc/passwd",
    "data:application/json,{}",
    "other.json",
    "//host/x",
    "#nowhere",
    "#/$defs/missing",
    "#/$defs/",
    "#/%",
    "http://[",
    "https://json-schema.org/draft/2020-12/schema"
  ]
  it.each(refs)("%s is refused, and nothing is fetched", (ref) => {
    expect(refusal({ properties: { a: { $ref: ref } } })).toStrictEqual({
      _tag: "Unresolvable",
      at: "#/properties/a/$ref",
      ref
    })
    expect(refusal({ $dynamicRef: ref })?._tag).toBe("Unresolvable")
  })

  it("is refused where a $id makes it look local", () => {
    expect(refusal({ $id: "http://127.0.0.1:1/root", $ref: "s.json" })?._tag).toBe("Unresolvable")
    expect(refusal({ $id: "http://127.0.0.1:1/root", $defs: { a: { $id: "a", $ref: "#/$defs/a" } } })?._tag).toBe(
      "Unresolvable"
    )
  })

  it("is refused where it leads to what is no schema", () => {
    expect(refusal({ $ref: "#/required", required: ["a"] })?._tag).toBe("Unresolvable")
    expect(refusal({ $ref: "#/required/length", required: ["a"] })?._tag).toBe("Unresolvable")
    expect(refusal({ $ref: "#/title/0", title: "text" })?._tag).toBe("Unresolvable")
    expect(refusal({ $ref: "#/allOf/00", allOf: [true] })?._tag).toBe("Unresolvable")
  })

  it.each(["__proto__", "constructor", "toString", "__proto__/toString", "$defs/__proto__", "$defs/hasOwnProperty"])(
    "leads into no prototype: %s",
    (path) => expect(refusal({ $ref: `#/${path}`, $defs: {} })?._tag).toBe("Unresolvable")
  )
})

describe("FEA-08 a schema of any size", () => {
  it("is refused when it is too deep or too large, at once", () => {
    const deep = nested(5_000, (inner) => ({ properties: { a: inner } }), {})
    const wide = { properties: Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`p${i}`, {}])) }
    const start = performance.now()
    expect(refusal(deep)).toStrictEqual({ _tag: "TooDeep", limit: 64 })
    expect(refusal(wide)).toStrictEqual({ _tag: "TooLarge", limit: 10_000 })
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it("is refused for a URI so long that every reference would pay for it", () => {
    const $defs = { a: { $id: "a" }, b: { $ref: "a" } }
    expect(refusal({ $id: `https://example.com/${"x".repeat(1_000)}/`, $defs })).toBeUndefined()
    expect(refusal({ $id: `https://example.com/${"x".repeat(3_000)}/`, $defs })).toMatchObject({
      _tag: "Invalid",
      at: "#/$id"
    })
    expect(refusal({ $ref: "x".repeat(3_000) })?._tag).toBe("Unresolvable")
  })

  it("is counted over everything that references reach", () => {
    const other = { anyOf: Array.from({ length: 50 }, () => ({})) }
    expect(refusal({ $ref: "#/x", x: other }, { subschemas: 52 })).toBeUndefined()
    expect(refusal({ $ref: "#/x", x: other }, { subschemas: 51 })?._tag).toBe("TooLarge")
    expect(refusal({ not: { not: { not: {} } } }, { depth: 4 })).toBeUndefined()
    expect(refusal({ not: { not: { not: {} } } }, { depth: 3 })?._tag).toBe("TooDeep")
  })

  it("is refused when it holds itself", () => {
    const schema: { items?: object } = {}
    schema.items = schema
    expect(refusal(schema)?._tag).toBe("TooDeep")
  })

  it("is refused for a value that is nested without end", () => {
    const value = nested(100_000, (inner) => [inner], 1)
    expect(refusal({ const: value })?._tag).toBe("Invalid")
    expect(refusal({ enum: [value] })?._tag).toBe("Invalid")
  })
})

describe("a check that would take for ever", () => {
  it.each([
    ["to itself", { $ref: "#" }],
    ["in a circle", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } }],
    ["dynamically to itself", { $dynamicAnchor: "x", $dynamicRef: "#x" }],
    ["through not", { not: { $ref: "#" } }]
  ])("ends for a reference %s", (_title, schema) => expect(outcome(schema, 1)).toBe("depth"))

  it.each([
    ["allOf", { type: "number" }, 1],
    ["anyOf", { type: "number" }, "a"],
    ["oneOf", { type: "number" }, 1]
  ])("ends for %s of references that double at each level", (keyword, last, value) => {
    const start = performance.now()
    expect(outcome(doubling(keyword, 30, last), value)).toBe("steps")
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  it("counts what unevaluated members cost", () => {
    const value = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]))
    const fine = { allOf: [{ properties: { k1: true } }], unevaluatedProperties: { type: "number" } }
    expect(outcome(fine, value)).toBe("fits")
    const layers = Array.from({ length: 300 }, () => ({ anyOf: [{ additionalProperties: true }] }))
    expect(outcome({ unevaluatedProperties: false, allOf: layers }, value)).toBe("steps")
  })

  it("counts what comparing costs", () => {
    const values = Array.from({ length: 10_000 }, (_, i) => ({ i }))
    expect(outcome({ uniqueItems: true }, values)).toBe("fits")
    expect(outcome({ items: { enum: values } }, values)).toBe("fits")
    const layers = Array.from({ length: 200 }, () => ({ uniqueItems: true }))
    expect(outcome({ allOf: layers }, values)).toBe("steps")
    expect(outcome({ items: { multipleOf: 1e-300 } }, Array(50_000).fill(1.7e308))).toBe("steps")
  })

  it("ends for a value that is nested without end", () => {
    const value = nested(100_000, (inner) => [inner], 1)
    expect(outcome({ items: { $ref: "#" } }, value)).toBe("depth")
    expect(outcome({ const: [[1]] }, value)).toBe("depth")
    expect(outcome({ type: "array" }, value)).toBe("fits")
  })

  it("has bounds that can be set", () => {
    const numbers = Array.from({ length: 100 }, (_, i) => i)
    expect(outcome({ items: { type: "number" } }, numbers, { steps: 200 })).toBe("fits")
    expect(outcome({ items: { type: "number" } }, numbers, { steps: 50 })).toBe("steps")
  })

  it("bears as many levels as values may have", () => {
    const value = nested(64, (inner) => ({ next: inner }), {})
    expect(
      fits(
        { allOf: [{ $ref: "#/$defs/n" }], $defs: { n: { properties: { next: { anyOf: [{ $ref: "#" }] } } } } },
        value
      )
    ).toBe(true)
  })
})

describe("names that objects inherit", () => {
  it("are not there unless they are", () => {
    expect(outcome({ required: ["toString", "__proto__", "constructor"] }, {})).toHaveLength(3)
    expect(fits({ required: ["toString", "__proto__"] }, parse('{"toString":1,"__proto__":2}'))).toBe(true)
    expect(fits({ dependentRequired: { constructor: ["a"] } }, {})).toBe(true)
    expect(fits({ dependencies: { toString: ["a"] } }, {})).toBe(true)
  })

  it("are ordinary in schemas and values", () => {
    const schema = parse(
      '{"properties":{"__proto__":{"type":"number"},"constructor":{"type":"null"}},"additionalProperties":false}'
    )
    expect(outcome(schema, {})).toBe("fits")
    expect(outcome(schema, parse('{"__proto__":1,"constructor":null}'))).toBe("fits")
    expect(outcome(schema, parse('{"__proto__":"x"}'))).toStrictEqual([["/__proto__", "type"]])
    expect(outcome({ additionalProperties: false }, parse('{"__proto__":1}'))).toStrictEqual([
      ["", "additionalProperties"]
    ])
    expect(outcome({ unevaluatedProperties: false }, parse('{"__proto__":1}'))).toStrictEqual([
      ["", "unevaluatedProperties"]
    ])
    expect(outcome(parse('{"const":{"__proto__":1}}'), parse('{"__proto__":2}'))).toStrictEqual([["", "const"]])
    expect(outcome(parse('{"$ref":"#/$defs/__proto__","$defs":{"__proto__":{"type":"null"}}}'), 1)).toStrictEqual([
      ["", "type"]
    ])
  })

  it("are no keywords", () => {
    const inheriting = Object.assign(Object.create({ type: "string", $ref: "http://x/" }), { minimum: 1 })
    expect(fits(inheriting, 2)).toBe(true)
    expect(fits(parse('{"__proto__":{"type":"string"}}'), 2)).toBe(true)
  })

  it("are left as they were", () => {
    outcome(
      parse('{"properties":{"__proto__":{"properties":{"polluted":true}}},"unevaluatedProperties":false}'),
      parse('{"__proto__":{"polluted":1}}')
    )
    expect(Object.keys(Object.prototype)).toStrictEqual([])
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
  })
})

describe("code generation", () => {
  it("is not needed", () => {
    const kept = { eval: Reflect.get(globalThis, "eval"), Function: globalThis.Function }
    const forbidden = () => {
      throw new Error("code was generated")
    }
    try {
      Object.assign(globalThis, { eval: forbidden, Function: forbidden })
      expect(fits({ properties: { a: { pattern: "^[a-z]+$", anyOf: [{ minLength: 2 }] } } }, { a: "xyz" })).toBe(true)
    } finally {
      Object.assign(globalThis, kept)
    }
  })
})
