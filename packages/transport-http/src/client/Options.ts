import type { Headers, HttpClient, Interceptor, Reconnect } from "@effective-mcp/http/client"
import type { TransportError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"

export { type Reconnect, type Settings, settingsOf } from "@effective-mcp/http/client"

export interface Options {
  /** Go with every request; what makes them anew runs for each. Those that the transport sets itself win. */
  readonly headers?: Headers | Effect.Effect<Headers, TransportError> | undefined
  /** Adds `Authorization: Bearer` with this key to the headers. */
  readonly apiKey?: string | undefined
  /** See each request before it is sent, the first of the list first. */
  readonly interceptors?: ReadonlyArray<Interceptor> | undefined
  /** What sends requests. Default: `node:http` on Node, `fetch` elsewhere, with connections of its own. */
  readonly client?: HttpClient | undefined
  /** Bytes of one message, as sent, and as read and expanded: a body or an event. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** Levels of nesting in one message. Default 64. */
  readonly depth?: number | undefined
  readonly reconnect?: Reconnect | undefined
}
