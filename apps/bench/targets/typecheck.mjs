// Prints a TypeScript server with n typed tools.  typecheck.mjs <effective-mcp|sdk-v2|sdk-v1|fastmcp|effect> <n>
const [kind, count] = process.argv.slice(2)
const each = (f) => Array.from({ length: Number(count) }, (_, i) => f(i)).join("\n")
const zodFields = (i) => `{ query: z.string(), limit: z.number().int().min(1).max(${i + 10}), mode: z.enum(["fast", "exact", "m${i}"]), tags: z.array(z.string()).optional(), nested: z.object({ a${i}: z.number(), b: z.string() }) }`
const zodOut = (i) => `{ count: z.number(), label${i}: z.string() }`
const result = (i) => `const structuredContent = { count: args.limit + args.nested.a${i}, label${i}: args.query }; return { content: [{ type: "text" as const, text: args.mode }], structuredContent }`

const out = {
  "effective-mcp": () => `import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Server, Tool } from "@effective-mcp/server"
${each((i) => `const t${i} = Tool.make("tool_${i}", { description: "t", input: { query: Schema.String, limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: ${i + 10} })), mode: Schema.Literals(["fast", "exact", "m${i}"]), tags: Schema.optionalKey(Schema.Array(Schema.String)), nested: Schema.Struct({ a${i}: Schema.Number, b: Schema.String }) }, output: { count: Schema.Number, label${i}: Schema.String }, run: (args) => Effect.succeed({ count: args.limit + args.nested.a${i}, label${i}: args.query }) })`)}
export const server = Server.make({ name: "t", version: "1" }, [${Array.from({ length: Number(count) }, (_, i) => `t${i}`).join(", ")}])
`,
  "sdk-v2": () => `import { McpServer } from "@modelcontextprotocol/server"
import * as z from "zod/v4"
export const server = new McpServer({ name: "t", version: "1" })
${each((i) => `server.registerTool("tool_${i}", { description: "t", inputSchema: z.object(${zodFields(i)}), outputSchema: z.object(${zodOut(i)}) }, async (args) => { ${result(i)} })`)}
`,
  "sdk-v1": () => `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import * as z from "zod/v4"
export const server = new McpServer({ name: "t", version: "1" })
${each((i) => `server.registerTool("tool_${i}", { description: "t", inputSchema: ${zodFields(i)}, outputSchema: ${zodOut(i)} }, async (args) => { ${result(i)} })`)}
`,
  fastmcp: () => `import { FastMCP } from "fastmcp"
import { z } from "zod"
export const server = new FastMCP({ name: "t", version: "1.0.0" })
${each((i) => `server.addTool({ name: "tool_${i}", description: "t", parameters: z.object(${zodFields(i)}), execute: async (args) => String(args.limit + args.nested.a${i}) + args.mode })`)}
`,
  effect: () => `import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
${each((i) => `const T${i} = Tool.make("tool_${i}", { description: "t", parameters: Schema.Struct({ query: Schema.String, limit: Schema.Int, mode: Schema.Literals(["fast", "exact", "m${i}"]), tags: Schema.optional(Schema.Array(Schema.String)), nested: Schema.Struct({ a${i}: Schema.Number, b: Schema.String }) }), success: Schema.Struct({ count: Schema.Number, label${i}: Schema.String }) })`)}
export const tools = Toolkit.make(${Array.from({ length: Number(count) }, (_, i) => `T${i}`).join(", ")})
export const registrations = McpServer.toolkit(tools).pipe(Layer.provide(tools.toLayer({
${each((i) => `  tool_${i}: (args) => Effect.succeed({ count: args.limit + args.nested.a${i}, label${i}: args.query }),`)}
})))
`
}
process.stdout.write(out[kind]())
