import { mount } from "@effective-mcp/transport-http/server"
import { mount as mountSse } from "@effective-mcp/transport-sse/server"
import express from "express"
import { calculator } from "./calculator.ts"
import { portOf } from "./portOf.ts"

const mcp = mount(calculator)
// Express takes away the path that it leads by: clients have to be told
const sse = mountSse(calculator, { messages: "/sse" })

const app = express()
app.use(express.json())
app.all("/mcp", (req, res) => mcp.listener(req, res))
app.use("/sse", (req, res) => sse.listener(req, res))
const server = app.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${portOf(server)}/mcp`)
})
