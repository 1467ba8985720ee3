import { type FormField, JsonRpc } from "@effective-mcp/protocol"

const formats: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"])

const LABELS = ["title", "description", "default"]

/** What each type of field may say besides. */
const known: { readonly [type: string]: ReadonlyArray<string> } = {
  string: [...LABELS, "minLength", "maxLength", "pattern", "format", "enum", "enumNames", "oneOf"],
  number: [...LABELS, "minimum", "maximum", "enum"],
  integer: [...LABELS, "minimum", "maximum", "enum"],
  boolean: LABELS,
  array: [...LABELS, "items", "minItems", "maxItems"]
}

const pick = (schema: JsonRpc.JsonObject, keys: ReadonlyArray<string>): JsonRpc.JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)))

const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string")

const isTitled = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((item) => JsonRpc.isObject(item) && typeof item.const === "string" && typeof item.title === "string")

/** Why a schema is no field of a form; undefined when it is one. */
const fault = (schema: unknown): string | undefined => {
  if (!JsonRpc.isObject(schema)) return "it is no schema"
  switch (schema.type) {
    case "string":
      if (schema.format !== undefined && !formats.has(schema.format)) return "its format is none of a form's"
      if (schema.enum !== undefined && !isStrings(schema.enum)) return "its values are not texts"
      if (schema.oneOf !== undefined && !isTitled(schema.oneOf)) return "its values have no const and title"
      return undefined
    case "number":
    case "integer":
      return schema.enum === undefined ? undefined : "only texts can be chosen from"
    case "boolean":
      return undefined
    case "array": {
      const { items } = schema
      const isChoice = JsonRpc.isObject(items) && (isStrings(items.enum) || isTitled(items.anyOf))
      return isChoice ? undefined : "a list holds some of given texts"
    }
    default:
      return "it is no text, number, boolean or choice; forms are flat"
  }
}

/** Refuses what is no field, as it stands in a schema that an author has written. */
export const requireField = (name: string, schema: unknown): void => {
  const why = fault(schema)
  if (why !== undefined) throw new Error(`the field ${JSON.stringify(name)} cannot stand in a form: ${why}`)
}

/** Alternatives that are one text each, with a title or without. */
const choices = (alternatives: unknown): ReadonlyArray<{ const: string; title: string }> | undefined => {
  if (!Array.isArray(alternatives)) return undefined
  const found = alternatives.flatMap((each) => {
    if (!JsonRpc.isObject(each) || !Array.isArray(each.enum) || each.enum.length !== 1) return []
    const [value] = each.enum
    return typeof value === "string"
      ? [{ const: value, title: typeof each.title === "string" ? each.title : value }]
      : []
  })
  return found.length > 0 && found.length === alternatives.length ? found : undefined
}

/** As a form says it: a union of titled texts is a choice, and what forms cannot say is left to the check of answers. */
const simplify = (schema: JsonRpc.JsonObject): JsonRpc.JsonObject => {
  const options = choices(schema.anyOf)
  if (options !== undefined) return { type: "string", ...pick(schema, LABELS), oneOf: options }
  const kept = { ...pick(schema, ["type", ...(known[String(schema.type)] ?? [])]) }
  if (!formats.has(kept.format)) delete kept.format
  if (kept.type === "integer" && kept.minimum === Number.MIN_SAFE_INTEGER) delete kept.minimum
  if (kept.type === "integer" && kept.maximum === Number.MAX_SAFE_INTEGER) delete kept.maximum
  const { items } = schema
  if (!JsonRpc.isObject(items)) return kept
  const several = choices(items.anyOf)
  return { ...kept, items: several === undefined ? items : { anyOf: several } }
}

const REF = "#/$defs/"

/** A field of a form, made of the JSON Schema of one of Effect's; what cannot be one throws. */
export const toField = (name: string, schema: unknown, definitions: unknown): FormField => {
  const { $ref, ...rest } = JsonRpc.isObject(schema) ? schema : {}
  const named = typeof $ref === "string" && JsonRpc.isObject(definitions) ? definitions[$ref.slice(REF.length)] : {}
  const field = simplify({ ...(JsonRpc.isObject(named) ? named : {}), ...rest })
  requireField(name, field)
  return field as unknown as FormField // cast: it has just been looked through
}
