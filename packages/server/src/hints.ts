import type { CacheHints } from "@effective-mcp/protocol"
import type { Cacheable } from "./Core.ts"

/**
 * How long results may be kept, and by whom: for all, or for one kind of result. Without it a result is stale at once,
 * and private.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export type Caching = CacheHints & { readonly [M in Cacheable]?: CacheHints }

/** Refuses what the protocol does not allow: a mistake of the author throws. */
export const requireHints = (what: string, hints: CacheHints | undefined): void => {
  const { cacheScope, ttlMs } = hints ?? {}
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 0))
    throw new Error(`ttlMs in ${what} is no number of milliseconds: ${ttlMs}`)
  if (cacheScope !== undefined && cacheScope !== "public" && cacheScope !== "private")
    throw new Error(`cacheScope in ${what} is neither public nor private`)
}

const VARYING: ReadonlyArray<Cacheable> = [
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list"
]

/**
 * The hints of each kind of result. What depends on who asks is private: to call it public is a mistake of the author,
 * and throws.
 */
export const hintsBy = (caching: Caching, isVarying: boolean): ((method: Cacheable) => CacheHints) => {
  const { cacheScope, ttlMs, ...each } = caching
  const all = {
    ...(ttlMs === undefined ? undefined : { ttlMs }),
    ...(cacheScope === undefined ? undefined : { cacheScope })
  }
  requireHints("cache", all)
  for (const [method, hints] of Object.entries(each)) requireHints(`cache of ${method}`, hints)
  const hintsOf = (method: Cacheable): CacheHints => ({ ...all, ...each[method] })
  if (isVarying) {
    for (const method of VARYING) {
      if (hintsOf(method).cacheScope === "public")
        throw new Error(`the result of ${method} depends on who asks: its cacheScope is private`)
    }
  }
  return hintsOf
}
