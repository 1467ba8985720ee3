import type { JsonRpc } from "@effective-mcp/protocol"
import { dialects } from "../jsonSchema/outcome.ts"
import type { Tape } from "./Tape.ts"
import { json, names, objectOf, SECRET, turned } from "./values.ts"

export type Schema = JsonRpc.JsonObject | boolean

const types: readonly [string, ...ReadonlyArray<string>] = [
  "object",
  "array",
  "string",
  "number",
  "integer",
  "boolean",
  "null"
]
const counts: readonly [number, ...ReadonlyArray<number>] = [1, 0, 2, 3]
const numbers: readonly [number, ...ReadonlyArray<number>] = [0, 1, -1, 7.5, 7, 1e300, 2 ** 53 - 1]

/** Schemas of keywords whose meaning is plain, all of them right. */
export const plain = (tape: Tape, depth: number): Schema => {
  if (depth === 0 || tape.once(10)) return tape.pick<Schema>([true, false, {}, { type: tape.pick(types) }])
  const sub = (): Schema => plain(tape, depth - 1)
  const subs = (): ReadonlyArray<Schema> => [sub(), ...tape.list(1, sub)]
  const keyword = (): readonly [string, unknown] => {
    switch (tape.below(20)) {
      case 0:
        return ["type", tape.once(3) ? [...new Set([tape.pick(types), tape.pick(types)])] : tape.pick(types)]
      case 1:
        return ["const", json(tape, 2)]
      case 2:
        return ["enum", [json(tape, 1), json(tape, 1), json(tape, 1)]]
      case 3:
        return [tape.pick(["minimum", "exclusiveMinimum"]), tape.pick(numbers)]
      case 4:
        return [tape.pick(["maximum", "exclusiveMaximum"]), tape.pick(numbers)]
      case 5:
        return [tape.pick(["minLength", "minItems", "minProperties"]), tape.pick(counts)]
      case 6:
        return [tape.pick(["maxLength", "maxItems", "maxProperties"]), tape.pick(counts)]
      case 7:
      case 8:
      case 9:
        return ["properties", objectOf(tape.list(3, () => [tape.pick(names), sub()]))]
      case 10:
        return ["required", [...new Set(tape.list(2, () => tape.pick(names)))]]
      case 11:
        return ["additionalProperties", sub()]
      case 12:
        return ["propertyNames", sub()]
      case 13:
      case 14:
        return ["items", sub()]
      case 15:
        return ["contains", sub()]
      case 16:
        return ["uniqueItems", true]
      case 17:
        return ["not", sub()]
      case 18:
        return [tape.pick(["allOf", "anyOf", "oneOf"]), subs()]
      default:
        return ["title", SECRET]
    }
  }
  return objectOf([keyword(), ...tape.list(3, keyword)])
}

/** A value for a schema: one that it names, a long list, or any. */
export const valueFor = (tape: Tape, schema: unknown, depth: number): unknown => {
  if (tape.once(16)) return Array.from({ length: 15 + tape.below(12) }, () => json(tape, 1))
  const found: Array<unknown> = []
  const look = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    for (const [keyword, held] of Object.entries(part)) {
      if (keyword === "const") found.push(held)
      if (keyword === "enum" && Array.isArray(held)) found.push(...held)
      look(held)
    }
  }
  if (tape.once(3)) look(schema)
  return found.length > 0 ? turned(tape.pick(found)) : json(tape, depth)
}

const patterns: readonly [string, ...ReadonlyArray<string>] = [
  "^a",
  "(a+)+$",
  "[",
  "^(?=a)b",
  "(a)\\1",
  "\\p{L}",
  ".*.*.*x",
  "",
  "a{1,1000}",
  "\\ud83e",
  "(?<!a)b",
  "[^]"
]
const refs: readonly [string, ...ReadonlyArray<string>] = [
  "#",
  "#/$defs/a",
  "#/$defs/__proto__",
  "#a",
  "b",
  "#/properties/a",
  "#/definitions/a",
  "http://[",
  "#/%",
  "#/allOf/0"
]
const keywords: readonly [string, ...ReadonlyArray<string>] = [
  "type",
  "properties",
  "items",
  "$ref",
  "$defs",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveRef",
  "$recursiveAnchor",
  "$schema",
  "pattern",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
  "additionalItems",
  "contains",
  "minContains",
  "maxContains",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "propertyNames",
  "if",
  "then",
  "else",
  "not",
  "allOf",
  "anyOf",
  "oneOf",
  "definitions",
  "multipleOf",
  "uniqueItems",
  "required",
  "enum",
  "__proto__",
  "format"
]

/** Schemas of any keywords, holding what they should or not. */
export const wild = (tape: Tape, depth: number): unknown => {
  if (depth === 0) return tape.pick<unknown>([true, {}, false, { $ref: "#" }, null])
  const sub = (): unknown => wild(tape, depth - 1)
  const held = (keyword: string): unknown => {
    if (tape.once(12)) return json(tape)
    if (keyword.endsWith("ef")) return tape.pick(refs)
    if (keyword === "pattern") return tape.pick(patterns)
    if (keyword === "patternProperties") return objectOf(tape.list(2, () => [tape.pick(patterns), sub()]))
    if (keyword === "$schema") return tape.pick([...Object.values(dialects), "urn:none"])
    if (/^\$(?:id|anchor|dynamicAnchor)$/.test(keyword)) return tape.pick(["a", "b", "http://x/y", "#a", ""])
    if (/ontains$|multipleOf/.test(keyword) && keyword !== "contains") return tape.pick([1, 0, 2, 0.1, 1e-300])
    if (/^(?:uniqueItems|\$recursiveAnchor)$/.test(keyword)) return true
    if (keyword === "required") return tape.list(3, () => tape.pick(names))
    if (/^(?:properties|\$defs|definitions|depend)/.test(keyword))
      return objectOf(tape.list(3, () => [tape.pick(names), tape.once(4) ? [tape.pick(names)] : sub()]))
    if (/Of$|^prefixItems$/.test(keyword)) return [sub(), ...tape.list(2, sub)]
    if (keyword === "enum") return tape.list(3, () => json(tape))
    if (keyword === "type") return tape.once(6) ? tape.list(2, () => tape.pick(types)) : tape.pick(types)
    return sub()
  }
  return objectOf(
    tape.list(4, () => {
      const keyword = tape.pick(keywords)
      return [keyword, held(keyword)]
    })
  )
}
