import { at, serve } from "@effective-mcp/http/serve"
import { HttpServer } from "@effective-mcp/transport-http/server"
import { SseServer } from "@effective-mcp/transport-sse/server"
import { Effect } from "effect"
import { calculator } from "./calculator.ts"

/** One server over Streamable HTTP and, for clients that know no other way, over HTTP+SSE, on one port. */
const both = Effect.gen(function* () {
  return at({ "/mcp": yield* HttpServer.make(calculator), "/sse": yield* SseServer.make(calculator) })
})

const program = Effect.gen(function* () {
  const { origin } = yield* serve(both, { port: Number(process.env.PORT ?? 0) })
  console.log(`${origin}/mcp`)
  yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
