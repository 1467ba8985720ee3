import * as Schema from "effect/Schema"
import { isObject } from "../../JsonRpc.ts"
import type { Methods } from "../../model/methods.ts"
import type { Tool as Described } from "../../model/tools.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { meta, object, optional, optionalString } from "../fields.ts"
import { list, omit } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { describedByObjects, encodeResult, isPlainResult, objectSchema } from "../v2024_11_05/tools.ts"
import {
  callTool as callTool_2025_03_26,
  CallToolResult as CallToolResult_2025_03_26,
  listTools as listTools_2025_03_26,
  ListToolsResult as ListToolsResult_2025_03_26,
  Tool as Tool_2025_03_26
} from "../v2025_03_26/tools.ts"
import { ContentBlock, encodeContent } from "./content.ts"

export {
  CallToolRequest,
  ListToolsRequest,
  ToolAnnotations,
  ToolListChangedNotification
} from "../v2025_03_26/tools.ts"

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#tool */
export const Tool = lazy(() =>
  Schema.Struct({
    ...Tool_2025_03_26().fields,
    title: optionalString(),
    outputSchema: optional(objectSchema()),
    ...meta()
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#listtoolsresult */
export const ListToolsResult = lazy(() =>
  Schema.Struct({ ...ListToolsResult_2025_03_26().fields, tools: Schema.Array(Tool()) })
)

/** @see https://modelcontextprotocol.io/specification/2025-06-18/schema#calltoolresult */
export const CallToolResult = lazy(() =>
  Schema.Struct({
    ...CallToolResult_2025_03_26().fields,
    content: Schema.Array(ContentBlock()),
    structuredContent: optional(object())
  })
)

/** A tool whose output schema, if any, is of an object, and whose schemas describe each property by an object. */
export const ofObjects = (tool: Described): Described =>
  describedByObjects(
    tool.outputSchema === undefined || tool.outputSchema.type === "object" ? tool : omit(tool, ["outputSchema"])
  )

/** A tool has no icons here, and an output schema describes an object. @see https://modelcontextprotocol.io/specification/2025-06-18/server/tools#listing-tools */
export const listTools: Codec<Methods["tools/list"]["params"], Methods["tools/list"]["result"]> = {
  ...listTools_2025_03_26,
  decodeResult: listChecker(ListToolsResult, "tools", Tool),
  encodeResult: list("tools", (tool) => omit(ofObjects(tool), ["icons", "execution"]))
}

/** Some servers leave out content where there is structured content: an empty one is meant. */
export const withContent =
  (decode: Codec<unknown, Methods["tools/call"]["result"]>["decodeResult"]): typeof decode =>
  (wire) =>
    decode(wire.content === undefined && isObject(wire.structuredContent) ? { ...wire, content: [] } : wire)

/**
 * Structured content is an object here; of anything else the text that goes with it is left, or its JSON where there is
 * no text.
 *
 * @see https://modelcontextprotocol.io/specification/2025-06-18/server/tools#calling-tools
 */
export const callTool: Codec<Methods["tools/call"]["params"], Methods["tools/call"]["result"]> = {
  ...callTool_2025_03_26,
  decodeResult: withContent(checker(CallToolResult, isPlainResult)),
  encodeResult: encodeResult(encodeContent, isObject)
}
