/**
 * How long a result stays fresh, in ms from its receipt, and whether others may be served from it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export interface CacheHints {
  readonly ttlMs?: number
  readonly cacheScope?: "public" | "private"
}
