import { type ClientResponse, type Headers, type HttpClient, intercept, jsonText } from "@effective-mcp/http/client"
import type { JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { callerOf, configured, DELETE, GET, ofTrace, POST, withoutParams } from "./headers.ts"
import type { Options } from "./Options.ts"

export type HttpAnswer = ClientResponse.ClientResponse

type Sent = Effect.Effect<HttpAnswer, TransportError, Scope.Scope>

/** One endpoint: sends what the transport has to say, with the program's headers and through its interceptors. */
export interface Wire {
  /**
   * `isModern` leaves out what a modern request must not repeat by a program's will; `onSend` hears that the
   * interceptors have let it through.
   */
  readonly post: (message: JsonRpc.Message, headers: Headers, isModern: boolean, onSend?: () => void) => Sent
  readonly get: (headers: Headers) => Sent
  readonly remove: (headers: Headers) => Sent
  /** Who sends its requests; undefined where interceptors may change that. */
  readonly caller: Effect.Effect<string | undefined, TransportError>
}

/** The headers of each kind of request, beside those that one request has to itself. */
const kindsOf = (given: Headers, apiKey: string | undefined) => {
  const all = configured(given, apiKey)
  return {
    all,
    legacy: { ...all, ...POST },
    modern: { ...withoutParams(all), ...POST },
    get: { ...all, ...GET },
    remove: { ...all, ...DELETE }
  }
}

export const make = (url: string, client: HttpClient, options: Options, messageBytes: number): Wire => {
  const { apiKey, headers = {}, interceptors = [] } = options
  const usual = intercept(client, interceptors)
  const kinds = Effect.isEffect(headers)
    ? Effect.map(headers, (given) => kindsOf(given, apiKey))
    : kindsOf(headers, apiKey)
  const request = (
    method: string,
    kind: keyof ReturnType<typeof kindsOf>,
    own: Headers,
    body?: string,
    onSend?: () => void
  ): Sent => {
    const send = onSend === undefined ? usual : intercept(client, interceptors, onSend)
    const go = (kinds: ReturnType<typeof kindsOf>): Sent => {
      const head = { method, url, headers: { ...kinds[kind], ...own } }
      return send(body === undefined ? head : { ...head, body })
    }
    return Effect.isEffect(kinds) ? Effect.flatMap(kinds, go) : go(kinds)
  }
  const caller = ({ all }: ReturnType<typeof kindsOf>): string | undefined =>
    interceptors.length === 0 ? callerOf(all) : undefined
  return {
    caller: Effect.isEffect(kinds) ? Effect.map(kinds, caller) : Effect.succeed(caller(kinds)),
    post: (message, own, isModern, onSend) => {
      const text = jsonText(message, messageBytes)
      if (typeof text !== "string") return Effect.fail(text)
      const trace = ofTrace(message)
      const headers = trace === undefined ? own : { ...own, ...trace }
      return request("POST", isModern ? "modern" : "legacy", headers, text, onSend)
    },
    get: (own) => request("GET", "get", own),
    remove: (own) => request("DELETE", "remove", own)
  }
}
