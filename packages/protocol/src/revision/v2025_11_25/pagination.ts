import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { type Definition, optional } from "../fields.ts"
import { pageParams } from "../v2024_11_05/pagination.ts"
import { RequestId, RequestParams } from "./basic.ts"
import { bareRequest } from "./jsonrpc.ts"

export { Cursor, PaginatedResult } from "../v2025_06_18/pagination.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination#request-format */
export const PaginatedRequestParams = lazy(() => Schema.Struct({ ...RequestParams().fields, ...pageParams().fields }))

/** A request for a page. */
/* @__NO_SIDE_EFFECTS__ */
export const pageRequest = (method: string): Definition => bareRequest(method, PaginatedRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination#request-format */
export const PaginatedRequest: Definition = lazy(() =>
  Schema.Struct({
    jsonrpc: Schema.Literal("2.0"),
    id: RequestId(),
    method: Schema.String,
    params: optional(PaginatedRequestParams())
  })
)
