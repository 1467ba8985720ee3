import process from "node:process"
import { mount } from "@effective-mcp/transport-http/server"
import { calculator } from "./calculator.ts"

const mcp = mount(calculator)

const onListen = ({ port }: { port: number }) => console.log(`http://127.0.0.1:${port}/mcp`)
Deno.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT ?? 0), onListen }, (request) =>
  new URL(request.url).pathname === "/mcp" ? mcp.fetch(request) : Promise.resolve(new Response(null, { status: 404 }))
)
