import * as Schema from "effect/Schema"
import type { CacheHints } from "../../model/caching.ts"
import type { JsonObject } from "../../JsonRpc.ts"
import { lazy } from "../check.ts"
import { Invalid, type Warn } from "../Revision.ts"
import { optional, optionalNumber } from "../fields.ts"
import { Result } from "./basic.ts"

/**
 * Hints are asked of a server, and a client takes their absence for "stale at once" and "private".
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export const CacheableResult = lazy(() =>
  Schema.Struct({
    ...Result().fields,
    ttlMs: optionalNumber(),
    cacheScope: optional(Schema.Literals(["public", "private"]))
  })
)

/** Whole ms, none for what is negative or not finite. */
const wholeMs = (ttlMs: number): number => (Number.isFinite(ttlMs) && ttlMs > 0 ? Math.floor(ttlMs) : 0)

/**
 * Reads a result whose time to live, if it is negative or has a fraction, hides nothing: it is read as whole ms from 0.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export const decodeHints =
  <A extends CacheHints>(decode: (wire: JsonObject, warn?: Warn) => A | Invalid) =>
  (wire: JsonObject, warn?: Warn): A | Invalid => {
    const result = decode(wire, warn)
    if (result instanceof Invalid || result.ttlMs === undefined) return result
    const ttlMs = wholeMs(result.ttlMs)
    return ttlMs === result.ttlMs ? result : { ...result, ttlMs }
  }

/** A result that says nothing of it is stale at once, and private. */
export const encodeHints = <A extends CacheHints>({ cacheScope, ttlMs, ...result }: A): JsonObject => ({
  ttlMs: wholeMs(ttlMs ?? 0),
  cacheScope: cacheScope ?? "private",
  ...result
})
