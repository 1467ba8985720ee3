const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Whether a tool's `x-mcp-header` names a header: one or more characters of an HTTP token.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
export const isToken = (name: string): boolean => TOKEN.test(name)

/** The header that carries the parameter with this `x-mcp-header`. */
export const ofParam = (name: string): string => `Mcp-Param-${name}`

/** The first of a tool's `x-mcp-header` names that one before it has already, but for its case. */
export const repeated = (names: Iterable<string>): string | undefined => {
  const seen = new Set<string>()
  for (const name of names) {
    const folded = name.toLowerCase()
    if (seen.has(folded)) return name
    seen.add(folded)
  }
  return undefined
}
