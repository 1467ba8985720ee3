import type { JsonObject } from "../JsonRpc.ts"

/**
 * A place that a server may work in; `uri` is a `file:` URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots#root
 */
export interface Root {
  readonly uri: string
  readonly name?: string
  readonly _meta?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots#listing-roots */
export interface ListRootsResult {
  readonly roots: ReadonlyArray<Root>
  readonly _meta?: JsonObject
}
