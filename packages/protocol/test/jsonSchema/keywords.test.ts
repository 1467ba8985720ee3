import { describe, expect, it } from "vitest"
import { type DialectName, every, fits, later, next, withDialect } from "./outcome.ts"

interface Case {
  readonly schema: object
  readonly fit: ReadonlyArray<unknown>
  readonly wrong: ReadonlyArray<unknown>
  readonly in?: ReadonlyArray<DialectName>
}

/** What each keyword lets pass and what it does not: values of other types are none of its business. */
const cases: { readonly [title: string]: Case } = {
  "type takes one name": { schema: { type: "string" }, fit: ["", "1"], wrong: [1, null, [], {}, true, undefined] },
  "type takes a list": { schema: { type: ["null", "array"] }, fit: [null, []], wrong: [{}, false, 0, "null"] },
  "type number is any finite number": {
    schema: { type: "number" },
    fit: [0, -1.5, 1e300],
    wrong: [NaN, Infinity, "1"]
  },
  "type integer is a number without a fraction": {
    schema: { type: "integer" },
    fit: [1, 1.0, -0, 1e30],
    wrong: [1.5, "1"]
  },
  "type object is neither a list nor null": { schema: { type: "object" }, fit: [{}], wrong: [[], null] },
  "type boolean is no number": { schema: { type: "boolean" }, fit: [true, false], wrong: [0, 1, "true"] },
  "const compares deeply, members in any order": {
    schema: { const: { a: [1, { b: null }], c: 0 } },
    fit: [{ c: -0, a: [1, { b: null }] }],
    wrong: [{ a: [1, { b: null }] }, { a: [1, { b: false }], c: 0 }, { a: [1, { b: null }], c: 0, d: 1 }]
  },
  "const tells types apart": { schema: { const: 0 }, fit: [0], wrong: [false, "0", null, [], [0]] },
  "const may be null": { schema: { const: null }, fit: [null], wrong: [0, "", false, undefined] },
  "const of a list is not its joined text": { schema: { const: ["a,b"] }, fit: [["a,b"]], wrong: [["a", "b"], "a,b"] },
  "enum takes one of many": {
    schema: { enum: [1, "a", null, [2], { b: 3 }] },
    fit: [1, "a", null, [2], { b: 3 }],
    wrong: ["1", 2, [], { b: 4 }]
  },
  "enum without members takes nothing": { schema: { enum: [] }, fit: [], wrong: [1, null] },
  "minimum includes its bound": { schema: { minimum: 1.1 }, fit: [1.1, 2, "0"], wrong: [1, -5] },
  "maximum includes its bound": { schema: { maximum: -2 }, fit: [-2, -3, null], wrong: [-1.9] },
  "exclusiveMinimum leaves out its bound": { schema: { exclusiveMinimum: 1 }, fit: [1.0001], wrong: [1, 0] },
  "exclusiveMaximum leaves out its bound": { schema: { exclusiveMaximum: 1 }, fit: [0.9], wrong: [1, 2] },
  "multipleOf is exact in decimal": {
    schema: { multipleOf: 0.01 },
    fit: [0.29, 4.35, 19.99, 0, -1.1],
    wrong: [0.001, 4.351]
  },
  "multipleOf of whole numbers": { schema: { multipleOf: 3 }, fit: [9, -3, 0, 3e20], wrong: [10, 0.3] },
  "multipleOf bears extremes": { schema: { multipleOf: 1e-8 }, fit: [1e300, 12391239123], wrong: [5e-324] },
  "minLength counts characters": { schema: { minLength: 2 }, fit: ["ab", "🦜🦜", 1], wrong: ["a", "🦜", ""] },
  "maxLength counts characters": { schema: { maxLength: 2 }, fit: ["🦜🦜", "", []], wrong: ["abc", "🦜🦜🦜"] },
  "lengths may be written with a fraction of 0": { schema: { maxLength: 2.0 }, fit: ["ab"], wrong: ["abc"] },
  "pattern matches anywhere": { schema: { pattern: "b+" }, fit: ["abbc", 1, null], wrong: ["ac", ""] },
  "minItems and maxItems": { schema: { minItems: 1, maxItems: 2 }, fit: [[1], [1, 2], "", {}], wrong: [[], [1, 2, 3]] },
  "uniqueItems compares deeply": {
    schema: { uniqueItems: true },
    fit: [
      [],
      [1, "1", true, [1], { a: 1 }, [[1]]],
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 }
      ]
    ],
    wrong: [
      [1, 2, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 }
      ],
      [[null], [null]],
      [0, -0]
    ]
  },
  "uniqueItems may be off": { schema: { uniqueItems: false }, fit: [[1, 1]], wrong: [] },
  "items holds for every item": { schema: { items: { type: "integer" } }, fit: [[], [1, 2], "x"], wrong: [[1, "2"]] },
  "items may forbid all": { schema: { items: false }, fit: [[]], wrong: [[null]] },
  "contains asks for one item": { schema: { contains: { const: 1 } }, fit: [[0, 1], "x"], wrong: [[], [0]] },
  "required asks for own members": {
    schema: { required: ["a"] },
    fit: [{ a: null }, [], "a"],
    wrong: [{}, { b: 1 }, { a: undefined }]
  },
  "minProperties and maxProperties": {
    schema: { minProperties: 1, maxProperties: 2 },
    fit: [{ a: 1 }, { a: 1, b: 2 }, []],
    wrong: [{}, { a: 1, b: 2, c: 3 }]
  },
  "properties holds where they are": {
    schema: { properties: { a: { type: "string" }, b: false } },
    fit: [{}, { a: "" }, { c: 1 }, [1]],
    wrong: [{ a: 1 }, { b: 1 }]
  },
  "patternProperties holds for names that match": {
    schema: { properties: { ab: { minimum: 5 } }, patternProperties: { "^a": { type: "number" }, b$: { maximum: 9 } } },
    fit: [{ a: 1, b: 2, ab: 6, c: "x" }],
    wrong: [{ a: "1" }, { b: 10 }, { ab: 4 }, { ab: 10 }]
  },
  "additionalProperties holds for the others": {
    schema: { properties: { a: true }, patternProperties: { "^x-": true }, additionalProperties: { type: "null" } },
    fit: [{ a: 1, "x-b": 2, c: null }],
    wrong: [{ b: 1 }]
  },
  "additionalProperties sees only its neighbours": {
    schema: { allOf: [{ properties: { a: true } }], additionalProperties: false },
    fit: [{}],
    wrong: [{ a: 1 }]
  },
  "propertyNames holds for names": {
    schema: { propertyNames: { maxLength: 2 } },
    fit: [{ ab: 1 }, {}, ["abc"]],
    wrong: [{ abc: 1 }]
  },
  "allOf takes all": { schema: { allOf: [{ minimum: 1 }, { maximum: 3 }] }, fit: [2], wrong: [0, 4] },
  "anyOf takes one or more": {
    schema: { anyOf: [{ type: "string" }, { minimum: 3 }] },
    fit: ["", 3, null],
    wrong: [2]
  },
  "oneOf takes exactly one": { schema: { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, fit: [2, 3], wrong: [6, 5] },
  "not turns it round": { schema: { not: { type: "object", required: ["a"] } }, fit: [{}, 1], wrong: [{ a: 1 }] },
  "if chooses between then and else": {
    schema: { if: { type: "string" }, ...next({ minLength: 2 }), else: { minimum: 2 } },
    fit: ["ab", 2, null],
    wrong: ["a", 1]
  },
  "then and else say nothing without if": { schema: { ...next(false), else: false }, fit: [1, "a"], wrong: [] },
  "dependencies asks for names or a schema": {
    schema: { dependencies: { a: ["b"], c: { maxProperties: 1 } } },
    fit: [{}, { a: 1, b: 2 }, { c: 1 }, { b: 1 }],
    wrong: [{ a: 1 }, { c: 1, d: 2 }]
  },
  "true takes everything and false nothing": {
    schema: { properties: { a: true, b: false } },
    fit: [{ a: [{}] }],
    wrong: [{ b: null }]
  },
  "format and content keywords are notes": {
    schema: { format: "email", contentEncoding: "base64", contentMediaType: "application/json" },
    fit: ["no mail", "%", 1],
    wrong: []
  },
  "unknown keywords are notes": {
    schema: { "x-order": 1, minimun: 5, toString: 1 },
    fit: [1],
    wrong: []
  },
  "dependentRequired asks for names": {
    in: later,
    schema: { dependentRequired: { a: ["b", "c"] } },
    fit: [{ b: 1 }, { a: 1, b: 1, c: 1 }],
    wrong: [{ a: 1, b: 1 }]
  },
  "dependentSchemas holds for the whole": {
    in: later,
    schema: { dependentSchemas: { a: { required: ["b"] } } },
    fit: [{ b: 1 }, { a: 1, b: 1 }],
    wrong: [{ a: 1 }]
  },
  "minContains and maxContains count": {
    in: later,
    schema: { contains: { type: "string" }, minContains: 2, maxContains: 3 },
    fit: [
      ["a", 1, "b"],
      ["a", "b", "c"]
    ],
    wrong: [["a"], ["a", "b", "c", "d"]]
  },
  "minContains of 0 lets pass": { in: later, schema: { contains: false, minContains: 0 }, fit: [[], [1]], wrong: [] },
  "draft-07 knows no minContains": {
    in: ["draft-07"],
    schema: { contains: { const: 1 }, minContains: 0, maxContains: 1 },
    fit: [[1], [1, 1]],
    wrong: [[]]
  },
  "draft-07 knows no dependentRequired": {
    in: ["draft-07"],
    schema: { dependentRequired: { a: ["b"] }, unevaluatedProperties: false },
    fit: [{ a: 1 }],
    wrong: []
  },
  "prefixItems holds by place, items for the rest": {
    in: ["2020-12"],
    schema: { prefixItems: [{ type: "string" }, { type: "number" }], items: { type: "null" } },
    fit: [[], ["a"], ["a", 1, null]],
    wrong: [[1], ["a", "b"], ["a", 1, 2]]
  },
  "a list under items holds by place, additionalItems for the rest": {
    in: ["draft-07", "2019-09"],
    schema: { items: [{ type: "string" }, true], additionalItems: false },
    fit: [[], ["a"], ["a", 1]],
    wrong: [[1], ["a", 1, 2]]
  },
  "additionalItems says nothing without a list": {
    in: ["draft-07", "2019-09"],
    schema: { items: {}, additionalItems: false },
    fit: [[1, 2]],
    wrong: []
  }
}

for (const [title, { fit, in: where = every, schema, wrong }] of Object.entries(cases)) {
  describe(title, () => {
    it.each(where)("in %s", (dialect) => {
      const whole = withDialect(dialect, schema)
      for (const value of fit) expect([value, fits(whole, value)]).toStrictEqual([value, true])
      for (const value of wrong) expect([value, fits(whole, value)]).toStrictEqual([value, false])
    })
  })
}

describe("a schema that is a boolean", () => {
  it("takes everything, or nothing", () => {
    expect(fits(true, undefined)).toBe(true)
    expect(fits(false, null)).toBe(false)
  })
})
