import type { ClientOptions, Headers } from "@effective-mcp/http/client"
import type { TransportError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"

export { type Reconnect, type Settings, settingsOf } from "@effective-mcp/http/client"

export interface Options extends ClientOptions {
  /** Go with every request; what makes them anew runs for each. Those that the transport sets itself win. */
  readonly headers?: Headers | Effect.Effect<Headers, TransportError> | undefined
  /** Adds `Authorization: Bearer` with this key to the headers. */
  readonly apiKey?: string | undefined
}
