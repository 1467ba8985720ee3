import type { Headers, HttpResponse } from "@effective-mcp/http"
import { ErrorCode, JsonRpc } from "@effective-mcp/protocol"

export interface Refusal {
  /** Default `-32600`. */
  readonly code?: number
  readonly id?: JsonRpc.RequestId | undefined
  readonly headers?: Headers
}

/** Refuses a request before any handler sees it; the text is always our own. */
export const refuse = (
  response: HttpResponse,
  status: number,
  message: string,
  { code = ErrorCode.InvalidRequest, headers, id }: Refusal = {}
): void => {
  const body = JSON.stringify(JsonRpc.failure(id, { code, message }))
  response.whole(status, { "content-type": "application/json", ...headers }, body)
}
