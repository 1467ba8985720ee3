import type { Content } from "@effective-mcp/protocol"
import { ToolError as Base } from "../ToolError.ts"

/**
 * How a tool says that it failed: thrown, its message reaches the model, or `content` where there is some.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
 */
export class ToolError extends Base {
  constructor(message: string, content?: ReadonlyArray<Content>) {
    super(content === undefined ? { message } : { message, content })
  }
}
