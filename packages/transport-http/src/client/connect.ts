import { addressOf } from "@effective-mcp/http/client"
import { make as platform } from "@effective-mcp/http/client/platform"
import { type Connection, HttpEra, JsonRpc, limits, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isGood } from "./answer.ts"
import type { Endpoint } from "./Endpoint.ts"
import { Exchanges } from "./Exchanges.ts"
import { ofModern } from "./headers.ts"
import * as incoming from "./incoming.ts"
import { Learned } from "./Learned.ts"
import * as legacy from "./legacy.ts"
import * as modern from "./modern.ts"
import { type Options, settingsOf } from "./Options.ts"
import { Sessions } from "./Sessions.ts"
import { statusError } from "./status.ts"
import { warner } from "./warner.ts"
import * as Wire from "./Wire.ts"

/** Hands over one message that has no response of its own. */
const send = (endpoint: Endpoint, message: JsonRpc.Notification | JsonRpc.Response): ReturnType<Connection["send"]> =>
  Effect.suspend(() => {
    const { exchanges, sessions, wire } = endpoint
    const version = HttpEra.versionIn(message)
    const refusal = exchanges.refusal() ?? (version === undefined ? sessions.refusal() : undefined)
    if (refusal !== undefined) return Effect.fail(refusal)
    const isModern = version !== undefined && !JsonRpc.isResponse(message)
    const session = isModern ? undefined : sessions.current
    const headers = isModern ? ofModern(message, version, undefined) : (session?.headers ?? {})
    return Effect.flatMap(wire.post(message, headers, isModern), (http): Effect.Effect<void, TransportError> => {
      if (legacy.isExpired(http, session)) return Effect.fail(sessions.expire(session))
      if (!isGood(http)) return statusError(http)
      if ("method" in message && message.method === "notifications/initialized") sessions.confirm()
      return Effect.void
    })
  }).pipe(
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: limits.requestMs,
      orElse: () => Effect.fail(TransportError.make({ _tag: "TimedOut", afterMs: limits.requestMs }))
    })
  )

/**
 * Reaches a server over Streamable HTTP, in either era: each message says of itself which one it is of. Nothing is sent
 * before there is something to say; closing the scope ends the session, if there is one, and all connections.
 *
 * @param url the server's endpoint, `http:` or `https:`, without a user or password in it
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export const connect = (
  url: string | URL,
  options: Options = {}
): Effect.Effect<Connection, TransportError, Scope.Scope> => {
  const settings = settingsOf(options)
  return Effect.gen(function* () {
    const address = yield* addressOf(url)
    const client = options.client ?? (yield* platform())
    const exchanges = new Exchanges()
    const endpoint: Endpoint = {
      wire: Wire.make(address, client, options, settings.messageBytes),
      settings,
      sessions: new Sessions(),
      exchanges,
      learned: new Learned(),
      warn: warner()
    }
    yield* Effect.addFinalizer(() => {
      exchanges.close(TransportError.make({ _tag: "Closed" }))
      return legacy.end(endpoint)
    })
    return {
      wire: "http",
      caller: endpoint.wire.caller,
      exchange: (request, listener) =>
        exchanges.run(
          request.id,
          Effect.suspend(() => {
            const version = HttpEra.versionIn(request)
            return version === undefined
              ? legacy.exchange(endpoint, request, listener)
              : modern.exchange(endpoint, request, version, listener)
          })
        ),
      abandon: (id, error) => exchanges.abandon(id, error),
      expect: (tool) => endpoint.learned.expect(tool),
      send: (message) => send(endpoint, message),
      incoming: incoming.make(endpoint)
    }
  })
}
