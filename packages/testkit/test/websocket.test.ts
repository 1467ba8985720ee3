import { limits } from "@effective-mcp/protocol"
import { TransportContract } from "@effective-mcp/testkit"
import { proxy } from "@effective-mcp/testkit/tcp"
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

const portOf = (server: WebSocketServer): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return address.port
}

const makePair: TransportContract.MakePair = Effect.fnUntraced(function* (fixture) {
  const server = yield* listening
  yield* serve(server, fixture)
  const peer = yield* connect(`ws://127.0.0.1:${portOf(server)}`)
  const goAway = Effect.sync(() => server.clients.forEach((client) => client.terminate()))
  return { ...peer, goAway }
})

/** The same with something between client and server on which things go wrong. */
const makeWire: TransportContract.MakeWire = Effect.fnUntraced(function* (fixture) {
  const server = yield* listening
  yield* serve(server, fixture)
  const between = yield* proxy({ port: () => portOf(server) })
  return { ...between, connect: connect(`ws://127.0.0.1:${between.port}`) }
})

// bytes that are lost or come twice would break the framing of a WebSocket, which TCP never does
const without = ["drop", "duplicate", "expire"] as const
for (const { check, name } of TransportContract.faultCases(makeWire, { without })) {
  it(`WebSocket: ${name}`, () => Effect.runPromise(check))
}

/** Nobody listens at a port that has just been given back. */
const nowhere = Effect.flatMap(Effect.scoped(Effect.map(listening, portOf)), (port) =>
  connect(`ws://127.0.0.1:${port}`)
)
for (const { check, name } of TransportContract.cases(makePair, { nowhere })) {
  it(`WebSocket: ${name}`, () => Effect.runPromise(check))
}
