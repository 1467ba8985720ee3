import { addressOf } from "@effective-mcp/http/client"
import { make as platform } from "@effective-mcp/http/client/platform"
import { type Connection, JsonRpc, Peer, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { notice } from "../notice.ts"
import { type Options, settingsOf } from "./Options.ts"
import * as Posts from "./Posts.ts"
import * as Stream from "./Stream.ts"
import * as Wire from "./Wire.ts"

/**
 * Reaches a server over HTTP+SSE, which is of the legacy era only: opens its stream, and waits until it says where it
 * wants its messages. The end of the stream is the end of the connection, and of all that is under way.
 *
 * It fails with the status when the server turns the stream away, and with `TimedOut` when it names no endpoint in 30 s.
 *
 * @param url the server's stream, `http:` or `https:`, without a user or password in it
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export const connect = (
  url: string | URL,
  options: Options = {}
): Effect.Effect<Connection, TransportError, Scope.Scope> => {
  const settings = settingsOf(options)
  return Effect.gen(function* () {
    const { messageEndpoint } = options
    const address = yield* addressOf(url, "address of the stream")
    const fixed =
      messageEndpoint === undefined ? undefined : yield* addressOf(messageEndpoint, "address of the messages")
    if (options.notices !== false) yield* notice
    const wire = Wire.make(options.client ?? (yield* platform()), options)
    const stream = yield* Stream.open({ url: address, fixed, wire, settings })
    yield* stream.ready
    const posts = yield* Posts.make({
      wire,
      stream,
      settings,
      refuse: (id, error) => peer.abandon?.(id, error)
    })
    const peer = yield* Peer.make({ incoming: stream.incoming, send: posts.send })
    return {
      ...peer,
      eras: ["legacy"],
      caller: wire.caller,
      exchange: (request, listener) => {
        const exchanged = Effect.ensuring(peer.exchange(request, listener), posts.over(request.id))
        if (request.method !== "initialize") return exchanged
        return Effect.map(exchanged, (response) => {
          const version = JsonRpc.isSuccess(response) ? response.result.protocolVersion : undefined
          // as any text that a header can carry
          if (typeof version === "string" && /^[\w.-]{1,64}$/.test(version)) wire.version = version
          return response
        })
      }
    }
  })
}

/** Reaches a server whose two addresses are known, with one key for both. */
export const withApiKey = (
  sseEndpoint: string | URL,
  messageEndpoint: string | URL,
  apiKey: string
): Effect.Effect<Connection, TransportError, Scope.Scope> => connect(sseEndpoint, { messageEndpoint, apiKey })
