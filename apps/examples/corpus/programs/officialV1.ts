/** The official SDK, version 1: `officialV1.ts stateless` without sessions, or `officialV1.ts sse` over HTTP+SSE. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { listen } from "../../peers/servers/listen.ts"

const build = (): McpServer => {
  const mcp = new McpServer({ name: "official-v1", version: "1.0.0" })
  mcp.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "hello" }] }))
  return mcp
}

if (process.argv[2] === "stateless") {
  listen(async (req, res) => {
    const transport = new StreamableHTTPServerTransport({})
    const mcp = build()
    res.on("close", () => void transport.close())
    // cast: the official types and ours disagree on what an optional member may be
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0])
    await transport.handleRequest(req, res)
  })
} else {
  const sessions = new Map<string, SSEServerTransport>()
  listen(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://127.0.0.1")
    if (req.method === "GET" && pathname === "/mcp") {
      const transport = new SSEServerTransport("/messages", res)
      sessions.set(transport.sessionId, transport)
      return build().connect(transport)
    }
    const known = sessions.get(searchParams.get("sessionId") ?? "")
    if (req.method === "POST" && pathname === "/messages" && known !== undefined) {
      return known.handlePostMessage(req, res)
    }
    res.writeHead(pathname === "/mcp" ? 405 : 404).end()
  })
}
