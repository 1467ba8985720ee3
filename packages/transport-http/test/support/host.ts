import { type Connection, type Handler, type Host, JsonRpc } from "@effective-mcp/protocol"
import { Fixture } from "@effective-mcp/testkit"
import * as Effect from "effect/Effect"

/** The testkit's server, which now also agrees on a revision, and counts its sessions. */
export interface Testing extends Host {
  readonly fixture: Fixture.Fixture
  /** Conversations that have begun, and that have ended. */
  readonly begun: () => number
  readonly ended: () => number
  /** Says something to the client of the last session, outside any exchange. */
  readonly client: () => Connection | undefined
}

/** Answers the handshake beside a handler that does not know of it. */
const withHandshake = (handler: Handler, agree: (version: string) => void): Handler => ({
  notify: handler.notify,
  exchange: (request, listener) => {
    if (request.method === "ping") return Effect.succeed(JsonRpc.success(request.id, {}))
    if (request.method !== "initialize") return handler.exchange(request, listener)
    const { protocolVersion } = request.params ?? {}
    if (typeof protocolVersion !== "string") {
      return Effect.succeed(JsonRpc.failure(request.id, { code: -32602, message: "no version" }))
    }
    agree(protocolVersion)
    const serverInfo = { name: "server of the tests", version: "1" }
    return Effect.succeed(JsonRpc.success(request.id, { protocolVersion, capabilities: {}, serverInfo }))
  }
})

export const make: Effect.Effect<Testing> = Effect.suspend(() => Effect.map(Fixture.make, of))

/** The same around a fixture that is there. */
export const of = (fixture: Fixture.Fixture): Testing => {
  let begun = 0
  let ended = 0
  let last: Connection | undefined
  return {
    fixture,
    modern: fixture.modern,
    begun: () => begun,
    ended: () => ended,
    client: () => last,
    converse: (from) =>
      Effect.gen(function* () {
        begun++
        let revision = from?.revision
        yield* Effect.addFinalizer(() => Effect.sync(() => void ended++))
        return {
          on: (client) => {
            last = client
            return withHandshake(fixture.on(client), (version) => {
              revision = version
            })
          },
          snapshot: Effect.sync(() => (revision === undefined ? {} : { revision }))
        }
      })
  }
}
