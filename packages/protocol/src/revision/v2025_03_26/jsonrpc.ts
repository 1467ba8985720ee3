import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { type Definition, oneOf } from "../fields.ts"
import { JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse } from "../v2024_11_05/jsonrpc.ts"

export { JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse }
export { Notification, Request } from "../v2024_11_05/jsonrpc.ts"

/* @__NO_SIDE_EFFECTS__ */
const listOf = (...members: ReadonlyArray<Definition>): Definition => lazy(() => Schema.Array(oneOf(...members)()))

/** Messages that ask, sent at once. @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching */
export const JSONRPCBatchRequest = listOf(JSONRPCRequest, JSONRPCNotification)

/** Their answers. @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching */
export const JSONRPCBatchResponse = listOf(JSONRPCResponse, JSONRPCError)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic#messages */
export const JSONRPCMessage = oneOf(
  JSONRPCRequest,
  JSONRPCNotification,
  JSONRPCBatchRequest,
  JSONRPCResponse,
  JSONRPCError,
  JSONRPCBatchResponse
)
