import type { Definitions, JsonSchema } from "./fixtures.ts"

/** Where we read otherwise than a published schema says, on purpose. */
interface Difference {
  readonly reason: string
  readonly revisions: RegExp
  /** Whether we write as published all the same. */
  readonly isReadOnly?: true
  /** What the published definition would have to be. */
  readonly change: (schema: JsonSchema, name: string) => JsonSchema
}

const without = (schema: JsonSchema, names: ReadonlyArray<string>): JsonSchema =>
  schema.required === undefined
    ? schema
    : { ...schema, required: schema.required.filter((name) => !names.includes(name)) }

const withProperty = (schema: JsonSchema, name: string, property: JsonSchema): JsonSchema =>
  schema.properties?.[name] === undefined
    ? schema
    : { ...schema, properties: { ...schema.properties, [name]: property } }

/** A tool, one of whose schemas may describe properties by booleans. */
const withBooleans = (tool: JsonSchema, name: string): JsonSchema => {
  const described = tool.properties?.[name]
  const properties = described?.properties?.properties
  if (described === undefined || typeof properties?.additionalProperties !== "object") return tool
  const additionalProperties = { anyOf: [properties.additionalProperties, { type: "boolean" }] }
  return withProperty(tool, name, withProperty(described, "properties", { ...properties, additionalProperties }))
}

export const differences: ReadonlyArray<Difference> = [
  {
    reason: "caching hints are asked of a server; to a client their absence says 'stale at once' and 'private'",
    revisions: /2026/,
    change: (schema) => without(schema, ["ttlMs", "cacheScope"])
  },
  {
    reason:
      "a time to live hides no result: a negative one, which is asked of no server, is read as 0, and no fraction",
    revisions: /2026/,
    isReadOnly: true,
    change: (schema) => withProperty(schema, "ttlMs", { type: "number" })
  },
  {
    reason: "a boolean, too, is a JSON Schema of a property, and hides no tool; what is written is an object",
    revisions: /2024|2025/,
    isReadOnly: true,
    change: (schema, name) => (name === "Tool" ? ["inputSchema", "outputSchema"].reduce(withBooleans, schema) : schema)
  },
  {
    reason: "a result without a type is complete, as those of earlier servers are",
    revisions: /2026/,
    change: (schema, name) => (name === "InputRequiredResult" ? schema : without(schema, ["resultType"]))
  },
  {
    reason: "what a server says of itself is only shown: a result is none the worse for it",
    revisions: /2026/,
    change: (schema) =>
      schema.properties?._meta?.$ref?.endsWith("/ResultMetaObject") === true
        ? withProperty(schema, "_meta", { type: "object" })
        : schema
  },
  {
    reason: "the published schema, made from numbers, says integer where a form may ask for any number",
    revisions: /2025-06|2025-11|2026/,
    change: (schema, name) =>
      name === "ElicitResult"
        ? withProperty(schema, "content", {
            type: "object",
            additionalProperties: JSON.parse(
              JSON.stringify(schema.properties?.content?.additionalProperties).replaceAll("integer", "number")
            )
          })
        : schema
  },
  {
    reason: "whatever JSON text gives is a JSON value, null and fractions among them; messages are bounded before",
    revisions: /2026/,
    change: (schema, name) => (name === "JSONValue" ? {} : schema)
  }
]

const changed = (definitions: Definitions, changes: ReadonlyArray<Difference>): Definitions =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [
      name,
      changes.reduce((found, { change }) => change(found, name), schema)
    ])
  )

const of = (version: string): ReadonlyArray<Difference> =>
  differences.filter(({ revisions }) => revisions.test(version))

/** The published definitions as we read them. */
export const asRead = (version: string, definitions: Definitions): Definitions => changed(definitions, of(version))

/** The published definitions as we write them. */
export const asWritten = (version: string, definitions: Definitions): Definitions =>
  changed(
    definitions,
    of(version).filter(({ isReadOnly = false }) => !isReadOnly)
  )
