import * as Schema from "effect/Schema"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { open, optional, optionalString, propertySchemas, strings } from "../fields.ts"
import { legacyAsItIs, list } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { callParams, inWords, isPlainResult } from "../v2024_11_05/tools.ts"
import {
  callTool as callTool_2025_06_18,
  CallToolResult as CallToolResult_2025_06_18,
  listTools as listTools_2025_06_18,
  ListToolsResult as ListToolsResult_2025_06_18,
  ofObjects,
  Tool as Tool_2025_06_18,
  withContent
} from "../v2025_06_18/tools.ts"
import { NotificationParams } from "./basic.ts"
import { ContentBlock } from "./content.ts"
import { Icons } from "./icons.ts"
import { bareNotification, request } from "./jsonrpc.ts"
import { pageRequest } from "./pagination.ts"
import { TaskAugmentedRequestParams } from "./tasks.ts"

export { ToolAnnotations } from "../v2025_06_18/tools.ts"

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#toolexecution */
export const ToolExecution = lazy(() =>
  Schema.Struct({ taskSupport: optional(Schema.Literals(["forbidden", "optional", "required"])) })
)

const objectSchema = lazy(() =>
  open({
    type: Schema.Literal("object"),
    $schema: optionalString(),
    properties: propertySchemas(),
    required: optional(strings())
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#tool */
export const Tool = lazy(() =>
  Schema.Struct({
    ...Tool_2025_06_18().fields,
    inputSchema: objectSchema(),
    outputSchema: optional(objectSchema()),
    execution: optional(ToolExecution()),
    ...Icons().fields
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools */
export const ListToolsRequest = pageRequest("tools/list")

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#listtoolsresult */
export const ListToolsResult = lazy(() =>
  Schema.Struct({ ...ListToolsResult_2025_06_18().fields, tools: Schema.Array(Tool()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#calltoolrequestparams */
export const CallToolRequestParams = lazy(() =>
  Schema.Struct({ ...TaskAugmentedRequestParams().fields, ...callParams().fields })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#calltoolrequest */
export const CallToolRequest = request("tools/call", CallToolRequestParams)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#calltoolresult */
export const CallToolResult = lazy(() =>
  Schema.Struct({ ...CallToolResult_2025_06_18().fields, content: Schema.Array(ContentBlock()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification */
export const ToolListChangedNotification = bareNotification("notifications/tools/list_changed", NotificationParams)

/** There are no caching hints here, and an output schema describes an object. @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools */
export const listTools: Codec<Methods["tools/list"]["params"], Methods["tools/list"]["result"]> = {
  ...listTools_2025_06_18,
  decodeResult: listChecker(ListToolsResult, "tools", Tool),
  encodeResult: list("tools", ofObjects)
}

/**
 * Structured content is an object here; of anything else the text that goes with it is left, or its JSON where there is
 * no text. Arguments that do not fit are a result.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools
 */
export const callTool: Codec<Methods["tools/call"]["params"], Methods["tools/call"]["result"]> = {
  ...callTool_2025_06_18,
  decodeResult: withContent(checker(CallToolResult, isPlainResult)),
  wrongArguments: (message): JsonObject => ({ content: [{ type: "text", text: message }], isError: true }),
  encodeResult: (result) =>
    legacyAsItIs(
      result.structuredContent === undefined || isObject(result.structuredContent) ? result : inWords(result)
    )
}
