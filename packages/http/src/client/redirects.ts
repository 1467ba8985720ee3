import { limits } from "@effective-mcp/protocol/Limits"
import { type Redirected, TransportError } from "@effective-mcp/protocol/TransportError"
import * as Effect from "effect/Effect"
import { originOf } from "./address.ts"
import type { HttpClient } from "./HttpClient.ts"

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Whether the fetch standard would go on with GET instead. */
const changesMethod = (status: number, method: string): boolean =>
  status === 303 ? method !== "GET" && method !== "HEAD" : status < 303 && method === "POST"

const refuse = (status: number, to: string, why: Redirected["why"]): Effect.Effect<never, TransportError> =>
  Effect.fail(TransportError.make({ _tag: "Redirected", status, to, why }, "Rejected"))

/**
 * Follows redirects within one origin, with the same method, headers and body, and no others: neither a credential nor
 * a message goes to whoever a server names.
 *
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export const following =
  (client: HttpClient, most: number = limits.redirects): HttpClient =>
  (request) => {
    // a server has had it by now, wherever it sends it
    const onward: HttpClient = (request) => Effect.mapError(client(request), (error) => error.withOutcome("Unknown"))
    const send = (url: string, left: number): ReturnType<HttpClient> =>
      Effect.flatMap(left === most ? client(request) : onward({ ...request, url }), (response) => {
        const { status } = response
        const location = redirects.has(status) ? response.header("location") : undefined
        if (location === undefined) return Effect.succeed(response)
        response.discard()
        const to = URL.canParse(location, url) ? new URL(location, url) : undefined
        if (to === undefined) return refuse(status, "an address that is none", "OtherOrigin")
        if (to.origin !== new URL(url).origin) return refuse(status, originOf(to), "OtherOrigin")
        if (changesMethod(status, request.method)) return refuse(status, to.pathname, "OtherMethod")
        if (left === 0) return refuse(status, to.pathname, "TooOften")
        return send(to.href, left - 1)
      })
    return send(request.url, most)
  }
