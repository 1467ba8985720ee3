import type { JsonObject, RequestId } from "../JsonRpc.ts"

/**
 * That nobody waits for the answer any more.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation
 */
export interface Cancelled {
  /** Absent only where a task is meant, which 2025-11-25 names elsewhere. */
  readonly requestId?: RequestId
  readonly reason?: string
  readonly _meta?: JsonObject
}
