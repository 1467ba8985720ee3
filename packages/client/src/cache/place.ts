import type { CacheHints, JsonRpc, Method, Methods } from "@effective-mcp/protocol"
import type { CacheKind } from "./CacheStore.ts"

/** Where a result is kept. */
export interface Place {
  readonly kind: CacheKind
  readonly at: string
  /** What is in the list when it is one. */
  readonly sizeOf: (result: object) => number | undefined
}

const lengthOf =
  (key: string) =>
  (result: object): number | undefined => {
    const list: unknown = (result as JsonRpc.JsonObject)[key] // cast: results are objects
    return Array.isArray(list) ? list.length : undefined
  }

const lists = {
  "tools/list": lengthOf("tools"),
  "prompts/list": lengthOf("prompts"),
  "resources/list": lengthOf("resources"),
  "resources/templates/list": lengthOf("resourceTemplates")
}

const isList = (method: Method): method is keyof typeof lists => Object.hasOwn(lists, method)

/** Undefined for what is never kept. */
export const placeOf = (method: Method, params: Methods[Method]["params"]): Place | undefined => {
  if (isList(method)) {
    // no cursor and an empty one are different pages
    const at = "cursor" in params && params.cursor !== undefined ? `=${params.cursor}` : ""
    return { kind: method, at, sizeOf: lists[method] }
  }
  return method === "resources/read" && "uri" in params
    ? { kind: method, at: params.uri, sizeOf: () => undefined }
    : undefined
}

export const hintsOf = (result: object): CacheHints => result
