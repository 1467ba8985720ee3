/** What a path may be written with beside a slash, and what ends a name early. */
const isPlain = (text: string): boolean => !/[\\\p{Cc}]/u.test(text)

/**
 * Whether a text, taken for a path, stays inside the folder that it starts from: it is relative, without `..` (or what
 * some systems take for it) in any segment, without a backslash, a drive, and what no name holds. `%2F` counts as a slash, since `{+x}` leaves it as it
 * is. A link in the folder may lead out of it all the same: whoever opens files has to see to that.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#security-considerations
 */
export const isContained = (path: string): boolean => {
  const slashed = path.replace(/%2f/gi, "/").replace(/%5c/gi, "\\")
  return (
    isPlain(slashed) &&
    !slashed.startsWith("/") &&
    !/^[A-Za-z]:/.test(slashed) &&
    slashed.split("/").every((segment) => !/^\s*\.\.[.\s]*$/.test(segment))
  )
}
