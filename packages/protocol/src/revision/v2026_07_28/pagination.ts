import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { type Definition, optionalString } from "../fields.ts"
import { pageParams } from "../v2024_11_05/pagination.ts"
import { request } from "../v2025_11_25/jsonrpc.ts"
import { RequestId, RequestParams, Result } from "./basic.ts"

export { Cursor } from "../v2025_11_25/pagination.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#paginatedrequestparams */
export const PaginatedRequestParams = lazy(() => Schema.Struct({ ...RequestParams().fields, ...pageParams().fields }))

/** A request for a page. */
/* @__NO_SIDE_EFFECTS__ */
export const pageRequest = (method: string): Definition => request(method, PaginatedRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#request-format */
export const PaginatedRequest: Definition = lazy(() =>
  Schema.Struct({
    jsonrpc: Schema.Literal("2.0"),
    id: RequestId(),
    method: Schema.String,
    params: PaginatedRequestParams()
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#response-format */
export const PaginatedResult = lazy(() => Schema.Struct({ ...Result().fields, nextCursor: optionalString() }))
