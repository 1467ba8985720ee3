import { Invalid } from "./Invalid.ts"
import { isToken, ofParam, repeated } from "./HeaderName.ts"
import { isObject, type JsonObject } from "./JsonRpc.ts"
import { limits } from "./Limits.ts"

/** One argument of a tool that a header repeats: the header's name, and the keys that lead to the argument. */
export interface HeaderParam {
  readonly header: string
  readonly path: ReadonlyArray<string>
}

const KEYWORD = "x-mcp-header"

const PRIMITIVE: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"])

/** Keywords that hold values, in which a member is no keyword, whatever its name. */
const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"])

/** Keywords that hold schemas by names that the author chose. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions"
])

const none: ReadonlyArray<HeaderParam> = []

const wrong = (path: string, why: string): Invalid =>
  new Invalid(`${KEYWORD} of ${path === "" ? "the whole" : path} ${why}`)

/** Why an annotation may not stand where it does. */
const misplaced = (schema: JsonObject, path: string, isReachable: boolean): Invalid | undefined => {
  const name = schema[KEYWORD]
  if (typeof name !== "string" || !isToken(name)) return wrong(path, "is no name of a header")
  if (!isReachable) return wrong(path, "is not on a property, reached through properties alone")
  if (!PRIMITIVE.has(schema.type)) return wrong(path, "is not on a string, an integer or a boolean")
  return undefined
}

/**
 * The arguments that headers repeat, as a tool's input schema says; `Invalid` where the protocol does not allow what it
 * says: a client on HTTP does not show such a tool at all.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 */
export const read = (schema: JsonObject): ReadonlyArray<HeaderParam> | Invalid => {
  const names: Array<string> = []
  const found: Array<HeaderParam> = []
  /** `keys` lead to a property through properties alone; undefined where nothing does. */
  const visit = (
    value: unknown,
    path: string,
    keys: ReadonlyArray<string> | undefined,
    depth: number
  ): Invalid | void => {
    if (typeof value !== "object" || value === null) return
    if (depth > 2 * limits.schemaDepth) return wrong(path, "cannot be looked for: the schema is nested too deep")
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) {
        const invalid = visit(item, `${path}[${at}]`, undefined, depth + 1)
        if (invalid !== undefined) return invalid
      }
      return
    }
    const node = value as JsonObject // cast: it is an object and no list
    if (Object.hasOwn(node, KEYWORD)) {
      const invalid = misplaced(node, path, keys !== undefined && depth > 0)
      if (invalid !== undefined) return invalid
      const name = String(node[KEYWORD])
      names.push(name)
      found.push({ header: ofParam(name), path: keys ?? [] })
    }
    for (const [keyword, inner] of Object.entries(node)) {
      if (VALUES.has(keyword)) continue
      const isProperties = keyword === "properties"
      if (!isProperties && !NAMED.has(keyword)) {
        const invalid = visit(inner, `${path}/${keyword}`, undefined, depth + 1)
        if (invalid !== undefined) return invalid
        continue
      }
      // names of members, which are no keywords
      for (const [name, member] of isObject(inner) ? Object.entries(inner) : []) {
        const into = isProperties && keys !== undefined ? [...keys, name] : undefined
        const invalid = visit(member, `${path}/${keyword}/${name}`, into, depth + 1)
        if (invalid !== undefined) return invalid
      }
    }
  }
  const invalid = visit(schema, "", [], 0)
  if (invalid !== undefined) return invalid
  const twice = repeated(names)
  if (twice !== undefined) return new Invalid(`${KEYWORD} ${twice} stands on two properties`)
  return found.length === 0 ? none : found
}

/** What stands at the end of the keys, among own members alone. */
export const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let at = value
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}
