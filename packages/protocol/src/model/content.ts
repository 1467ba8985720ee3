import type { JsonObject } from "../JsonRpc.ts"
import type { Icon } from "./implementation.ts"

/**
 * Who a piece of content is for, how much it matters (0 to 1), and when it last changed (ISO 8601).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations
 */
export interface Annotations {
  readonly audience?: ReadonlyArray<"user" | "assistant">
  readonly priority?: number
  readonly lastModified?: string
}

interface Common {
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#text-content */
export interface TextContent extends Common {
  readonly type: "text"
  readonly text: string
}

/**
 * `data` is base64.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#image-content
 */
export interface ImageContent extends Common {
  readonly type: "image"
  readonly data: string
  readonly mimeType: string
}

/**
 * `data` is base64.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#audio-content
 */
export interface AudioContent extends Common {
  readonly type: "audio"
  readonly data: string
  readonly mimeType: string
}

/**
 * A resource that the client may read; `size` is in bytes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#resource-links
 */
export interface ResourceLink extends Common {
  readonly type: "resource_link"
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly icons?: ReadonlyArray<Icon>
}

/**
 * What a resource holds: text, or base64 in `blob`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-contents
 */
export type ResourceContents = { readonly uri: string; readonly mimeType?: string; readonly _meta?: JsonObject } & (
  | { readonly text: string }
  | { readonly blob: string }
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#embedded-resources */
export interface EmbeddedResource extends Common {
  readonly type: "resource"
  readonly resource: ResourceContents
}

/**
 * One piece of what a tool or a prompt gives back.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 */
export type Content = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

export const text = (value: string): TextContent => ({ type: "text", text: value })
