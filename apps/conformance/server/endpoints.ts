import { at, type HttpHandler } from "@effective-mcp/http"
import { serve } from "@effective-mcp/http/serve"
import { HttpServer } from "@effective-mcp/transport-http/server"
import { SseServer } from "@effective-mcp/transport-sse/server"
import * as Effect from "effect/Effect"
import { everything } from "./everything.ts"
import { httpOptions, type Options, speaksLegacy, sseOptions } from "./options.ts"

const MCP = "/mcp"
const SSE = "/sse"

type Everything = Effect.Success<ReturnType<typeof everything>>

/** One server at two paths. HTTP+SSE is of the legacy era: without that, its path is not there. */
const handlerOf = Effect.fnUntraced(function* (server: Everything, options: Options) {
  const mcp = yield* HttpServer.make(server, httpOptions(options))
  const handlers: { readonly [path: string]: HttpHandler } = speaksLegacy(options)
    ? { [MCP]: mcp, [SSE]: yield* SseServer.make(server, sseOptions(options)) }
    : { [MCP]: mcp }
  return at(handlers)
})

/** Serves everything over Streamable HTTP and HTTP+SSE, until the scope closes. */
export const endpoints = Effect.fnUntraced(function* (options: Options, port = 0) {
  const server = yield* everything(options)
  const { origin } = yield* serve(handlerOf(server, options), { port })
  return { mcp: origin + MCP, sse: speaksLegacy(options) ? origin + SSE : undefined }
})
