import type { JsonObject } from "../JsonRpc.ts"
import type { Dialect } from "./dialect.ts"
import type { Scope } from "./Run.ts"
import type { Node } from "./Site.ts"

/** A schema with a URI of its own, and what can be referred to in it. */
export interface Resource extends Scope {
  readonly uri: string
  readonly dialect: Dialect
  readonly root: JsonObject | boolean
  /** The schemas in it, by their objects. */
  readonly nodes: Map<object, Node>
  /** Resources inside it. */
  readonly inner: Map<object, Resource>
  readonly anchors: Map<string, Node>
  readonly dynamicAnchors: Map<string, Node>
}

/** The base of schemas that have no URI: references that stay inside need none. */
export const NOWHERE = "schema:///"

export const makeResource = (uri: string, dialect: Dialect, root: JsonObject | boolean): Resource => ({
  uri,
  dialect,
  root,
  nodes: new Map(),
  inner: new Map(),
  anchors: new Map(),
  dynamicAnchors: new Map()
})

/** Characters of a URI: each reference is read against one. */
const LENGTH = 2_048

/** A URI reference in full and without its fragment; undefined when it is none, or too long. */
export const absolute = (reference: string, base: string): string | undefined => {
  if (reference.length > LENGTH) return undefined
  try {
    const url = new URL(reference, base)
    url.hash = ""
    return url.href.length > LENGTH ? undefined : url.href
  } catch {
    return undefined
  }
}

/** The fragment of a URI reference, decoded; undefined when it cannot be. */
export const fragmentOf = (reference: string): string | undefined => {
  const at = reference.indexOf("#")
  try {
    return at < 0 ? "" : decodeURIComponent(reference.slice(at + 1))
  } catch {
    return undefined
  }
}

const INDEX = /^(0|[1-9]\d*)$/

const step = (value: unknown, key: string): unknown => {
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value) && !INDEX.test(key)) return undefined
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

/** Where a JSON pointer leads, and in which resource that is. */
export const walk = (from: Resource, pointer: string): { readonly resource: Resource; readonly value: unknown } => {
  let resource = from
  let value: unknown = from.root
  for (const token of pointer.split("/").slice(1)) {
    value = step(value, token.replaceAll("~1", "/").replaceAll("~0", "~"))
    const inner = typeof value === "object" && value !== null ? resource.inner.get(value) : undefined
    if (inner !== undefined) resource = inner
  }
  return { resource, value }
}
