import {
  callerOf,
  type ClientResponse,
  configured,
  type Headers,
  type HttpClient,
  intercept
} from "@effective-mcp/http/client"
import type { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Options } from "./Options.ts"

export type HttpAnswer = ClientResponse.ClientResponse

type Sent = Effect.Effect<HttpAnswer, TransportError, Scope.Scope>

/** Sends what the transport has to say, with the program's headers and through its interceptors. */
export interface Wire {
  readonly get: (url: string) => Sent
  /** `onSend` hears that the interceptors have let it through. */
  readonly post: (url: string, body: string, onSend?: () => void) => Sent
  /** Who sends the requests; undefined where interceptors may change that. */
  readonly caller: Effect.Effect<string | undefined, TransportError>
  /** The revision that was agreed on, for those who look at headers. */
  version: string | undefined
}

const VERSION = "mcp-protocol-version"

const GET: Headers = { accept: "text/event-stream" }
const POST: Headers = { accept: "application/json, text/event-stream", "content-type": "application/json" }

/** Headers that a program cannot set: they are the transport's, or the wire's. */
const own: ReadonlySet<string> = new Set([VERSION, "accept", "content-type", "content-length", "transfer-encoding"])

export const make = (client: HttpClient, { apiKey, headers = {}, interceptors = [] }: Options): Wire => {
  const usual = intercept(client, interceptors)
  const settle = (given: Headers): Headers => configured(given, apiKey, own)
  const all = apiKey === undefined ? headers : {}
  const given = Effect.isEffect(all) ? Effect.map(all, settle) : settle(all)
  const withHeaders = (go: (headers: Headers) => Sent): Sent =>
    Effect.isEffect(given) ? Effect.flatMap(given, go) : go(given)
  const caller = (headers: Headers): string | undefined => (interceptors.length === 0 ? callerOf(headers) : undefined)
  const wire: Wire = {
    version: undefined,
    caller: Effect.isEffect(given) ? Effect.map(given, caller) : Effect.succeed(caller(given)),
    get: (url) => withHeaders((headers) => usual({ method: "GET", url, headers: { ...headers, ...GET } })),
    post: (url, body, onSend) => {
      const send = onSend === undefined ? usual : intercept(client, interceptors, onSend)
      const version = wire.version === undefined ? undefined : { [VERSION]: wire.version }
      return withHeaders((headers) => send({ method: "POST", url, body, headers: { ...headers, ...POST, ...version } }))
    }
  }
  return wire
}
