import type { TransportError } from "@effective-mcp/protocol/TransportError"
import type * as Effect from "effect/Effect"
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
 * of each that they have let through.
 */
export const intercept = (
  client: HttpClient,
  interceptors: ReadonlyArray<Interceptor>,
  onSend?: () => void
): HttpClient => {
  const sending: HttpClient = (request) => {
    onSend?.()
    return client(request)
  }
  const last = onSend === undefined ? client : sending
  return interceptors.reduceRight<HttpClient>((next, interceptor) => (request) => interceptor(request, next), last)
}
