import * as Effect from "effect/Effect"
import type { EndpointOptions } from "./EndpointOptions.ts"
import type { HttpHandler } from "./HttpHandler.ts"
import type { HttpRequest } from "./HttpRequest.ts"
import type { Headers, HttpResponse } from "./HttpResponse.ts"

export interface Options {
  /** Origins whose pages may read the answers: `https://app.example.com`, exactly. */
  readonly origins: ReadonlyArray<string>
  readonly methods: ReadonlyArray<string>
  /** Headers that pages may read. */
  readonly exposed: ReadonlyArray<string>
  /** Headers that pages may send: full names, or a beginning and `*`. Lower case. */
  readonly headers: ReadonlyArray<string>
  /** How long a browser may remember the answer to its preflight, in s. Default 600. */
  readonly maxAge?: number | undefined
}

/** Headers of one answer; a cache in between must not give them to another origin. */
const headersFor = (origin: string, exposed: string): Headers => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": exposed,
  vary: "Origin"
})

const withHeaders = (response: HttpResponse, more: Headers): HttpResponse => ({
  whole: (status, headers, text) => response.whole(status, { ...headers, ...more }, text),
  head: (status, headers) => response.head(status, { ...headers, ...more }),
  write: (text, patience) => response.write(text, patience),
  offer: (text) => response.offer(text),
  end: (text) => response.end(text)
})

/**
 * Lets the pages of some origins read what a handler answers, and answers their preflights. All else is answered as
 * without it, and no answer allows credentials or `*`.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export const allow = ({ exposed, headers, maxAge = 600, methods, origins }: Options) => {
  const listed = new Set(origins)
  const [exposedText, methodsText] = [exposed.join(", "), methods.join(", ")]
  const isAllowed = (name: string): boolean =>
    headers.some((known) => (known.endsWith("*") ? name.startsWith(known.slice(0, -1)) : name === known))
  const preflight = (request: HttpRequest, origin: string, response: HttpResponse): void => {
    const asked = (request.header("access-control-request-headers") ?? "").toLowerCase().split(",")
    const names = asked.map((name) => name.trim()).filter((name) => /^[\w-]+$/.test(name) && isAllowed(name))
    response.whole(204, {
      ...headersFor(origin, exposedText),
      vary: "Origin, Access-Control-Request-Headers",
      "access-control-allow-methods": methodsText,
      "access-control-allow-headers": names.join(", "),
      "access-control-max-age": String(maxAge)
    })
  }

  return (handler: HttpHandler): HttpHandler =>
    (request, response) => {
      const origin = request.header("origin")
      if (origin === undefined || !listed.has(origin)) return handler(request, response)
      const isPreflight = request.method === "OPTIONS" && request.header("access-control-request-method") !== undefined
      return isPreflight
        ? Effect.sync(() => preflight(request, origin, response))
        : handler(request, withHeaders(response, headersFor(origin, exposedText)))
    }
}

/** What pages may send to every endpoint of ours, and read of its answers. */
const sent = ["accept", "authorization", "content-type", "last-event-id", "traceparent", "tracestate"]
const read = ["WWW-Authenticate", "Retry-After"]

/** A handler behind what its endpoint is told of pages: those may send and read what the endpoint alone has, besides what all have. */
export const before = (
  { cors }: Pick<EndpointOptions, "cors">,
  { exposed, headers, methods }: Pick<Options, "exposed" | "headers" | "methods">,
  handler: HttpHandler
): HttpHandler =>
  cors === undefined
    ? handler
    : allow({ ...cors, methods, exposed: [...exposed, ...read], headers: [...sent, ...headers] })(handler)
