import * as Schema from "effect/Schema"
import type { Tool as Described } from "../../model/tools.ts"
import { lazy } from "../check.ts"
import { open, optional, optionalString } from "../fields.ts"
import { omit } from "../project.ts"
import { Tool as Tool_2025_06_18 } from "../v2025_06_18/tools.ts"
import { Icons } from "./icons.ts"

/**
 * Apart from the chapter on tools, which stands above the one on sampling: a model is told of tools, and the call of a
 * tool may bring what a model has answered.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#tool
 */
export const Tool = lazy(() =>
  Schema.Struct({
    ...Tool_2025_06_18().fields,
    inputSchema: open({ type: Schema.Literal("object"), $schema: optionalString() }),
    outputSchema: optional(open({ $schema: optionalString() })),
    ...Icons().fields
  })
)

/** A tool without a word on how it is executed; the very same when there is none. */
export const encodeTool = (tool: Described): Described => omit(tool, ["execution"])
