import { mount } from "@effective-mcp/transport-http/server"
import { calculator } from "./calculator.ts"

const mcp = mount(calculator)

// without idleTimeout: 0 Bun cuts streams that are silent for ten seconds
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 0),
  idleTimeout: 0,
  routes: { "/mcp": mcp.fetch }
})
console.log(`http://127.0.0.1:${server.port}/mcp`)
