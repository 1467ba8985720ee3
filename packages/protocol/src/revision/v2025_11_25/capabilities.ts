import * as Schema from "effect/Schema"
import type { ClientCapabilities as Declared } from "../../model/capabilities.ts"
import { lazy } from "../check.ts"
import { object, optional } from "../fields.ts"
import {
  ClientCapabilities as ClientCapabilities_2025_06_18,
  ServerCapabilities as ServerCapabilities_2025_06_18
} from "../v2025_06_18/capabilities.ts"

const anything = lazy(() => optional(object()))

/** Which of its tasks a side lets the other see and end. */
const tasks = lazy(() => ({ list: anything(), cancel: anything() }))

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#clientcapabilities */
export const ClientCapabilities = lazy(() =>
  Schema.Struct({
    ...ClientCapabilities_2025_06_18().fields,
    elicitation: optional(Schema.Struct({ form: anything(), url: anything() })),
    sampling: optional(Schema.Struct({ context: anything(), tools: anything() })),
    tasks: optional(
      Schema.Struct({
        ...tasks(),
        requests: optional(
          Schema.Struct({
            sampling: optional(Schema.Struct({ createMessage: anything() })),
            elicitation: optional(Schema.Struct({ create: anything() }))
          })
        )
      })
    )
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#servercapabilities */
export const ServerCapabilities = lazy(() =>
  Schema.Struct({
    ...ServerCapabilities_2025_06_18().fields,
    tasks: optional(
      Schema.Struct({
        ...tasks(),
        requests: optional(Schema.Struct({ tools: optional(Schema.Struct({ call: anything() })) }))
      })
    )
  })
)

/** Extensions are named here, too, though only later revisions define where. @see https://modelcontextprotocol.io/specification/2025-11-25/schema#clientcapabilities */
export const clientCapabilities = (capabilities: Declared): Declared => capabilities
