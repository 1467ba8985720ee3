import { describe, expect, it } from "vitest"
import { fits, later, next, withDialect } from "./outcome.ts"

type Row = readonly [title: string, schema: object, fit: ReadonlyArray<unknown>, wrong: ReadonlyArray<unknown>]

const a = { properties: { a: true } }
const b = { properties: { b: true }, required: ["b"] }

const closed = (schema: object): object => ({ ...schema, unevaluatedProperties: false })

const members: ReadonlyArray<Row> = [
  ["sees its neighbours", closed({ ...a, patternProperties: { "^x": true } }), [{ a: 1, x1: 2 }], [{ c: 1 }]],
  ["sees what allOf sees", closed({ allOf: [a, { allOf: [b] }] }), [{ a: 1, b: 2 }], [{ b: 1, c: 1 }]],
  ["sees what a reference sees", closed({ $ref: "#/$defs/a", $defs: { a } }), [{ a: 1 }], [{ b: 1 }]],
  [
    "sees alternatives that fit, and only those",
    closed({ anyOf: [b, { properties: { c: { const: 1 } }, required: ["c"] }] }),
    [{ b: 1 }, { b: 1, c: 1 }],
    [{ b: 1, c: 2 }]
  ],
  [
    "sees the one alternative",
    closed({ oneOf: [b, { properties: { c: true }, required: ["c"] }] }),
    [{ b: 1 }, { c: 1 }],
    [
      { b: 1, c: 1 },
      { b: 1, d: 1 }
    ]
  ],
  ["sees nothing in not", closed({ not: { not: a } }), [{}], [{ a: 1 }]],
  [
    "sees a condition that fits, and what follows",
    closed({ if: b, ...next(a), else: { properties: { c: true } } }),
    [{ b: 1, a: 1 }, { c: 1 }],
    [{ a: 1 }, { b: 1, c: 1 }]
  ],
  ["sees a condition without then", closed({ if: b }), [{ b: 1 }], [{ a: 1 }]],
  ["sees dependent schemas", closed({ ...b, dependentSchemas: { b: a } }), [{ a: 1, b: 1 }], [{ b: 1, c: 1 }]],
  [
    "sees all where additionalProperties holds",
    closed({ allOf: [{ additionalProperties: { type: "number" } }] }),
    [{ z: 1 }],
    [{ z: "1" }]
  ],
  [
    "does not see members of members",
    closed({ properties: { n: closed(a) } }),
    [{ n: { a: 1 } }],
    [{ n: { b: 1 } }, { a: 1 }]
  ],
  ["does not see beside itself", { allOf: [a, { unevaluatedProperties: false }] }, [{}], [{ a: 1 }]],
  [
    "is seen by one further out",
    { allOf: [{ ...b, unevaluatedProperties: true }], unevaluatedProperties: false },
    [{ b: 1, z: 1 }],
    [{ z: 1 }]
  ],
  ["is a schema", { ...a, unevaluatedProperties: { type: "string" } }, [{ a: 1, z: "z" }], [{ z: 1 }]],
  ["lets other types pass", { unevaluatedProperties: false }, [1, [], "a", {}], [{ a: undefined, b: 1 }]]
]

const first = (dialect: string, ...schemas: ReadonlyArray<unknown>): object =>
  dialect === "2020-12" ? { prefixItems: schemas } : { items: schemas }

const items = (dialect: string): ReadonlyArray<Row> => [
  ["sees the first items", { ...first(dialect, true), unevaluatedItems: false }, [[], [1]], [[1, 2]]],
  [
    "sees all where items holds",
    { allOf: [{ items: { type: "number" } }], unevaluatedItems: false },
    [[1, 2]],
    [["a"]]
  ],
  [
    "sees the longest of those that fit",
    {
      anyOf: [first(dialect, true), first(dialect, true, { const: 2 }), first(dialect, true, true, { const: 3 })],
      unevaluatedItems: false
    },
    [[1], [1, 2], [1, 2, 3]],
    [[1, 2, 4]]
  ],
  ["is a schema", { ...first(dialect, true), unevaluatedItems: { type: "null" } }, [[1, null]], [[1, 2]]],
  [
    "does not see items of items",
    { ...first(dialect, first(dialect, true, true)), unevaluatedItems: false },
    [[[1, 2]]],
    [[[1, 2], 3]]
  ]
]

describe.each(later)("in %s", (dialect) => {
  describe("unevaluatedProperties", () => {
    it.each(members)("%s", (_title, schema, fit, wrong) => {
      for (const value of fit) expect([value, fits(withDialect(dialect, schema), value)]).toStrictEqual([value, true])
      for (const value of wrong)
        expect([value, fits(withDialect(dialect, schema), value)]).toStrictEqual([value, false])
    })
  })

  describe("unevaluatedItems", () => {
    it.each(items(dialect))("%s", (_title, schema, fit, wrong) => {
      for (const value of fit) expect([value, fits(withDialect(dialect, schema), value)]).toStrictEqual([value, true])
      for (const value of wrong)
        expect([value, fits(withDialect(dialect, schema), value)]).toStrictEqual([value, false])
    })
  })
})

describe("what contains finds", () => {
  const schema = { contains: { type: "string" }, unevaluatedItems: false }
  it("counts as looked at in 2020-12 only", () => {
    expect(fits(withDialect("2020-12", schema), ["a", "b"])).toBe(true)
    expect(fits(withDialect("2020-12", schema), ["a", 1])).toBe(false)
    expect(fits(withDialect("2019-09", schema), ["a", "b"])).toBe(false)
  })
})
