import { type Definitions, type JsonSchema, resolve } from "./fixtures.ts"

type Path = ReadonlyArray<string | number>

const texts: { readonly [format: string]: string } = {
  uri: "https://example.com/a",
  "uri-template": "file:///{path}",
  byte: "AAAA"
}

const has = (value: unknown, name: string): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)

const isPlain = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Whether a value is what a published definition says; with `isClosed` it has no member that the definition does not
 * name, but in `inputSchema` and `outputSchema`, which are JSON Schema as it comes.
 */
export const accepts = (definitions: Definitions, schema: JsonSchema, value: unknown, isClosed = false): boolean => {
  const of = (part: JsonSchema, inside: unknown): boolean => accepts(definitions, part, inside, isClosed)
  const found = resolve(definitions, schema)
  if (found.const !== undefined) return value === found.const
  if (found.enum !== undefined) return found.enum.includes(value)
  if (found.anyOf !== undefined) return found.anyOf.some((part) => of(part, value))
  if (Array.isArray(found.type)) return found.type.some((type) => of({ ...found, type }, value))
  switch (found.type) {
    case "string":
    case "boolean":
      return typeof value === found.type
    case "null":
      return value === null
    case "integer":
      return Number.isInteger(value)
    case "number": {
      const { maximum = Infinity, minimum = -Infinity } = found
      return typeof value === "number" && value >= minimum && value <= maximum
    }
    case "array":
      return Array.isArray(value) && value.every((item) => of(found.items ?? {}, item))
    case "object": {
      const { additionalProperties: rest, properties = {}, required = [] } = found
      return (
        isPlain(value) &&
        required.every((name) => has(value, name)) &&
        Object.entries(value).every(([name, inside]) =>
          Object.hasOwn(properties, name)
            ? accepts(definitions, properties[name]!, inside, isClosed && !name.endsWith("putSchema"))
            : typeof rest === "object"
              ? of(rest, inside)
              : !isClosed || Object.keys(properties).length === 0
        )
      )
    }
    default:
      return true
  }
}

/** The first of each, then the second of each, and so on. */
const inTurn = (lists: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<unknown> =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1))
  ).flat()

/** How many samples one definition has at most. */
const MOST = 24

/**
 * Messages that a definition allows: the least, the whole, and the whole with each alternative of each member. What is
 * nested deeper than any real message is the least.
 */
export const samplesOf = (definitions: Definitions, schema: JsonSchema, depth = 0): ReadonlyArray<unknown> => {
  const of = (part: JsonSchema): ReadonlyArray<unknown> => samplesOf(definitions, part, depth + 1)
  const found = resolve(definitions, schema)
  if (found.const !== undefined) return [found.const]
  if (found.enum !== undefined) return found.enum
  if (found.anyOf !== undefined) return inTurn(found.anyOf.map((part) => (depth > 6 ? of(part).slice(0, 1) : of(part))))
  if (Array.isArray(found.type)) return found.type.flatMap((type) => of({ ...found, type }))
  switch (found.type) {
    case "string":
      return [texts[found.format ?? ""] ?? "some text"]
    case "integer":
      return [7]
    case "number":
      return [0.5]
    case "boolean":
      return [true, false]
    case "null":
      return [null]
    case "array": {
      const items = of(found.items ?? {})
      return depth > 6 ? [[]] : [items.slice(0, 12), [], ...items.slice(12, MOST).map((item) => [item])]
    }
    case "object":
      return objectsOf(found, of, depth)
    default:
      return ["anything", { at: ["all"] }, null]
  }
}

const objectsOf = (
  { additionalProperties, properties = {}, required = [] }: JsonSchema,
  of: (part: JsonSchema) => ReadonlyArray<unknown>,
  depth: number
): ReadonlyArray<unknown> => {
  const members = Object.entries(properties).map(([name, part]) => [name, of(part)] as const)
  const rest = typeof additionalProperties === "object" ? of(additionalProperties) : []
  const named = Object.fromEntries(rest.slice(0, 12).map((value, index) => [`key ${index}`, value] as const))
  const first = (names: (name: string) => boolean): { readonly [name: string]: unknown } =>
    Object.fromEntries(members.filter(([name]) => names(name)).map(([name, [value]]) => [name, value] as const))
  const least = first((name) => required.includes(name))
  if (depth > 6) return [least]
  const whole = { ...named, ...first(() => true) }
  const others = members.flatMap(([name, values]) => values.slice(1).map((value) => ({ ...whole, [name]: value })))
  return [whole, least, ...others].slice(0, MOST)
}

/** Not into what is deep inside: that has a definition, and so a test, of its own. */
const pathsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => {
  if (typeof value !== "object" || value === null || path.length === 3) return [path]
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...inside.flatMap(([key, held]) => pathsOf(held, [...path, key]))]
}

const put = (value: unknown, [key, ...rest]: Path, change: (held: unknown) => ReadonlyArray<unknown>): unknown => {
  if (key === undefined) return change(value)[0]
  if (Array.isArray(value)) return value.with(Number(key), put(value[Number(key)], rest, change))
  if (!isPlain(value)) return value
  const held = put(value[key], rest, change)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, old]) =>
      name === key ? (held === GONE ? [] : [[name, held]]) : [[name, old]]
    )
  )
}

const GONE = Symbol("gone")

/** The value in every way spoilt: each member taken out, or of another type. Some of them are as good as before. */
export const spoilt = (value: unknown): ReadonlyArray<unknown> =>
  pathsOf(value).flatMap((path) => {
    const instead = [null, true, 7.5, "other", {}, [{}], ...(typeof path.at(-1) === "string" ? [GONE] : [])]
    return instead.map((other) => put(value, path, () => [other]))
  })
