import { mount } from "@effective-mcp/transport-http/server"
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { calculator } from "./calculator.ts"

const mcp = mount(calculator)

const app = new Hono()
app.all("/mcp", ({ req }) => mcp.fetch(req.raw))
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 0) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/mcp`)
})
