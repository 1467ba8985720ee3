import type { Headers, HttpResponse } from "@effective-mcp/http"
import { ErrorCode, JsonRpc } from "@effective-mcp/protocol"

export const JSON_TYPE: Headers = { "content-type": "application/json" }

/** Refuses a request before any handler sees it; the text is always our own. */
export const refuse = (
  response: HttpResponse,
  status: number,
  message: string,
  { code = ErrorCode.InvalidRequest, headers, id }: Refusal = {}
): void => {
  const error = JsonRpc.failure(id, { code, message })
  response.whole(status, headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers }, JSON.stringify(error))
}

export interface Refusal {
  /** Default `-32600`. */
  readonly code?: number
  readonly id?: JsonRpc.RequestId | undefined
  readonly headers?: Headers
}
