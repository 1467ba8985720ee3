import type { CacheHints, JsonRpc } from "@effective-mcp/protocol"
import type { Method, Methods } from "../Methods.ts"
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

const lists: ReadonlyMap<Method, Pick<Place, "kind" | "sizeOf">> = new Map([
  ["tools/list", { kind: "tools/list", sizeOf: lengthOf("tools") }],
  ["prompts/list", { kind: "prompts/list", sizeOf: lengthOf("prompts") }],
  ["resources/list", { kind: "resources/list", sizeOf: lengthOf("resources") }],
  ["resources/templates/list", { kind: "resources/templates/list", sizeOf: lengthOf("resourceTemplates") }]
])

/** Undefined for what is never kept. */
export const placeOf = (method: Method, params: Methods[Method]["params"]): Place | undefined => {
  const list = lists.get(method)
  if (list !== undefined) {
    // no cursor and an empty one are different pages
    const at = "cursor" in params && params.cursor !== undefined ? `=${params.cursor}` : ""
    return { ...list, at }
  }
  return method === "resources/read" && "uri" in params
    ? { kind: method, at: params.uri, sizeOf: () => undefined }
    : undefined
}

export const hintsOf = (result: object): CacheHints => result
