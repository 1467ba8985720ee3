import { type Connection, JsonRpc, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import { connect, type Options } from "../../src/client/index.ts"

const deaf = () => Effect.void

export const quiet = { notices: false } as const

/** Connects without the notice, which is said once a process. */
export const reach = (url: string, options: Options = {}): Effect.Effect<Connection, TransportError, Scope.Scope> =>
  connect(url, { ...options, ...quiet })

export const ask = (connection: Connection, id: JsonRpc.RequestId, method = "ping", params?: JsonRpc.JsonObject) =>
  connection.exchange(JsonRpc.request(id, method, params), deaf)

/** The failure of an effect that must fail. */
export const failureOf = <A, R>(effect: Effect.Effect<A, TransportError, R>): Effect.Effect<TransportError, never, R> =>
  Effect.orDie(Effect.flip(effect))

/** What was logged while an effect ran, as text. */
export const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const layer = Logger.layer([Logger.make(({ message }) => void lines.push([message].flat().map(String).join(" ")))])
    return Effect.map(Effect.provide(effect, layer), (value) => ({ value, lines }))
  })
