import * as Schema from "effect/Schema"
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import { type Content, text, type TextContent } from "../../model/content.ts"
import type { Methods } from "../../model/methods.ts"
import type { CallToolResult as Result, Tool as Described } from "../../model/tools.ts"
import { checker, lazy, listChecker } from "../check.ts"
import { object, open, optional, optionalBoolean, optionalString, propertySchemas, strings } from "../fields.ts"
import { legacyAsItIs, list, ofLegacy, omit } from "../project.ts"
import { type Codec, Invalid } from "../Revision.ts"
import { notificationParams, Result as AnyResult } from "./basic.ts"
import { contentBlock, encodeContent } from "./content.ts"
import { bareMessage, message } from "./jsonrpc.ts"
import { page, pageRequest, PaginatedResult } from "./pagination.ts"

/** The JSON Schema of an object, as far as the protocol looks into it. */
export const objectSchema = lazy(() =>
  open({
    type: Schema.Literal("object"),
    properties: propertySchemas(),
    required: optional(strings())
  })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#tool */
export const Tool = lazy(() =>
  Schema.Struct({ name: Schema.String, description: optionalString(), inputSchema: objectSchema() })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#listing-tools */
export const ListToolsRequest = pageRequest("tools/list")

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#listing-tools */
export const ListToolsResult = lazy(() => Schema.Struct({ tools: Schema.Array(Tool()), ...PaginatedResult().fields }))

/** What a call says: which tool, and with what. */
export const callParams = lazy(() => Schema.Struct({ name: Schema.String, arguments: optional(object()) }))

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#calling-tools */
export const CallToolRequest = message("tools/call", callParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#tool-result */
export const CallToolResult = lazy(() =>
  Schema.Struct({ content: Schema.Array(contentBlock()), isError: optionalBoolean(), ...AnyResult().fields })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#list-changed-notification */
export const ToolListChangedNotification = bareMessage("notifications/tools/list_changed", notificationParams)

const isPlainText = (item: unknown): item is TextContent =>
  isObject(item) &&
  item.type === "text" &&
  typeof item.text === "string" &&
  item.annotations === undefined &&
  item._meta === undefined

/** The commonest result of all: text alone. */
export const isPlainResult = (result: unknown): result is { readonly content: ReadonlyArray<TextContent> } =>
  isObject(result) &&
  result.structuredContent === undefined &&
  (result.resultType === undefined || typeof result.resultType === "string") &&
  (result.isError === undefined || typeof result.isError === "boolean") &&
  (result._meta === undefined || isObject(result._meta)) &&
  Array.isArray(result.content) &&
  result.content.every(isPlainText)

/** Content that says in a text what is structured: in the one that it has, or in the JSON of it. */
export const withText = (content: ReadonlyArray<Content>, structured: unknown): ReadonlyArray<Content> =>
  content.some(({ type }) => type === "text") ? content : [...content, text(JSON.stringify(structured) ?? "null")]

/** A result with a text instead of its structured content. */
export const inWords = ({ structuredContent, ...result }: Result): Result => ({
  ...result,
  content: withText(result.content, structuredContent)
})

/** How a revision writes results of calls: each block as `encode` says, structured content if it `fits`. */
export const encodeResult =
  (encode: (block: Content) => Content, fits: (structured: unknown) => boolean) =>
  (result: Result): JsonObject => {
    if (isPlainResult(result)) return legacyAsItIs(result)
    const said = result.structuredContent === undefined || fits(result.structuredContent) ? result : inWords(result)
    return { ...ofLegacy(said), content: said.content.map(encode) }
  }

const hasBoolean = (properties: JsonObject): boolean => {
  // most often nothing is found: no list of the values is made for that
  for (const name in properties) if (typeof properties[name] === "boolean") return true
  return false
}

/** A JSON Schema that describes each property by an object: `true` as `{}`, `false` as `{ not: {} }`. */
const byObjects = (schema: JsonObject): JsonObject => {
  const { properties } = schema
  if (!isObject(properties) || !hasBoolean(properties)) return schema
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    typeof property === "boolean" ? (property ? {} : { not: {} }) : property
  ])
  return { ...schema, properties: Object.fromEntries(described) }
}

/** A tool whose schemas describe each property by an object; the very same when they do already. */
export const describedByObjects = (tool: Described): Described => {
  const inputSchema = byObjects(tool.inputSchema)
  const outputSchema = tool.outputSchema && byObjects(tool.outputSchema)
  if (inputSchema === tool.inputSchema && outputSchema === tool.outputSchema) return tool
  return { ...tool, inputSchema, ...(outputSchema && { outputSchema }) }
}

/** Writes a list of tools that have none of these members, and schemas that describe each property by an object. */
export const listWithout = (members: ReadonlyArray<string>) =>
  list<"tools", Described>("tools", (tool) => omit(describedByObjects(tool), members))

/** A tool is a name, a description and the schema of its arguments, of objects, here. @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#listing-tools */
export const listTools: Codec<Methods["tools/list"]["params"], Methods["tools/list"]["result"]> = {
  ...page,
  decodeResult: listChecker(ListToolsResult, "tools", Tool),
  encodeResult: listWithout(["title", "outputSchema", "annotations", "icons", "execution", "_meta"])
}

/**
 * There is no structured content here: the JSON of it stands in for it where there is no text. Arguments that do not fit
 * are an error response.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/server/tools#calling-tools
 */
export const callTool: Codec<Methods["tools/call"]["params"], Methods["tools/call"]["result"]> = {
  decodeParams: (wire) => {
    const { arguments: args, name } = wire
    if (typeof name !== "string") return new Invalid("name is not a string")
    if (args === undefined) return { name }
    return isObject(args) ? { name, arguments: args } : new Invalid("arguments is not an object")
  },
  encodeParams: ({ arguments: args, name }) => (args === undefined ? { name } : { name, arguments: args }),
  decodeResult: checker(CallToolResult, isPlainResult),
  encodeResult: encodeResult(encodeContent, () => false)
}
