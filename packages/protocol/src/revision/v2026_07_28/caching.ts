import * as Schema from "effect/Schema"
import type { CacheHints } from "../../model/caching.ts"
import type { JsonObject } from "../../JsonRpc.ts"
import { lazy } from "../check.ts"
import { optional, optionalInteger } from "../fields.ts"
import { Result } from "./basic.ts"

/**
 * Hints are asked of a server, and a client takes their absence for "stale at once" and "private".
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export const CacheableResult = lazy(() =>
  Schema.Struct({
    ...Result().fields,
    ttlMs: optionalInteger(),
    cacheScope: optional(Schema.Literals(["public", "private"]))
  })
)

/** A result that says nothing of it is stale at once, and private. */
export const encodeHints = (result: CacheHints & object): JsonObject => ({
  ttlMs: 0,
  cacheScope: "private",
  ...result
})
