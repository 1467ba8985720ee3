import type { Headers, HttpClient, Interceptor } from "@effective-mcp/http/client"
import { limits, type TransportError } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import { format } from "effect/Formatter"
import * as Option from "effect/Option"

export interface DetectOptions {
  /** Go with every probe, and with every request of the transport; what makes them anew runs for each. */
  readonly headers?: Headers | Effect.Effect<Headers, TransportError> | undefined
  /** See each probe before it is sent, the first of the list first, and what the transport sends later. */
  readonly interceptors?: ReadonlyArray<Interceptor> | undefined
  /** What sends requests. Default: `node:http` on Node, `fetch` elsewhere, with connections of its own. */
  readonly client?: HttpClient | undefined
  /** How long each probe waits for its answer. `Infinity` is no bound. Default 10 s. */
  readonly probe?: Duration.Input | undefined
}

/** How long a probe waits, in ms. A time that is none, or not positive, is an author's mistake: it throws. */
export const probeMsOf = ({ probe = limits.detectMs }: DetectOptions): number => {
  const given = Option.getOrUndefined(Duration.fromInput(probe))
  const ms = given === undefined ? Number.NaN : Duration.toMillis(given)
  if (!(ms > 0)) throw new Error(`probe is not a length of time: ${format(probe)}`)
  return ms
}
