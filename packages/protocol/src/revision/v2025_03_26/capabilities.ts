import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { object, optional } from "../fields.ts"
import { ServerCapabilities as ServerCapabilities_2024_11_05 } from "../v2024_11_05/capabilities.ts"

export { ClientCapabilities, clientCapabilities } from "../v2024_11_05/capabilities.ts"

/** @see https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle#capability-negotiation */
export const ServerCapabilities = lazy(() =>
  Schema.Struct({ ...ServerCapabilities_2024_11_05().fields, completions: optional(object()) })
)
