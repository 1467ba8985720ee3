import { HeaderName, JsonRpc, limits } from "@effective-mcp/protocol"

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

const wrong = (path: string, why: string): Error =>
  new Error(`${KEYWORD} of ${path === "" ? "the whole" : path} ${why}`)

/** One annotation, where it stands, if it may stand there. */
const nameOf = (schema: JsonRpc.JsonObject, path: string, isReachable: boolean): string => {
  const name = schema[KEYWORD]
  if (typeof name !== "string" || !HeaderName.isToken(name)) throw wrong(path, "is no name of a header")
  if (!isReachable) throw wrong(path, "is not on a property, reached through properties alone")
  if (!PRIMITIVE.has(schema.type)) throw wrong(path, "is not on a string, an integer or a boolean")
  return name
}

/**
 * The names of the headers that mirror a tool's parameters. A schema that the protocol does not allow throws: clients on
 * HTTP would not show the tool at all.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 */
export const headersOf = (schema: JsonRpc.JsonObject): ReadonlyArray<string> => {
  const names: Array<string> = []
  const visit = (value: unknown, path: string, isReachable: boolean, depth: number): void => {
    if (typeof value !== "object" || value === null) return
    if (depth > 2 * limits.schemaDepth) throw wrong(path, "cannot be looked for: the schema is nested too deep")
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) visit(item, `${path}[${at}]`, false, depth + 1)
      return
    }
    const node = value as JsonRpc.JsonObject // cast: it is an object and no list
    if (Object.hasOwn(node, KEYWORD)) names.push(nameOf(node, path, isReachable && depth > 0))
    for (const [keyword, inner] of Object.entries(node)) {
      if (VALUES.has(keyword)) continue
      const isProperties = keyword === "properties"
      if (!isProperties && !NAMED.has(keyword)) {
        visit(inner, `${path}/${keyword}`, false, depth + 1)
        continue
      }
      // names of members, which are no keywords
      for (const [name, member] of JsonRpc.isObject(inner) ? Object.entries(inner) : [])
        visit(member, `${path}/${keyword}/${name}`, isReachable && isProperties, depth + 1)
    }
  }
  visit(schema, "", true, 0)
  const repeated = HeaderName.repeated(names)
  if (repeated !== undefined) throw new Error(`${KEYWORD} ${repeated} stands on two properties`)
  return names
}
