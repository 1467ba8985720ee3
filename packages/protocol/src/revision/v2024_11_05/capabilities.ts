import * as Schema from "effect/Schema"
import type { ClientCapabilities as Declared } from "../../model/capabilities.ts"
import { lazy } from "../check.ts"
import { object, optional, optionalBoolean } from "../fields.ts"
import { omit } from "../project.ts"

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

/** Client capabilities without these, and without what sampling is capable of: that has no parts before 2025-11-25. */
export const clientWithout =
  (members: ReadonlyArray<string>) =>
  (capabilities: Declared): Declared => {
    const kept: Declared = omit(capabilities, members)
    const { sampling } = kept
    if (sampling === undefined) return kept
    const whole = omit(sampling, ["context", "tools"])
    return whole === sampling ? kept : { ...kept, sampling: whole }
  }

/** Nothing is known of elicitation here, of tasks and of extensions. @see https://modelcontextprotocol.io/specification/2024-11-05/basic/lifecycle#capability-negotiation */
export const clientCapabilities = clientWithout(["elicitation", "tasks", "extensions"])
