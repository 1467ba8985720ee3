import * as Schema from "effect/Schema"
import type { PageParams } from "../../model/pagination.ts"
import type { JsonObject } from "../../JsonRpc.ts"
import { lazy } from "../check.ts"
import { type Definition, optional, optionalString } from "../fields.ts"
import { Invalid } from "../Revision.ts"
import { Result } from "./basic.ts"
import { bareMessage } from "./jsonrpc.ts"

/** Never looked into. @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/pagination#pagination-model */
export const Cursor = lazy(() => Schema.String)

/** Which page. */
export const pageParams = lazy(() => Schema.Struct({ cursor: optional(Cursor()) }))

/** A request for a page. */
/* @__NO_SIDE_EFFECTS__ */
export const pageRequest = (method: string): Definition => bareMessage(method, pageParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/pagination#request-format */
export const PaginatedRequest: Definition = lazy(() =>
  Schema.Struct({ method: Schema.String, params: optional(pageParams()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/pagination#response-format */
export const PaginatedResult = lazy(() => Schema.Struct({ ...Result().fields, nextCursor: optionalString() }))

/** How every request for a page is read and written. */
export const page = {
  decodeParams: ({ cursor }: JsonObject): PageParams | Invalid => {
    if (cursor === undefined) return {}
    return typeof cursor === "string" ? { cursor } : new Invalid("cursor is not a string")
  },
  encodeParams: ({ cursor }: PageParams): JsonObject => (cursor === undefined ? {} : { cursor })
}
