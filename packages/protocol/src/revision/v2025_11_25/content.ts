import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"

const Meta = Schema.Record(Schema.String, Schema.Unknown)
const optionalMeta = Schema.optionalKey(Meta)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#annotations */
export const Annotations = lazy(() =>
  Schema.Struct({
    audience: Schema.optionalKey(Schema.Array(Schema.Literals(["user", "assistant"]))),
    priority: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
    lastModified: Schema.optionalKey(Schema.String)
  })
)

const common = lazy(() => ({ annotations: Schema.optionalKey(Annotations()), _meta: optionalMeta }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#icon */
export const Icon = lazy(() =>
  Schema.Struct({
    src: Schema.String,
    mimeType: Schema.optionalKey(Schema.String),
    sizes: Schema.optionalKey(Schema.Array(Schema.String)),
    theme: Schema.optionalKey(Schema.Literals(["light", "dark"]))
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#textcontent */
export const TextContent = lazy(() => Schema.Struct({ type: Schema.Literal("text"), text: Schema.String, ...common() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#imagecontent */
export const ImageContent = lazy(() =>
  Schema.Struct({ type: Schema.Literal("image"), data: Schema.String, mimeType: Schema.String, ...common() })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#audiocontent */
export const AudioContent = lazy(() =>
  Schema.Struct({ type: Schema.Literal("audio"), data: Schema.String, mimeType: Schema.String, ...common() })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#resourcelink */
export const ResourceLink = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("resource_link"),
    uri: Schema.String,
    name: Schema.String,
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String),
    mimeType: Schema.optionalKey(Schema.String),
    size: Schema.optionalKey(Schema.Int),
    icons: Schema.optionalKey(Schema.Array(Icon())),
    ...common()
  })
)

const contents = { uri: Schema.String, mimeType: Schema.optionalKey(Schema.String), _meta: optionalMeta }

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#textresourcecontents */
export const TextResourceContents = lazy(() => Schema.Struct({ ...contents, text: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#blobresourcecontents */
export const BlobResourceContents = lazy(() => Schema.Struct({ ...contents, blob: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#embeddedresource */
export const EmbeddedResource = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("resource"),
    resource: Schema.Union([TextResourceContents(), BlobResourceContents()]),
    ...common()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#contentblock */
export const ContentBlock = lazy(() =>
  Schema.Union([TextContent(), ImageContent(), AudioContent(), ResourceLink(), EmbeddedResource()])
)
