import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { optional, optionalBoolean, optionalString } from "../fields.ts"
import type { Codec } from "../Revision.ts"
import {
  callTool as callTool_2024_11_05,
  CallToolResult as CallToolResult_2024_11_05,
  encodeResult,
  isPlainResult,
  listTools as listTools_2024_11_05,
  ListToolsResult as ListToolsResult_2024_11_05,
  listWithout,
  Tool as Tool_2024_11_05
} from "../v2024_11_05/tools.ts"
import { contentBlock, encodeContent } from "./content.ts"

export { CallToolRequest, ListToolsRequest, ToolListChangedNotification } from "../v2024_11_05/tools.ts"

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/tools#tool */
export const ToolAnnotations = lazy(() =>
  Schema.Struct({
    title: optionalString(),
    readOnlyHint: optionalBoolean(),
    destructiveHint: optionalBoolean(),
    idempotentHint: optionalBoolean(),
    openWorldHint: optionalBoolean()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/tools#tool */
export const Tool = lazy(() => Schema.Struct({ ...Tool_2024_11_05().fields, annotations: optional(ToolAnnotations()) }))

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/tools#listing-tools */
export const ListToolsResult = lazy(() =>
  Schema.Struct({ ...ListToolsResult_2024_11_05().fields, tools: Schema.Array(Tool()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-03-26/server/tools#tool-result */
export const CallToolResult = lazy(() =>
  Schema.Struct({ ...CallToolResult_2024_11_05().fields, content: Schema.Array(contentBlock()) })
)

/** A tool has no title of its own here, no output schema, no icons and no metadata. @see https://modelcontextprotocol.io/specification/2025-03-26/server/tools#listing-tools */
export const listTools: Codec<Methods["tools/list"]["params"], Methods["tools/list"]["result"]> = {
  ...listTools_2024_11_05,
  decodeResult: listChecker(ListToolsResult, "tools", Tool),
  encodeResult: listWithout(["title", "outputSchema", "icons", "execution", "_meta"])
}

/** There is no structured content here: the JSON of it stands in for it where there is no text. @see https://modelcontextprotocol.io/specification/2025-03-26/server/tools#calling-tools */
export const callTool: Codec<Methods["tools/call"]["params"], Methods["tools/call"]["result"]> = {
  ...callTool_2024_11_05,
  decodeResult: checker(CallToolResult, isPlainResult),
  encodeResult: encodeResult(encodeContent, () => false)
}
