import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import {
  AudioContent,
  EmbeddedResource,
  ImageContent,
  ResourceLink as ResourceLink_2025_06_18,
  TextContent
} from "../v2025_06_18/content.ts"
import { Icons } from "./icons.ts"

export { AudioContent, EmbeddedResource, ImageContent, TextContent }
export { BlobResourceContents, ResourceContents, TextResourceContents } from "../v2025_06_18/content.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#resourcelink */
export const ResourceLink = lazy(() => Schema.Struct({ ...ResourceLink_2025_06_18().fields, ...Icons().fields }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#contentblock */
export const ContentBlock = lazy(() =>
  Schema.Union([TextContent(), ImageContent(), AudioContent(), ResourceLink(), EmbeddedResource()])
)
