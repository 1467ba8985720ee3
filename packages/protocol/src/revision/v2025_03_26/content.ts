import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { EmbeddedResource, encodeBlock, ImageContent, linkAsText, TextContent } from "../v2024_11_05/content.ts"

export { EmbeddedResource, ImageContent, TextContent }
export { BlobResourceContents, encodeContents, ResourceContents, TextResourceContents } from "../v2024_11_05/content.ts"

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/prompts#audio-content */
export const AudioContent = lazy(() => Schema.Struct({ ...ImageContent().fields, type: Schema.Literal("audio") }))

/** What tools and prompts give back. */
export const contentBlock = lazy(() =>
  Schema.Union([TextContent(), ImageContent(), AudioContent(), EmbeddedResource()])
)

/** There are no links to resources here, no metadata, and annotations do not say when something changed. */
export const encodeContent = encodeBlock({
  block: ["_meta"],
  annotations: ["lastModified"],
  contents: ["_meta"],
  kind: linkAsText
})
