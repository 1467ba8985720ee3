import * as Schema from "effect/Schema"
import type { Content } from "../../model/content.ts"
import { lazy } from "../check.ts"
import { meta, optional, optionalInteger, optionalString } from "../fields.ts"
import { omit } from "../project.ts"
import {
  AudioContent as AudioContent_2025_03_26,
  BlobResourceContents as BlobResourceContents_2025_03_26,
  ImageContent as ImageContent_2025_03_26,
  ResourceContents as ResourceContents_2025_03_26,
  TextContent as TextContent_2025_03_26,
  TextResourceContents as TextResourceContents_2025_03_26
} from "../v2025_03_26/content.ts"
import { Annotations, BaseMetadata } from "./annotations.ts"

/** What every block may say besides. */
export const common = lazy(() => ({ annotations: optional(Annotations()), ...meta() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#textcontent */
export const TextContent = lazy(() => Schema.Struct({ ...TextContent_2025_03_26().fields, ...common() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#imagecontent */
export const ImageContent = lazy(() => Schema.Struct({ ...ImageContent_2025_03_26().fields, ...common() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#audiocontent */
export const AudioContent = lazy(() => Schema.Struct({ ...AudioContent_2025_03_26().fields, ...common() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#resourcelink */
export const ResourceLink = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("resource_link"),
    uri: Schema.String,
    ...BaseMetadata().fields,
    description: optionalString(),
    mimeType: optionalString(),
    size: optionalInteger(),
    ...common()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/server/resources#resource-contents */
export const ResourceContents = lazy(() => Schema.Struct({ ...ResourceContents_2025_03_26().fields, ...meta() }))

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#textresourcecontents */
export const TextResourceContents = lazy(() =>
  Schema.Struct({ ...TextResourceContents_2025_03_26().fields, ...meta() })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#blobresourcecontents */
export const BlobResourceContents = lazy(() =>
  Schema.Struct({ ...BlobResourceContents_2025_03_26().fields, ...meta() })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#embeddedresource */
export const EmbeddedResource = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("resource"),
    resource: Schema.Union([TextResourceContents(), BlobResourceContents()]),
    ...common()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#contentblock */
export const ContentBlock = lazy(() =>
  Schema.Union([TextContent(), ImageContent(), AudioContent(), ResourceLink(), EmbeddedResource()])
)

/** A link to a resource has no icons here. */
export const encodeContent = (block: Content): Content =>
  block.type === "resource_link" ? omit(block, ["icons"]) : block
