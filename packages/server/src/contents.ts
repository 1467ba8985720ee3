import type { CacheHints, JsonRpc, ReadResourceResult, ResourceContents } from "@effective-mcp/protocol"
import * as Base64 from "effect/encoding/Base64"

/** One of the things that a resource holds: text, or bytes (as they are, or in base64). `uri` is the resource's own if absent. */
export type Part = { readonly uri?: string; readonly mimeType?: string; readonly _meta?: JsonRpc.JsonObject } & (
  | { readonly text: string }
  | { readonly blob: Uint8Array | string }
)

/** What reading a resource may give back: a text, bytes, one or several parts, or a whole result. No parts mean that there is no such resource. */
export type Contents = string | Uint8Array | Part | ReadonlyArray<Part> | Whole

/** Parts, and what else the result says. */
export interface Whole extends CacheHints {
  readonly contents: ReadonlyArray<Part>
  readonly _meta?: JsonRpc.JsonObject
}

/** What the parts of a resource are taken to be unless they say so themselves. */
interface Own {
  readonly uri: string
  readonly mimeType: string | undefined
}

const isParts = (contents: Contents): contents is ReadonlyArray<Part> => Array.isArray(contents)

const encode = ({ mimeType: ownType, uri: ownUri }: Own, part: Part): ResourceContents => {
  const { _meta, mimeType = ownType, uri = ownUri } = part
  const said = {
    uri,
    ...(mimeType === undefined ? undefined : { mimeType }),
    ...(_meta === undefined ? undefined : { _meta })
  }
  if ("text" in part) return { ...said, text: part.text }
  return { ...said, blob: typeof part.blob === "string" ? part.blob : Base64.encode(part.blob) }
}

/** A result of what reading gave back. It is the author's: what is none of these things throws. */
export const toResult = (own: Own, contents: Contents): ReadResourceResult => {
  if (typeof contents === "string") return { contents: [encode(own, { text: contents })] }
  if (contents instanceof Uint8Array) return { contents: [encode(own, { blob: contents })] }
  if (isParts(contents)) return { contents: contents.map((part) => encode(own, part)) }
  if (typeof contents !== "object" || contents === null) throw new Error(`it gave back no contents: ${typeof contents}`)
  if (!("contents" in contents)) return { contents: [encode(own, contents)] }
  return { ...contents, contents: contents.contents.map((part) => encode(own, part)) }
}
