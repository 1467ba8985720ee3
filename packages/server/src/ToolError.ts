import type { Content } from "@effective-mcp/protocol"
import * as Data from "effect/Data"

/**
 * How a tool says that it failed: its message, or `content` where there is some, reaches the model.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
 */
export class ToolError extends Data.TaggedError("ToolError")<{
  readonly message: string
  readonly content?: ReadonlyArray<Content>
}> {}
