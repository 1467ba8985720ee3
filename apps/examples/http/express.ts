import { mount } from "@effective-mcp/transport-http/server"
import express from "express"
import { calculator } from "./calculator.ts"
import { portOf } from "./portOf.ts"

const mcp = mount(calculator)

const app = express()
// bodies may have been parsed before
app.use(express.json())
app.all("/mcp", (req, res) => mcp.listener(req, res))
const server = app.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${portOf(server)}/mcp`)
})
