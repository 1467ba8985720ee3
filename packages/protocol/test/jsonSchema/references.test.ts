import { describe, expect, it } from "vitest"
import { fits, later, every, refusal, withDialect } from "./outcome.ts"

const both = (schema: Parameters<typeof fits>[0], fit: unknown, wrong: unknown) => [
  fits(schema, fit),
  fits(schema, wrong)
]
const only = [true, false]

describe("a reference", () => {
  it.each(every)("leads to a definition, by a pointer, in %s", (dialect) => {
    const schema = {
      properties: { a: { $ref: "#/definitions/n~1a~0b%25" } },
      definitions: { "n/a~b%": { type: "number" } }
    }
    expect(both(withDialect(dialect, schema), { a: 1 }, { a: "1" })).toStrictEqual(only)
  })

  it.each(every)("leads to the whole schema, as deep as the value goes, in %s", (dialect) => {
    const schema = withDialect(dialect, { properties: { next: { $ref: "#" } }, additionalProperties: false })
    expect(both(schema, { next: { next: {} } }, { next: { next: { other: 1 } } })).toStrictEqual(only)
  })

  it("leads to places that no keyword knows, and into lists", () => {
    const schema = { components: { x: [true, { type: "null" }] }, items: { $ref: "#/components/x/1" } }
    expect(both(schema, [null], [1])).toStrictEqual(only)
  })

  it("leads through further references", () => {
    const $defs = { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/c" }, c: { type: "string" } }
    expect(both({ $ref: "#/$defs/a", $defs }, "", 1)).toStrictEqual(only)
  })

  it.each(later)("holds together with its neighbours in %s", (dialect) => {
    const schema = withDialect(dialect, { $ref: "#/$defs/n", maximum: 3, $defs: { n: { type: "number" } } })
    expect([fits(schema, 3), fits(schema, 4), fits(schema, "")]).toStrictEqual([true, false, false])
  })

  it("hides its neighbours in draft-07", () => {
    const schema = withDialect("draft-07", {
      $ref: "#/definitions/n",
      maximum: 3,
      definitions: { n: { type: "number" } }
    })
    expect(both(schema, 4, "")).toStrictEqual(only)
  })

  it.each(later)("leads to an anchor in %s", (dialect) => {
    const schema = withDialect(dialect, { $ref: "#here", $defs: { a: { $anchor: "here", type: "null" } } })
    expect(both(schema, null, 1)).toStrictEqual(only)
  })

  it("leads to an identifier that is a fragment in draft-07", () => {
    const schema = withDialect("draft-07", { $ref: "#here", definitions: { a: { $id: "#here", type: "null" } } })
    expect(both(schema, null, 1)).toStrictEqual(only)
  })

  it.each(every)("is read against the nearest $id in %s", (dialect) => {
    const schema = withDialect(dialect, {
      $id: "https://example.com/root.json",
      properties: { a: { $id: "folder/a.json", properties: { b: { $ref: "b.json" }, whole: { $ref: "#" } } } },
      definitions: { b: { $id: "folder/b.json", type: "integer" }, other: { $id: "b.json", type: "string" } }
    })
    expect(both(schema, { a: { b: 1, whole: { b: 2 } } }, { a: { whole: { b: "x" } } })).toStrictEqual(only)
  })

  it("leads to a name that is no address", () => {
    const id = "urn:uuid:11111111-2222-4333-8444-555555555555"
    const schema = { $id: id, properties: { a: { $ref: `${id}#/$defs/n` } }, $defs: { n: { type: "number" } } }
    expect(both(schema, { a: 1 }, { a: "" })).toStrictEqual(only)
  })

  it("takes no $id or anchor from what is only a value", () => {
    const trap = { $id: "https://example.com/a", $anchor: "a", type: "null" }
    for (const schema of [
      { const: trap },
      { enum: [trap] },
      { default: trap },
      { properties: { $id: { const: trap } } }
    ]) {
      expect(refusal({ ...schema, $defs: { x: { $ref: "#a" } } })?._tag).toBe("Unresolvable")
      expect(refusal({ ...schema, $defs: { x: { $ref: "https://example.com/a" } } })?._tag).toBe("Unresolvable")
    }
  })

  it("leads to documents that were given with the schema", () => {
    const documents = {
      "https://example.com/point": { $defs: { n: { type: "number" } }, items: { $ref: "#/$defs/n" } },
      "http://example.com/old": { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] }
    }
    const schema = { properties: { p: { $ref: "https://example.com/point" }, o: { $ref: "http://example.com/old#" } } }
    expect(fits(schema, { p: [1], o: ["a", 1] }, { documents })).toBe(true)
    expect(fits(schema, { p: ["1"] }, { documents })).toBe(false)
    expect(fits(schema, { o: [1] }, { documents })).toBe(false)
  })
})

describe("a dynamic reference", () => {
  const list = {
    $id: "https://example.com/list",
    items: { $dynamicRef: "#item" },
    $defs: { item: { $dynamicAnchor: "item" } }
  }
  const strings = {
    $id: "https://example.com/strings",
    $ref: "list",
    $defs: { item: { $dynamicAnchor: "item", type: "string" }, list }
  }

  it("leads to the outermost schema with its anchor on the way", () => {
    expect(both(strings, ["a"], [1])).toStrictEqual(only)
    expect(fits(list, [1, "a"])).toBe(true)
  })

  it("is an ordinary one where its anchor is not dynamic, or is a pointer", () => {
    const item = { $anchor: "item" }
    expect(fits({ ...strings, $defs: { ...strings.$defs, list: { ...list, $defs: { item } } } }, [1])).toBe(true)
    const pointing = { ...list, items: { $dynamicRef: "#/$defs/item" } }
    expect(fits({ ...strings, $defs: { ...strings.$defs, list: pointing } }, [1])).toBe(true)
  })

  it("leaves out what is not on the way", () => {
    const unrelated = { $id: "https://example.com/x", $dynamicAnchor: "item", type: "null" }
    expect(both({ ...strings, $defs: { ...strings.$defs, unrelated } }, ["a"], [null])).toStrictEqual(only)
  })
})

describe("a recursive reference", () => {
  const tree = {
    $id: "https://example.com/tree",
    $recursiveAnchor: true,
    type: "object",
    properties: { children: { items: { $recursiveRef: "#" } } }
  }
  const strict = withDialect("2019-09", {
    $id: "https://example.com/strict",
    $recursiveAnchor: true,
    $ref: "tree",
    $defs: { tree },
    unevaluatedProperties: false
  })

  it("leads to the outermost schema that allows it", () => {
    expect(both(strict, { children: [{}] }, { children: [{ kids: [] }] })).toStrictEqual(only)
  })

  it("stays at home where none does", () => {
    const home = withDialect("2019-09", { ...Object(strict), $defs: { tree: { ...tree, $recursiveAnchor: false } } })
    expect(fits(home, { children: [{ kids: [] }] })).toBe(true)
  })
})
