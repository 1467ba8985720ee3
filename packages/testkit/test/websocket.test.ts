import { limits } from "@effective-mcp/protocol"
import { TransportContract } from "@effective-mcp/testkit"
import * as Effect from "effect/Effect"
import { it } from "vitest"
import { WebSocketServer } from "ws"
import { connect, serve } from "./WebSocket.ts"

const listening = Effect.acquireRelease(
  Effect.callback<WebSocketServer>((resume) => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, maxPayload: limits.messageBytes })
    server.once("listening", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
)

const makePair: TransportContract.MakePair = Effect.fnUntraced(function* (fixture) {
  const server = yield* listening
  yield* serve(server, fixture)
  const address = server.address()
  if (address === null || typeof address === "string") return yield* Effect.die("the server has no port")
  const peer = yield* connect(`ws://127.0.0.1:${address.port}`)
  const goAway = Effect.sync(() => server.clients.forEach((client) => client.terminate()))
  return { ...peer, goAway }
})

for (const { check, name } of TransportContract.cases(makePair)) {
  it(`WebSocket: ${name}`, () => Effect.runPromise(check))
}
