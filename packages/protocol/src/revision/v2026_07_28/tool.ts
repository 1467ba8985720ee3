import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { open, optional, optionalString } from "../fields.ts"
import { Tool as Tool_2025_06_18 } from "../v2025_06_18/tools.ts"
import { Icons } from "./icons.ts"

/** Apart from the chapter on tools, since a model is told of tools, too. @see https://modelcontextprotocol.io/specification/2026-07-28/schema#tool */
export const Tool = lazy(() =>
  Schema.Struct({
    ...Tool_2025_06_18().fields,
    inputSchema: open({ type: Schema.Literal("object"), $schema: optionalString() }),
    outputSchema: optional(open({ $schema: optionalString() })),
    ...Icons().fields
  })
)
