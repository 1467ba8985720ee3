import type { JsonRpc } from "@effective-mcp/protocol"
import { modern } from "./wire.ts"

/** How each era writes the params of a request. */
export const eras: ReadonlyArray<
  readonly [era: "modern" | "legacy", params: (params?: JsonRpc.JsonObject) => JsonRpc.JsonObject]
> = [
  ["modern", modern],
  ["legacy", (params = {}) => params]
]

const ERAS_OWN: ReadonlySet<string> = new Set(["_meta", "cacheScope", "resultType", "ttlMs"])

/** What of a result is not the era's. */
export const plain = (result: JsonRpc.JsonObject): JsonRpc.JsonObject =>
  Object.fromEntries(Object.entries(result).filter(([key]) => !ERAS_OWN.has(key)))

/** The notifications among what a server has said, or those of one method. */
export const told = (said: ReadonlyArray<JsonRpc.Message>, method?: string): ReadonlyArray<JsonRpc.Notification> =>
  said.filter(
    (message): message is JsonRpc.Notification =>
      "method" in message && !("id" in message) && (method === undefined || message.method === method)
  )
