import type { JsonObject } from "../JsonRpc.ts"
import type { CacheHints } from "./caching.ts"
import type { ClientCapabilities, ServerCapabilities } from "./capabilities.ts"
import type { Implementation } from "./implementation.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization */
export interface InitializeParams {
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
  readonly clientInfo: Implementation
}

/**
 * `instructions` say to the model how to use the server.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export interface InitializeResult {
  readonly protocolVersion: string
  readonly capabilities: ServerCapabilities
  readonly serverInfo: Implementation
  readonly instructions?: string
  readonly _meta?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export interface DiscoverResult extends CacheHints {
  readonly supportedVersions: ReadonlyArray<string>
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
  readonly _meta?: JsonObject
}
