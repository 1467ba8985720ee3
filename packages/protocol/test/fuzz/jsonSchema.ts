import assert from "node:assert/strict"
import type { JsonRpc } from "@effective-mcp/protocol"
import * as JsonSchema from "@effective-mcp/protocol/json-schema"
import * as Result from "effect/Result"
import { dialects } from "../jsonSchema/outcome.ts"
import { type Tape, taped } from "./Tape.ts"
import { check, several, target } from "./Target.ts"
import { expectNoPollution, json, names, objectOf, SECRET } from "./values.ts"

type Schema = JsonRpc.JsonObject | boolean

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
const plain = (tape: Tape, depth: number): Schema => {
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

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" ? "number" : typeof value

const isOf = (type: unknown, value: unknown): boolean =>
  type === "integer" ? Number.isInteger(value) : typeOf(value) === type

/** Equal as JSON values are. */
const isEqual = (one: unknown, other: unknown): boolean => {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return (
    mine.size === theirs.size &&
    [...mine].every(([name, value]) => theirs.has(name) && isEqual(value, theirs.get(name)))
  )
}

/** What plain keywords mean, each in one line. */
const fits = (schema: unknown, value: unknown): boolean => {
  if (typeof schema !== "object" || schema === null) return schema === true
  const said = new Map(Object.entries(schema))
  const list = Array.isArray(value) ? value : []
  const members = typeOf(value) === "object" ? Object.entries(Object(value)) : []
  const named = new Map(Object.entries(Object(said.get("properties") ?? {})))
  const rules: ReadonlyArray<readonly [string, (is: never) => boolean]> = [
    ["type", (is: unknown) => [is].flat().some((type) => isOf(type, value))],
    ["const", (is: unknown) => isEqual(is, value)],
    ["enum", (is: ReadonlyArray<unknown>) => is.some((one) => isEqual(one, value))],
    ["minimum", (is: number) => typeof value !== "number" || value >= is],
    ["exclusiveMinimum", (is: number) => typeof value !== "number" || value > is],
    ["maximum", (is: number) => typeof value !== "number" || value <= is],
    ["exclusiveMaximum", (is: number) => typeof value !== "number" || value < is],
    ["minLength", (is: number) => typeof value !== "string" || [...value].length >= is],
    ["maxLength", (is: number) => typeof value !== "string" || [...value].length <= is],
    ["minItems", (is: number) => !Array.isArray(value) || value.length >= is],
    ["maxItems", (is: number) => list.length <= is],
    ["minProperties", (is: number) => typeOf(value) !== "object" || members.length >= is],
    ["maxProperties", (is: number) => members.length <= is],
    ["properties", () => members.every(([name, held]) => !named.has(name) || fits(named.get(name), held))],
    [
      "required",
      (is: ReadonlyArray<string>) =>
        typeOf(value) !== "object" || is.every((name) => members.some(([own]) => own === name))
    ],
    ["additionalProperties", (is: unknown) => members.every(([name, held]) => named.has(name) || fits(is, held))],
    ["propertyNames", (is: unknown) => members.every(([name]) => fits(is, name))],
    ["items", (is: unknown) => list.every((item) => fits(is, item))],
    ["contains", (is: unknown) => !Array.isArray(value) || list.some((item) => fits(is, item))],
    ["uniqueItems", () => list.every((item, at) => list.findIndex((other) => isEqual(item, other)) === at)],
    ["not", (is: unknown) => !fits(is, value)],
    ["allOf", (is: ReadonlyArray<unknown>) => is.every((one) => fits(one, value))],
    ["anyOf", (is: ReadonlyArray<unknown>) => is.some((one) => fits(one, value))],
    ["oneOf", (is: ReadonlyArray<unknown>) => is.filter((one) => fits(one, value)).length === 1]
  ]
  // cast: the schemas made here hold what each keyword asks for
  return rules.every(([keyword, rule]) => !said.has(keyword) || rule(said.get(keyword) as never))
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
const wild = (tape: Tape, depth: number): unknown => {
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

interface Input<S> {
  readonly schema: S
  readonly value: unknown
}

const steps = 20_000
const reasons = ["UnknownDialect", "Unresolvable", "BadPattern", "TooDeep", "TooLarge", "Invalid"]

const encoder = new TextEncoder()

/** Says what came of a check: undefined when a bound was reached. A report repeats the schema, never the value. */
const expectAnswer = ({ check, schema, value }: Input<unknown> & JsonSchema.Compiled): boolean | undefined => {
  const answer = check(value)
  if (Result.isSuccess(answer)) {
    assert.equal(answer.success, value)
    return true
  }
  const { message, reason } = answer.failure
  assert(encoder.encode(message).length <= 4_096)
  if (reason._tag === "WorkExceeded") return undefined
  assert(reason.failures.length > 0 && reason.failures.length <= 20)
  assert(!message.includes(SECRET) || JSON.stringify(schema).includes(SECRET))
  for (const failure of reason.failures) assert(failure.path === "" || failure.path.startsWith("/"))
  return false
}

/** Any schema and value have a typed answer within the bounds, and the right one where that is plain. */
export const jsonSchema = target(
  "jsonSchema",
  several(
    check(
      "plain keywords",
      taped(70, (tape): Input<Schema> => ({ schema: plain(tape, 3), value: json(tape) })),
      ({ schema, value }) => {
        const compiled = Result.getOrThrow(JsonSchema.compile(schema, {}))
        assert.equal(expectAnswer({ ...compiled, schema, value }), fits(schema, value))
        expectNoPollution()
      }
    ),
    check(
      "any schema",
      taped(90, (tape): Input<unknown> => ({
        schema: tape.once(20) ? json(tape) : wild(tape, 4),
        value: json(tape, 4)
      })),
      ({ schema, value }) => {
        // cast: hostile schemas are what is tested
        const compiled = JsonSchema.compile(schema as Schema, { steps })
        if (Result.isFailure(compiled)) {
          assert(reasons.includes(compiled.failure.reason._tag))
          assert(compiled.failure.message.length < 10_000)
        } else {
          const first = expectAnswer({ ...compiled.success, schema, value })
          const second = expectAnswer({ ...compiled.success, schema, value })
          assert(first === second || first === undefined || second === undefined)
        }
        expectNoPollution()
      }
    )
  ),
  ({ holds }) => holds()
)
