import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { type Definition, object, oneOf } from "../fields.ts"
import { JSONRPCErrorResponse, JSONRPCNotification, JSONRPCRequest } from "../v2025_11_25/jsonrpc.ts"
import { RequestId, Result } from "./basic.ts"

export { JSONRPCErrorResponse, JSONRPCNotification, JSONRPCRequest }
export { Notification, Request } from "../v2025_11_25/jsonrpc.ts"

/** The response to a request of one kind. */
/* @__NO_SIDE_EFFECTS__ */
export const response = (result: Definition): Definition =>
  lazy(() => Schema.Struct({ jsonrpc: Schema.Literal("2.0"), id: RequestId(), result: result() }))

/** Whatever JSON gives is one. @see https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonvalue */
export const JSONValue: Definition = lazy(() => Schema.Unknown)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonobject */
export const JSONObject: Definition = lazy(() => object())

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonarray */
export const JSONArray: Definition = lazy(() => Schema.Array(Schema.Unknown))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcresultresponse */
export const JSONRPCResultResponse = response(Result)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcresponse */
export const JSONRPCResponse = oneOf(JSONRPCResultResponse, JSONRPCErrorResponse)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#jsonrpcmessage */
export const JSONRPCMessage = oneOf(JSONRPCRequest, JSONRPCNotification, JSONRPCResultResponse, JSONRPCErrorResponse)
