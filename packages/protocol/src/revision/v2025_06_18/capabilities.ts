import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { object, optional } from "../fields.ts"
import { ClientCapabilities as ClientCapabilities_2025_03_26 } from "../v2025_03_26/capabilities.ts"

export { ServerCapabilities } from "../v2025_03_26/capabilities.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#clientcapabilities */
export const ClientCapabilities = lazy(() =>
  Schema.Struct({ ...ClientCapabilities_2025_03_26().fields, elicitation: optional(object()) })
)
