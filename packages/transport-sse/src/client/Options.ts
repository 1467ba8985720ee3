import type { ClientOptions, Headers, Reconnect } from "@effective-mcp/http/client"
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

export type Options = Credentials &
  ClientOptions & {
    /**
     * Where messages are sent, whatever the server says: its origin is thereby trusted, and has the headers as well. One
     * without a query takes that of the endpoint that the server names, which is where its sessions tend to be.
     */
    readonly messageEndpoint?: string | URL | undefined
    /** When a stream that broke before anything was sent is opened again. Afterwards none is. */
    readonly reconnect?: Reconnect | undefined
    /** Whether the log is told, once a process, that this transport is deprecated. Default true. */
    readonly notices?: boolean | undefined
  }
