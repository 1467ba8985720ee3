import { type Connection, JsonRpc } from "@effective-mcp/protocol"
import type { TransportContract } from "@effective-mcp/testkit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { connect, type Options } from "../../src/client/index.ts"
import { serve } from "../../src/server/index.ts"
import * as Host from "../support/host.ts"
import { initialize, modernMeta } from "../support/wire.ts"

const deaf = () => Effect.void

/** Every message as a modern one, and back: what the contract compares knows nothing of `_meta`. */
const asModern = ({ exchange, send, ...rest }: Connection): Connection => ({
  ...rest,
  exchange: (request, listener) =>
    Effect.map(exchange({ ...request, params: { ...request.params, _meta: modernMeta } }, listener), (response) => {
      if (!JsonRpc.isSuccess(response)) return response
      const { _meta: _ours, ...result } = response.result
      return { ...response, result }
    }),
  send: (message) =>
    send("method" in message ? { ...message, params: { ...message.params, _meta: modernMeta } } : message)
})

/** The handshake as a client has it. */
export const shakeHands = Effect.fnUntraced(function* (connection: Connection, version = "2025-11-25") {
  const answer = yield* connection.exchange(initialize(version), deaf)
  yield* connection.send(JsonRpc.notification("notifications/initialized"))
  return answer
})

/** A client of ours and a server of ours, over a socket. */
export const makePair =
  (era: "modern" | "legacy", options: Options = {}): TransportContract.MakePair =>
  (fixture) =>
    Effect.gen(function* () {
      const life = yield* Scope.fork(yield* Effect.scope)
      const { url } = yield* Scope.provide(serve(Host.of(fixture), { drainMs: 10 }), life)
      const connection = yield* connect(url, options)
      const goAway = Scope.close(life, Exit.void)
      if (era === "modern") return { ...asModern(connection), goAway }
      yield* shakeHands(connection)
      return { ...connection, goAway }
    })
