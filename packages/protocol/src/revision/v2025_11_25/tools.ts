import * as Schema from "effect/Schema"
import { isObject } from "../../JsonRpc.ts"
import type { TextContent } from "../../model/content.ts"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import { type Codec, Invalid } from "../Revision.ts"
import { ContentBlock, Icon } from "./content.ts"

const Meta = Schema.Record(Schema.String, Schema.Unknown)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations */
export const ToolAnnotations = lazy(() =>
  Schema.Struct({
    title: Schema.optionalKey(Schema.String),
    readOnlyHint: Schema.optionalKey(Schema.Boolean),
    destructiveHint: Schema.optionalKey(Schema.Boolean),
    idempotentHint: Schema.optionalKey(Schema.Boolean),
    openWorldHint: Schema.optionalKey(Schema.Boolean)
  })
)

/** An open object schema: `type` must say `"object"`, `properties` and `required` must have their shapes. */
const objectSchema = () =>
  Schema.StructWithRest(
    Schema.Struct({
      type: Schema.Literal("object"),
      $schema: Schema.optionalKey(Schema.String),
      properties: Schema.optionalKey(Schema.Record(Schema.String, Meta)),
      required: Schema.optionalKey(Schema.Array(Schema.String))
    }),
    [Meta]
  )

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#tool */
export const Tool = lazy(() =>
  Schema.Struct({
    name: Schema.String,
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String),
    inputSchema: objectSchema(),
    outputSchema: Schema.optionalKey(objectSchema()),
    annotations: Schema.optionalKey(ToolAnnotations()),
    execution: Schema.optionalKey(
      Schema.Struct({ taskSupport: Schema.optionalKey(Schema.Literals(["forbidden", "optional", "required"])) })
    ),
    icons: Schema.optionalKey(Schema.Array(Icon())),
    _meta: Schema.optionalKey(Meta)
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#listtoolsresult */
export const ListToolsResult = lazy(() =>
  Schema.Struct({
    tools: Schema.Array(Tool()),
    nextCursor: Schema.optionalKey(Schema.String),
    _meta: Schema.optionalKey(Meta)
  })
)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/schema#calltoolresult */
export const CallToolResult = lazy(() =>
  Schema.Struct({
    content: Schema.Array(ContentBlock()),
    structuredContent: Schema.optionalKey(Meta),
    isError: Schema.optionalKey(Schema.Boolean),
    _meta: Schema.optionalKey(Meta)
  })
)

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
  (result.isError === undefined || typeof result.isError === "boolean") &&
  (result._meta === undefined || isObject(result._meta)) &&
  Array.isArray(result.content) &&
  result.content.every(isPlainText)

const checkListToolsResult = checker(ListToolsResult)
const checkCallToolResult = checker(CallToolResult, isPlainResult)

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools */
export const listTools: Codec<Methods["tools/list"]["params"], Methods["tools/list"]["result"]> = {
  decodeParams: ({ cursor }) => {
    if (cursor === undefined) return {}
    return typeof cursor === "string" ? { cursor } : new Invalid("cursor is not a string")
  },
  encodeParams: ({ cursor }) => (cursor === undefined ? {} : { cursor }),
  decodeResult: checkListToolsResult,
  /** There are no caching hints here, and an output schema describes an object. */
  encodeResult: ({ cacheScope: _scope, tools, ttlMs: _ttl, ...result }) => ({
    ...result,
    tools: tools.map((tool) => {
      const { outputSchema, ...rest } = tool
      return outputSchema === undefined || outputSchema.type === "object" ? tool : rest
    })
  })
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools */
export const callTool: Codec<Methods["tools/call"]["params"], Methods["tools/call"]["result"]> = {
  decodeParams: (wire) => {
    const { arguments: args, name } = wire
    if (typeof name !== "string") return new Invalid("name is not a string")
    if (args === undefined) return { name }
    return isObject(args) ? { name, arguments: args } : new Invalid("arguments is not an object")
  },
  encodeParams: ({ arguments: args, name }) => (args === undefined ? { name } : { name, arguments: args }),
  decodeResult: checkCallToolResult,
  wrongArguments: (message) => ({ content: [{ type: "text", text: message }], isError: true }),
  /** Structured content must be an object here; any other value is left to the text that goes with it. */
  encodeResult: (result) => {
    if (result.structuredContent === undefined || isObject(result.structuredContent)) return { ...result }
    const { structuredContent: _unsaid, ...rest } = result
    return rest
  }
}
