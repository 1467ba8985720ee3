import * as Schema from "effect/Schema"
import type { Methods } from "../../model/methods.ts"
import { checker, lazy } from "../check.ts"
import type { Codec } from "../Revision.ts"
import {
  callTool as callTool_2025_11_25,
  isPlainResult,
  listTools as listTools_2025_11_25,
  ToolAnnotations
} from "../v2025_11_25/tools.ts"
import { ContentBlock, Icon } from "./content.ts"

export { ToolAnnotations }

const Meta = Schema.Record(Schema.String, Schema.Unknown)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#tool */
export const Tool = lazy(() =>
  Schema.Struct({
    name: Schema.String,
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String),
    inputSchema: Schema.StructWithRest(
      Schema.Struct({ type: Schema.Literal("object"), $schema: Schema.optionalKey(Schema.String) }),
      [Meta]
    ),
    outputSchema: Schema.optionalKey(
      Schema.StructWithRest(Schema.Struct({ $schema: Schema.optionalKey(Schema.String) }), [Meta])
    ),
    annotations: Schema.optionalKey(ToolAnnotations()),
    icons: Schema.optionalKey(Schema.Array(Icon())),
    _meta: Schema.optionalKey(Meta)
  })
)

/**
 * Caching hints are asked of a server, and a client takes their absence for "stale at once" and "private".
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#listtoolsresult
 */
export const ListToolsResult = lazy(() =>
  Schema.Struct({
    tools: Schema.Array(Tool()),
    nextCursor: Schema.optionalKey(Schema.String),
    ttlMs: Schema.optionalKey(Schema.Int),
    cacheScope: Schema.optionalKey(Schema.Literals(["public", "private"])),
    _meta: Schema.optionalKey(Meta)
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolresult */
export const CallToolResult = lazy(() =>
  Schema.Struct({
    content: Schema.Array(ContentBlock()),
    structuredContent: Schema.optionalKey(Schema.Unknown),
    isError: Schema.optionalKey(Schema.Boolean),
    _meta: Schema.optionalKey(Meta)
  })
)

const checkListToolsResult = checker(ListToolsResult)
const checkCallToolResult = checker(CallToolResult, isPlainResult)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools */
export const listTools: Codec<Methods["tools/list"]["params"], Methods["tools/list"]["result"]> = {
  ...listTools_2025_11_25,
  decodeResult: checkListToolsResult,
  encodeResult: (result) => ({ ttlMs: 0, cacheScope: "private", ...result })
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools */
export const callTool: Codec<Methods["tools/call"]["params"], Methods["tools/call"]["result"]> = {
  ...callTool_2025_11_25,
  decodeResult: checkCallToolResult,
  encodeResult: (result) => ({ ...result })
}
