import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { meta, object, optional } from "../fields.ts"

/** Ids that a double cannot hold exactly could not be answered. @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#requests */
export const RequestId = lazy(() => Schema.Union([Schema.String, Schema.Int]))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/utilities/progress#progress-flow */
export const ProgressToken = lazy(() => Schema.Union([Schema.String, Schema.Int]))

/** What a request may say besides. */
export const requestParams = lazy(() =>
  Schema.Struct({ _meta: optional(Schema.Struct({ progressToken: optional(ProgressToken()) })) })
)

/** What a notification may say besides. */
export const notificationParams = lazy(() => Schema.Struct(meta()))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#responses */
export const Result = lazy(() => Schema.Struct({ _meta: optional(object()) }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/messages#responses */
export const EmptyResult = lazy(() => Result())
