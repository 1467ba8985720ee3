import { type JsonRpc, type LoggingLevel, Meta } from "@effective-mcp/protocol"
import type { RequestOptions } from "../Session.ts"

/** What an era has its requests say of themselves. */
export interface Marks {
  /** What every request carries in its `_meta`, beside its progress token. */
  readonly meta: JsonRpc.JsonObject
  /** The least that is logged, where each request says it. */
  readonly kept?: { level: LoggingLevel | undefined }
}

/** The `_meta` of a request: the caller's keys, then the era's, which always win. */
export const metaOf = (
  { kept, meta }: Marks,
  { logLevel, meta: own }: RequestOptions,
  id: JsonRpc.RequestId
): JsonRpc.JsonObject => {
  const level = kept && (logLevel ?? kept.level)
  const leveled = level === undefined ? undefined : { [Meta.LOG_LEVEL]: level }
  if (own === undefined) return { ...meta, ...leveled, progressToken: id }
  const allowed = Object.entries(own).filter(([key]) => !Meta.protectedKeys.has(key))
  return { ...Object.fromEntries(allowed), ...leveled, ...meta, progressToken: id }
}
