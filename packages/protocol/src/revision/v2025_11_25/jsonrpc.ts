import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { type Definition, object, oneOf, optional } from "../fields.ts"
import { error } from "../v2024_11_05/jsonrpc.ts"
import { RequestId, Result } from "./basic.ts"

const version = lazy(() => ({ jsonrpc: Schema.Literal("2.0") }))
const head = lazy(() => ({ ...version(), id: RequestId() }))

/** A request whose parameters must be there. */
/* @__NO_SIDE_EFFECTS__ */
export const request = (method: string, params: Definition): Definition =>
  lazy(() => Schema.Struct({ ...head(), method: Schema.Literal(method), params: params() }))

/** A request whose parameters may be absent. */
/* @__NO_SIDE_EFFECTS__ */
export const bareRequest = (method: string, params: Definition): Definition =>
  lazy(() => Schema.Struct({ ...head(), method: Schema.Literal(method), params: optional(params()) }))

/** A notification whose parameters must be there. */
/* @__NO_SIDE_EFFECTS__ */
export const notification = (method: string, params: Definition): Definition =>
  lazy(() => Schema.Struct({ ...version(), method: Schema.Literal(method), params: params() }))

/** A notification whose parameters may be absent. */
/* @__NO_SIDE_EFFECTS__ */
export const bareNotification = (method: string, params: Definition): Definition =>
  lazy(() => Schema.Struct({ ...version(), method: Schema.Literal(method), params: optional(params()) }))

/** An error response whose error is of one kind. */
/* @__NO_SIDE_EFFECTS__ */
export const errorResponse = (definition: Definition): Definition =>
  lazy(() => Schema.Struct({ ...version(), id: optional(RequestId()), error: definition() }))

/** What has a method: the same for every message that asks or tells. */
const called = lazy(() => ({ method: Schema.String, params: optional(object()) }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#requests */
export const Request: Definition = lazy(() => Schema.Struct(called()))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#notifications */
export const Notification: Definition = lazy(() => Schema.Struct(called()))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#jsonrpcrequest */
export const JSONRPCRequest: Definition = lazy(() => Schema.Struct({ ...head(), ...called() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#jsonrpcnotification */
export const JSONRPCNotification: Definition = lazy(() => Schema.Struct({ ...version(), ...called() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#jsonrpcresultresponse */
export const JSONRPCResultResponse: Definition = lazy(() => Schema.Struct({ ...head(), result: Result() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#error */
export const Error = lazy(() => Schema.Struct(error()))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#jsonrpcerrorresponse */
export const JSONRPCErrorResponse = errorResponse(Error)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#jsonrpcresponse */
export const JSONRPCResponse = oneOf(JSONRPCResultResponse, JSONRPCErrorResponse)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#jsonrpcmessage */
export const JSONRPCMessage = oneOf(JSONRPCRequest, JSONRPCNotification, JSONRPCResultResponse, JSONRPCErrorResponse)
