import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { meta, object, optional, optionalString } from "../fields.ts"
import { LoggingLevel } from "../v2025_11_25/logging.ts"
import { Implementation } from "../v2025_11_25/lifecycle.ts"
import { ProgressToken, RequestId } from "../v2025_11_25/basic.ts"
import { ClientCapabilities } from "./capabilities.ts"

export { ProgressToken, RequestId }

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#metaobject */
export const MetaObject = lazy(() => object())

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#requestmetaobject */
export const RequestMetaObject = lazy(() =>
  Schema.Struct({
    progressToken: optional(ProgressToken()),
    "io.modelcontextprotocol/protocolVersion": Schema.String,
    "io.modelcontextprotocol/clientInfo": optional(Implementation()),
    "io.modelcontextprotocol/clientCapabilities": ClientCapabilities(),
    "io.modelcontextprotocol/logLevel": optional(LoggingLevel())
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#notificationmetaobject */
export const NotificationMetaObject = lazy(() =>
  Schema.Struct({ "io.modelcontextprotocol/subscriptionId": optional(RequestId()) })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#resultmetaobject */
export const ResultMetaObject = lazy(() =>
  Schema.Struct({ "io.modelcontextprotocol/serverInfo": optional(Implementation()) })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#requestparams */
export const RequestParams = lazy(() => Schema.Struct({ _meta: RequestMetaObject() }))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#notificationparams */
export const NotificationParams = lazy(() => Schema.Struct({ _meta: optional(NotificationMetaObject()) }))

/** A type that is not known is refused by whoever reads it. @see https://modelcontextprotocol.io/specification/2026-07-28/schema#resulttype */
export const ResultType = lazy(() => Schema.String)

/**
 * A server may leave out the type, as earlier ones do: it is then complete. What a server says of itself is only shown,
 * so a result is none the worse for it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#result
 */
export const Result = lazy(() => Schema.Struct({ resultType: optionalString(), ...meta() }))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#emptyresult */
export const EmptyResult = lazy(() => Result())
