import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { type Definition, integer, oneOf, optional } from "../fields.ts"
import { notificationParams, RequestId, requestParams, Result } from "./basic.ts"

/** What has a method and parameters: requests and notifications, whose JSON-RPC members are defined elsewhere. */
/* @__NO_SIDE_EFFECTS__ */
export const message = (method: string, params: Definition): Definition =>
  lazy(() => Schema.Struct({ method: Schema.Literal(method), params: params() }))

/** The same where the parameters may be absent. */
/* @__NO_SIDE_EFFECTS__ */
export const bareMessage = (method: string, params: Definition): Definition =>
  lazy(() => Schema.Struct({ method: Schema.Literal(method), params: optional(params()) }))

const version = lazy(() => ({ jsonrpc: Schema.Literal("2.0") }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#requests */
export const Request: Definition = lazy(() =>
  Schema.Struct({ method: Schema.String, params: optional(requestParams()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#notifications */
export const Notification: Definition = lazy(() =>
  Schema.Struct({ method: Schema.String, params: optional(notificationParams()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#requests */
export const JSONRPCRequest: Definition = lazy(() =>
  Schema.Struct({ ...version(), id: RequestId(), method: Schema.String, params: optional(requestParams()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#notifications */
export const JSONRPCNotification: Definition = lazy(() =>
  Schema.Struct({ ...version(), method: Schema.String, params: optional(notificationParams()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#responses */
export const JSONRPCResponse: Definition = lazy(() =>
  Schema.Struct({ ...version(), id: RequestId(), result: Result() })
)

/** What an error response says. */
export const error = lazy(() => ({ code: integer(), message: Schema.String, data: optional(Schema.Unknown) }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#responses */
export const JSONRPCError: Definition = lazy(() =>
  Schema.Struct({ ...version(), id: RequestId(), error: Schema.Struct(error()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages */
export const JSONRPCMessage = oneOf(JSONRPCRequest, JSONRPCNotification, JSONRPCResponse, JSONRPCError)
