import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { toHttpEffect } from "@effective-mcp/http/effect"
import { HttpServer as Mcp } from "@effective-mcp/transport-http/server"
import { Console, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { calculator } from "./calculator.ts"

/** A route among others: it shares their server, their middleware and their services. */
const mcp = HttpRouter.use((router) =>
  Effect.flatMap(Mcp.make(calculator), (handler) => router.add("*", "/mcp", toHttpEffect(handler)))
)

const listening = Layer.effectDiscard(
  Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    "port" in address ? Console.log(`http://127.0.0.1:${address.port}/mcp`) : Effect.void
  )
)

const server = NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: Number(process.env.PORT ?? 0) })
const app = Layer.mergeAll(HttpRouter.serve(mcp, { disableListenLog: true }), listening)

NodeRuntime.runMain(Layer.launch(Layer.provide(app, server)))
