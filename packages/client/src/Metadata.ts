import type { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Layer } from "./Send.ts"

/**
 * What a program says with every request, in `_meta`: a value, or an effect that is run once for each operation, however
 * often that is sent. Keys that the protocol owns never reach the wire.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export type Metadata = JsonRpc.JsonObject | Effect.Effect<JsonRpc.JsonObject>

/** What a program says with a request that brings `own`, which wins. */
export const withOwn = (
  metadata: Metadata | undefined,
  own: JsonRpc.JsonObject | undefined
): Effect.Effect<JsonRpc.JsonObject> =>
  Effect.map(Effect.isEffect(metadata) ? metadata : Effect.succeed(metadata), (common) => ({ ...common, ...own }))

/** Adds `metadata` to every request; what a request itself brings wins over it. */
export const layer =
  (metadata: Metadata): Layer =>
  (next) =>
  (method, params, options) =>
    Effect.flatMap(withOwn(metadata, options?.meta), (meta) => next(method, params, { ...options, meta }))
