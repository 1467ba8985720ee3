import type { Interceptor } from "@effective-mcp/http/client"
import { type Connection, JsonRpc, type TransportError } from "@effective-mcp/protocol"
import { Fixture, type TransportContract } from "@effective-mcp/testkit"
import { proxy } from "@effective-mcp/testkit/tcp"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { connect, type Options } from "../../src/client/index.ts"
import { serve, type SessionOptions } from "../../src/server/index.ts"
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

/** A client of a server that has gone. */
export const nowhere = (era: "modern" | "legacy"): Effect.Effect<Connection, TransportError, Scope.Scope> =>
  Effect.gen(function* () {
    const fixture = yield* Fixture.make
    const { url } = yield* Effect.scoped(serve(Host.of(fixture), { drainMs: 10 }))
    const connection = yield* connect(url)
    return era === "modern" ? asModern(connection) : connection
  })

/** The same over sockets on which things go wrong; a server that dies, or forgets its sessions, is another server. */
export const makeWire =
  (era: "modern" | "legacy", options: Options = {}, sessions: SessionOptions = {}): TransportContract.MakeWire =>
  (fixture) =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      let life = Scope.makeUnsafe()
      let port = 0
      const rise = Effect.gen(function* () {
        life = yield* Scope.fork(scope)
        port = (yield* Scope.provide(serve(Host.of(fixture), { drainMs: 10, sessions }), life)).port
      }).pipe(Effect.orDie)
      const restart = Effect.andThen(
        Effect.suspend(() => Scope.close(life, Exit.void)),
        rise
      )
      yield* rise
      let session = ""
      // asked by somebody else, so that the client's own connections stay as they are
      const forget = Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}/mcp`, { method: "DELETE", headers: { "mcp-session-id": session } })
      )
      const between = yield* proxy({ port: () => port, crash: restart, expire: Effect.asVoid(forget) })
      const noting: Interceptor = (request, next) =>
        Effect.tap(next(request), (answer) =>
          Effect.sync(() => {
            session = answer.header("mcp-session-id") ?? session
          })
        )
      const connected = Effect.gen(function* () {
        const connection = yield* connect(`http://127.0.0.1:${between.port}/mcp`, {
          ...options,
          interceptors: [noting]
        })
        if (era === "modern") return asModern(connection)
        yield* shakeHands(connection)
        return connection
      })
      return { ...between, connect: connected }
    })
