import { type Definitions, type JsonSchema, resolve } from "../revision/fixtures.ts"
import { objectOf } from "./values.ts"

/** Every alternative of a definition. */
const alternatives = (definitions: Definitions, schema: JsonSchema): ReadonlyArray<JsonSchema> => {
  const { anyOf, ...found } = resolve(definitions, schema)
  return anyOf === undefined ? [found] : anyOf.flatMap((part) => alternatives(definitions, part))
}

/** A value without members that no alternative of its definition names: all of what holds names that are chosen freely. */
export const named = (definitions: Definitions, schemas: ReadonlyArray<JsonSchema>, value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const found = schemas.flatMap((schema) => alternatives(definitions, schema))
  if (Array.isArray(value)) {
    const items = found.flatMap(({ items }) => (items === undefined ? [] : [items]))
    return items.length === 0 ? value : value.map((item) => named(definitions, items, item))
  }
  const isFree = found.some(
    ({ additionalProperties, properties, type = "object" }) =>
      type === "object" && properties === undefined && typeof additionalProperties !== "object"
  )
  if (isFree) return value
  return objectOf(
    Object.entries(value).flatMap(([name, held]) => {
      const parts = found.flatMap(({ additionalProperties: rest, properties = {} }) => {
        const part = Object.hasOwn(properties, name) ? properties[name] : typeof rest === "object" ? rest : undefined
        return part === undefined ? [] : [part]
      })
      return parts.length === 0 ? [] : [[name, named(definitions, parts, held)] as const]
    })
  )
}
