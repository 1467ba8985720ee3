import type { JsonObject } from "../JsonRpc.ts"
import type { CacheHints } from "./caching.ts"
import type { Content } from "./content.ts"
import type { Icon } from "./implementation.ts"

/**
 * What a tool is said to do; hints, never to be trusted from a server that is not.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
 */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/**
 * A tool as a client sees it. `inputSchema` and `outputSchema` are JSON Schema, 2020-12 unless they say otherwise.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
 */
export interface Tool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

/**
 * `cursor` is what the page before gave as `nextCursor`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
 */
export interface ListToolsParams {
  readonly cursor?: string
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools */
export interface ListToolsResult extends CacheHints {
  readonly tools: ReadonlyArray<Tool>
  readonly nextCursor?: string
  readonly _meta?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools */
export interface CallToolParams {
  readonly name: string
  readonly arguments?: JsonObject
}

/**
 * What a tool gave back. `isError` says that it failed; `structuredContent` holds what its output schema describes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 */
export interface CallToolResult {
  readonly content: ReadonlyArray<Content>
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

/**
 * Whether a tool's name has the form that the protocol advises; a peer's is never refused for it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names
 */
export const isToolName = (name: string): boolean => /^[A-Za-z0-9_.-]{1,128}$/.test(name)
