import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { oneOf, optional, optionalBoolean } from "../fields.ts"
import { asItIs, each } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { callParams, isPlainResult } from "../v2024_11_05/tools.ts"
import { bareNotification, request } from "../v2025_11_25/jsonrpc.ts"
import { callTool as callTool_2025_11_25, listTools as listTools_2025_11_25 } from "../v2025_11_25/tools.ts"
import { NotificationParams, Result } from "./basic.ts"
import { CacheableResult, decodeHints, encodeHints } from "./caching.ts"
import { ContentBlock } from "./content.ts"
import { InputRequiredResult, InputResponseRequestParams, withoutQuestions } from "./inputRequired.ts"
import { response } from "./jsonrpc.ts"
import { pageRequest, PaginatedResult } from "./pagination.ts"
import { encodeTool, Tool } from "./tool.ts"

export { Tool }
export { ToolAnnotations } from "../v2025_11_25/tools.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools */
export const ListToolsRequest = pageRequest("tools/list")

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listtoolsresult */
export const ListToolsResult = lazy(() =>
  Schema.Struct({ tools: Schema.Array(Tool()), ...PaginatedResult().fields, ...CacheableResult().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listtoolsresultresponse */
export const ListToolsResultResponse = response(ListToolsResult)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolrequestparams */
export const CallToolRequestParams = lazy(() =>
  Schema.Struct({ ...InputResponseRequestParams().fields, ...callParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolrequest */
export const CallToolRequest = request("tools/call", CallToolRequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolresult */
export const CallToolResult = lazy(() =>
  Schema.Struct({
    content: Schema.Array(ContentBlock()),
    structuredContent: optional(Schema.Unknown),
    isError: optionalBoolean(),
    ...Result().fields
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolresultresponse */
export const CallToolResultResponse = response(oneOf(InputRequiredResult, CallToolResult))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toollistchangednotification */
export const ToolListChangedNotification = bareNotification("notifications/tools/list_changed", NotificationParams)

/** Nothing is said of how a tool is executed. @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools */
export const listTools: Codec<Methods["tools/list"]["params"], Methods["tools/list"]["result"]> = {
  ...listTools_2025_11_25,
  decodeResult: decodeHints(listChecker(ListToolsResult, "tools", Tool)),
  encodeResult: (result) => encodeHints({ ...result, tools: each(result.tools, encodeTool) })
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools */
export const callTool: Codec<Methods["tools/call"]["params"], Methods["tools/call"]["result"]> = {
  ...callTool_2025_11_25,
  decodeResult: checker(CallToolResult, isPlainResult),
  encodeResult: (result) => asItIs(withoutQuestions(result))
}
