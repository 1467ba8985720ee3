import type { JsonObject } from "../JsonRpc.ts"
import type { CacheHints } from "./caching.ts"
import type { Annotations, ResourceContents } from "./content.ts"
import type { Icon } from "./implementation.ts"

interface Described {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

/**
 * Something that a server lets a client read; `size` is in bytes, before any encoding.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource
 */
export interface Resource extends Described {
  readonly uri: string
  readonly size?: number
}

/**
 * Many resources in one: `uriTemplate` is an RFC 6570 template of their URIs.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: string
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources */
export interface ListResourcesResult extends CacheHints {
  readonly resources: ReadonlyArray<Resource>
  readonly nextCursor?: string
  readonly _meta?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates */
export interface ListResourceTemplatesResult extends CacheHints {
  readonly resourceTemplates: ReadonlyArray<ResourceTemplate>
  readonly nextCursor?: string
  readonly _meta?: JsonObject
}

/**
 * Which resource.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
 */
export interface ResourceParams {
  readonly uri: string
}

/**
 * What a resource holds; a folder may hold several.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
 */
export interface ReadResourceResult extends CacheHints {
  readonly contents: ReadonlyArray<ResourceContents>
  readonly _meta?: JsonObject
}

/**
 * That the resource has changed, or has come to hold one that has.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#subscriptions
 */
export interface ResourceUpdated {
  readonly uri: string
  readonly _meta?: JsonObject
}
