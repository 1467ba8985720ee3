import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { object, optional, optionalBoolean } from "../fields.ts"

/** Members that are objects, each under the name that its owner chose. */
export const named = lazy(() => optional(Schema.Record(Schema.String, object())))

/** Whether changes of a list are told. */
export const listChanged = lazy(() => optional(Schema.Struct({ listChanged: optionalBoolean() })))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#capability-negotiation */
export const ClientCapabilities = lazy(() =>
  Schema.Struct({ experimental: named(), roots: listChanged(), sampling: optional(object()) })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#capability-negotiation */
export const ServerCapabilities = lazy(() =>
  Schema.Struct({
    experimental: named(),
    logging: optional(object()),
    prompts: listChanged(),
    resources: optional(Schema.Struct({ subscribe: optionalBoolean(), listChanged: optionalBoolean() })),
    tools: listChanged()
  })
)
