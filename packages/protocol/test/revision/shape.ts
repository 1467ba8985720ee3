import type * as SchemaAST from "effect/SchemaAST"
import { type Definitions, type JsonSchema, resolve } from "./fixtures.ts"

/** What a schema says, in a form in which the same things look the same. */
export type Shape =
  | "any"
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "null"
  | { readonly literals: ReadonlyArray<unknown> }
  | { readonly list: Shape }
  | { readonly object: { readonly [name: string]: Shape }; readonly rest?: Shape }
  | { readonly oneOf: ReadonlyArray<Shape> }

const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

/** Alternatives: nested ones flat, literals in one set, none twice, in order. */
const union = (members: ReadonlyArray<Shape>): Shape => {
  const flat = members.flatMap((member) => (typeof member === "object" && "oneOf" in member ? member.oneOf : [member]))
  if (flat.includes("any")) return "any"
  const literals = flat.flatMap((member) => (typeof member === "object" && "literals" in member ? member.literals : []))
  const others = flat.filter((member) => typeof member !== "object" || !("literals" in member))
  const all = [...others, ...(literals.length === 0 ? [] : [{ literals: [...new Set(literals)].sort(byText) }])]
  const once = [...new Map(all.map((member) => [JSON.stringify(member), member])).values()].sort(byText)
  return once.length === 1 ? once[0]! : { oneOf: once }
}

const object = (
  members: ReadonlyArray<readonly [name: string, isOptional: boolean, Shape]>,
  rest: Shape = "any"
): Shape => ({
  object: Object.fromEntries(
    members.map(([name, isOptional, shape]) => [isOptional ? `${name}?` : name, shape] as const).sort(byText)
  ),
  ...(rest === "any" ? undefined : { rest })
})

/** The shape of a published definition. */
export const ofPublished = (definitions: Definitions, schema: JsonSchema): Shape => {
  const of = (part: JsonSchema): Shape => ofPublished(definitions, part)
  const found = resolve(definitions, schema)
  if (found.const !== undefined) return { literals: [found.const] }
  if (found.enum !== undefined) return { literals: [...found.enum].sort(byText) }
  if (found.anyOf !== undefined) return union(found.anyOf.map(of))
  if (Array.isArray(found.type)) return union(found.type.map((type) => of({ ...found, type })))
  switch (found.type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return found.type
    case "array":
      return { list: of(found.items ?? {}) }
    case "object": {
      const { additionalProperties: rest, properties = {}, required = [] } = found
      return object(
        Object.entries(properties).map(([name, property]) => [name, !required.includes(name), of(property)]),
        typeof rest === "object" ? of(rest) : "any"
      )
    }
    default:
      return "any"
  }
}

const isInteger = (ast: SchemaAST.AST): boolean =>
  ast.checks?.some(({ annotations }) => annotations?.expected === "an integer") === true

/** The shape of a schema of ours. */
export const ofOurs = (ast: SchemaAST.AST): Shape => {
  switch (ast._tag) {
    case "String":
      return "string"
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "Number":
      return isInteger(ast) ? "integer" : "number"
    case "Literal":
      return { literals: [ast.literal] }
    case "Union":
      return union(ast.types.map(ofOurs))
    case "Arrays":
      return { list: ofOurs(ast.rest[0]!) }
    case "Objects":
      return object(
        ast.propertySignatures.map(({ name, type }) => [String(name), type.context?.isOptional === true, ofOurs(type)]),
        ast.indexSignatures[0] === undefined ? "any" : ofOurs(ast.indexSignatures[0].type)
      )
    case "Unknown":
      return "any"
    default:
      throw new Error(`no shape for ${ast._tag}`)
  }
}
