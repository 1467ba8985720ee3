import { mount } from "@effective-mcp/transport-http/server"
import { calculator } from "./calculator.ts"

/** A module for Workers and the like: no process outlives a request there, so nothing is kept between two. */
const mcp = mount(calculator, { guard: { hosts: ["calculator.example.com"] }, sessions: false })

export default { fetch: (request: Request): Promise<Response> => mcp.fetch(request) }
