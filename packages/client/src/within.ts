/** Whether a resource is the one, or part of it, as a file is of its folder. */
export const isWithin = (uri: string, whole: string): boolean =>
  uri.startsWith(whole) && (whole.endsWith("/") || "/?#".includes(uri.charAt(whole.length)))

/** How many resources one may be part of, each looked for by itself. */
const MOST = 64

/** A resource and all that it may be part of; undefined when those are too many to go through. */
export const wholesOf = (uri: string): ReadonlyArray<string> | undefined => {
  const wholes = new Set([uri])
  for (let at = 0; at < uri.length; at++) {
    const character = uri.charAt(at)
    if (!"/?#".includes(character)) continue
    wholes.add(uri.slice(0, at))
    if (character === "/") wholes.add(uri.slice(0, at + 1))
    if (wholes.size > MOST) return undefined
  }
  wholes.delete("")
  return [...wholes]
}
