import { type CallToolResult, quote } from "@effective-mcp/protocol"
import * as Data from "effect/Data"

/** Why what a tool gave back is not what was expected. */
export type OutputReason =
  /** There is no structured content. */
  | { readonly _tag: "Missing" }
  /** It is not as the tool's own output schema says; `detail` names the places, never what stood there. */
  | { readonly _tag: "Unfit"; readonly detail: string }
  /** It is not what the caller expects; `cause` is what its schema says. */
  | { readonly _tag: "Unexpected"; readonly cause: unknown }
  /** The tool failed, as its result says. */
  | { readonly _tag: "Failed" }

const describe = (reason: OutputReason): string => {
  switch (reason._tag) {
    case "Missing":
      return "has no structured content, which its output schema promises"
    case "Unfit":
      return `is not as its output schema says: ${reason.detail}`
    case "Unexpected":
      return "is not what the caller expects"
    case "Failed":
      return "says that it failed"
  }
}

/**
 * A tool has run, and what it gave back cannot be used; `result` is all of it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
 */
export class OutputError extends Data.TaggedError("OutputError")<{
  readonly tool: string
  readonly reason: OutputReason
  readonly result: CallToolResult
}> {
  readonly outcome = "Unknown" as const

  override get message(): string {
    return `the result of the tool ${quote(this.tool)} ${describe(this.reason)}`
  }
}
