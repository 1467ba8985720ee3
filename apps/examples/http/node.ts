import { createServer } from "node:http"
import { mount } from "@effective-mcp/transport-http/server"
import { calculator } from "./calculator.ts"
import { portOf } from "./portOf.ts"

const mcp = mount(calculator)

const server = createServer((req, res) => {
  if (req.url === "/mcp") mcp.listener(req, res)
  else res.writeHead(404).end()
})
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => console.log(`http://127.0.0.1:${portOf(server)}/mcp`))
