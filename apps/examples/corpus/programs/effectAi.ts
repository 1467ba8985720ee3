/** The server that comes with Effect, in one era: `effectAi.ts modern` or `effectAi.ts legacy`. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"

const mcp = McpServer.layerHttp({
  name: "effect-ai",
  version: "1.0.0",
  path: "/mcp",
  registrations: McpServer.resource({ name: "hello", uri: "hello://it", content: Effect.succeed("hello") }),
  protocols: process.argv[2] === "modern" ? [McpProtocol.v2026_07_28] : [McpProtocol.v2025_11_25]
})
const tellWhere = HttpServer.HttpServer.useSync(({ address }) => {
  if ("port" in address) console.log(`http://127.0.0.1:${address.port}/mcp`)
})
const served = Layer.effectDiscard(tellWhere).pipe(
  Layer.provideMerge(HttpRouter.serve(mcp, { disableLogger: true, disableListenLog: true })),
  Layer.provide(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
)

NodeRuntime.runMain(Layer.launch(served))
