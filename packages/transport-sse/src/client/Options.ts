import type { Headers, HttpClient, Interceptor, Reconnect } from "@effective-mcp/http/client"
import type { TransportError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"

export { type Reconnect, type Settings, settingsOf } from "@effective-mcp/http/client"

/** Headers, or one key that stands alone: giving both is a type error, and the key is what counts. */
export type Credentials =
  | {
      /** Go with every request; what makes them anew runs for each. Those that the transport sets itself win. */
      readonly headers?: Headers | Effect.Effect<Headers, TransportError> | undefined
      readonly apiKey?: undefined
    }
  | {
      /** Goes with every request, as `Authorization: Bearer` and the only header of the program's own. */
      readonly apiKey: string
      readonly headers?: undefined
    }

export type Options = Credentials & {
  /**
   * Where messages are sent, whatever the server says: its origin is thereby trusted, and has the headers as well. One
   * without a query takes that of the endpoint that the server names, which is where its sessions tend to be.
   */
  readonly messageEndpoint?: string | URL | undefined
  /** See each request before it is sent, the first of the list first. */
  readonly interceptors?: ReadonlyArray<Interceptor> | undefined
  /** What sends requests. Default: `node:http` on Node, `fetch` elsewhere, with connections of its own. */
  readonly client?: HttpClient | undefined
  /** Bytes of one message, as sent, and as read and expanded: a body or an event. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** Levels of nesting in one message. Default 64. */
  readonly depth?: number | undefined
  /** When a stream that broke before anything was sent is opened again. Afterwards none is. */
  readonly reconnect?: Reconnect | undefined
  /** Whether the log is told, once a process, that this transport is deprecated. Default true. */
  readonly notices?: boolean | undefined
}
