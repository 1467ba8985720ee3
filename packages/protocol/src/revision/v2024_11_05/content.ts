import * as Schema from "effect/Schema"
import type { Content, ResourceContents as Contents } from "../../model/content.ts"
import { lazy } from "../check.ts"
import { optionalString } from "../fields.ts"
import { omit, without } from "../project.ts"
import { Annotated } from "./annotations.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#text-content */
export const TextContent = lazy(() =>
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String, ...Annotated().fields })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#image-content */
export const ImageContent = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("image"),
    data: Schema.String,
    mimeType: Schema.String,
    ...Annotated().fields
  })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#resource-contents */
export const ResourceContents = lazy(() => Schema.Struct({ uri: Schema.String, mimeType: optionalString() }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#text-content */
export const TextResourceContents = lazy(() => Schema.Struct({ ...ResourceContents().fields, text: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/resources#binary-content */
export const BlobResourceContents = lazy(() => Schema.Struct({ ...ResourceContents().fields, blob: Schema.String }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/prompts#embedded-resources */
export const EmbeddedResource = lazy(() =>
  Schema.Struct({
    type: Schema.Literal("resource"),
    resource: Schema.Union([TextResourceContents(), BlobResourceContents()]),
    ...Annotated().fields
  })
)

/** What tools and prompts give back. */
export const contentBlock = lazy(() => Schema.Union([TextContent(), ImageContent(), EmbeddedResource()]))

/** What a revision cannot say of content: members of a block, of its annotations and of what it embeds, and whole kinds. */
export interface Unsaid {
  readonly block: ReadonlyArray<string>
  readonly annotations: ReadonlyArray<string>
  readonly contents: ReadonlyArray<string>
  /** What stands for a block that the revision has no kind for. */
  readonly kind: (block: Content) => Content | undefined
}

/** A block without what the revision cannot say: the block itself when it can say all of it. */
export const encodeBlock = ({ annotations, block, contents, kind }: Unsaid) => {
  const encode = without(block, annotations)
  return (said: Content): Content => {
    const kept = encode(kind(said) ?? said)
    if (kept.type !== "resource") return kept
    const resource = omit(kept.resource, contents) as Contents // cast: what is left out is optional
    return resource === kept.resource ? kept : { ...kept, resource }
  }
}

const text = (value: string, { annotations }: Content): Content => ({
  type: "text",
  text: value,
  ...(annotations === undefined ? undefined : { annotations })
})

/** A link to a resource in words, for revisions that have no links. */
export const linkAsText = (block: Content): Content | undefined =>
  block.type === "resource_link" ? text(`${block.title ?? block.name}: ${block.uri}`, block) : undefined

/** That there was sound, in words, for the revision that has none. */
const audioAsText = (block: Content): Content | undefined =>
  block.type === "audio" ? text(`[${block.mimeType}: sound, which this connection cannot carry]`, block) : undefined

/** There is no sound here, there are no links to resources, no metadata, and annotations do not say when something changed. */
export const encodeContent = encodeBlock({
  block: ["_meta"],
  annotations: ["lastModified"],
  contents: ["_meta"],
  kind: (block) => linkAsText(block) ?? audioAsText(block)
})

/** What a resource holds, without metadata. */
export const encodeContents = (contents: Contents): Contents => omit(contents, ["_meta"]) as Contents // cast: it is optional
