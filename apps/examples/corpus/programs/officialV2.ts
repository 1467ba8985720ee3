/** The official SDK, version 2, for modern clients alone. */
import { getRequestListener } from "@hono/node-server"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { listen } from "../../peers/servers/listen.ts"

const build = (): McpServer => {
  const mcp = new McpServer({ name: "official-v2", version: "1.0.0" })
  mcp.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "hello" }] }))
  return mcp
}

const handler = createMcpHandler(build, { legacy: "reject" })
listen(getRequestListener((request) => handler.fetch(request)))
