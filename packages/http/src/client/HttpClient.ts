import type { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Headers } from "../HttpResponse.ts"
import type { ClientResponse } from "./ClientResponse.ts"

/** One HTTP request, before it is sent. */
export interface ClientRequest {
  readonly method: string
  /** A whole `http:` or `https:` address. */
  readonly url: string
  /** By their names, in lower case. */
  readonly headers: Headers
  readonly body?: string | Uint8Array
}

/**
 * Sends a request; completes once the head of its answer is there. The scope is the life of both: closing it before the
 * answer has come to its end aborts them.
 */
export type HttpClient = (request: ClientRequest) => Effect.Effect<ClientResponse, TransportError, Scope.Scope>

/**
 * Sees a request before it is sent, and its answer before anybody has read it. It may send another request, send it
 * again, or answer without sending any. It runs in the fiber of whoever asks.
 *
 * @example
 * const signedIn: Interceptor = (request, next) =>
 *   Effect.flatMap(freshToken, (token) =>
 *     next({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
 *   )
 */
export type Interceptor = (
  request: ClientRequest,
  next: HttpClient
) => Effect.Effect<ClientResponse, TransportError, Scope.Scope>

/**
 * A client with interceptors in front of it: the first of the list sees a request first, and its answer last. `onSend` hears
 * of each that they have let through. An interceptor that sends a request again, and does not reach anybody then, fails
 * as one that may have been heard, since the first may have been.
 */
export const intercept = (
  client: HttpClient,
  interceptors: ReadonlyArray<Interceptor>,
  onSend?: () => void
): HttpClient => {
  if (interceptors.length === 0) {
    if (onSend === undefined) return client
    return (request) => {
      onSend()
      return client(request)
    }
  }
  return (asked) =>
    Effect.suspend(() => {
      let mayBeHeard = false
      const last: HttpClient = (request) => {
        onSend?.()
        return Effect.onExit(client(request), (exit) => {
          const error = Exit.findErrorOption(exit)
          mayBeHeard ||= Option.isNone(error) || error.value.outcome !== "NotSent"
          return Effect.void
        })
      }
      const send = interceptors.reduceRight<HttpClient>(
        (next, interceptor) => (request) => interceptor(request, next),
        last
      )
      return Effect.mapError(send(asked), (error) =>
        mayBeHeard && error.outcome === "NotSent" ? error.withOutcome("Unknown") : error
      )
    })
}
