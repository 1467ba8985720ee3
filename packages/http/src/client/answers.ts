import { limits } from "@effective-mcp/protocol/Limits"
import { type HttpStatus, type Outcome, TransportError } from "@effective-mcp/protocol/TransportError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { essence } from "../MediaType.ts"
import type { ClientResponse } from "./ClientResponse.ts"

/** The media type of event streams. */
export const EVENTS = "text/event-stream"

/** The media type of an answer, in lower case and without parameters; empty when it says none. */
export const typeOf = (http: ClientResponse): string => essence(http.header("content-type") ?? "")

/** Whether an answer may be JSON by what it says; one that says nothing may be. */
export const isJson = (type: string): boolean => type === "application/json" || type === "" || type.endsWith("+json")

export const isGood = ({ status }: ClientResponse): boolean => status >= 200 && status < 300

/** As much as is kept of a challenge. */
const CHALLENGE = 4_096

/** The server, or what stands before it, may have waited for the answer. */
const waited: ReadonlySet<number> = new Set([408, 499])

const outcomeOf = (status: number): Outcome =>
  status >= 300 && status < 500 && !waited.has(status) ? "Rejected" : "Unknown"

/** What `Retry-After` asks for, in ms: seconds, or a date. */
const retryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** What the head of a refusal says. */
export const statusOf = (http: ClientResponse): Effect.Effect<HttpStatus> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const challenge = http.header("www-authenticate")?.slice(0, CHALLENGE)
    const retryAfterMs = retryAfter(http.header("retry-after"), now)
    return {
      _tag: "HttpStatus",
      status: http.status,
      ...(challenge === undefined ? undefined : { challenge }),
      ...(retryAfterMs === undefined ? undefined : { retryAfterMs })
    }
  })

/** Fails with what a status says, where the body says nothing. */
export const statusError = (http: ClientResponse): Effect.Effect<never, TransportError> =>
  Effect.flatMap(statusOf(http), (reason) => {
    http.discard()
    return Effect.fail(TransportError.make(reason, outcomeOf(reason.status)))
  })

/** The body of a refusal, as far as it comes soon and is no longer than a refusal may be; else undefined. */
export const errorBody = (http: ClientResponse): Effect.Effect<Uint8Array | undefined> =>
  http.whole(limits.errorBytes).pipe(
    Effect.timeout(limits.errorMs),
    Effect.orElseSucceed(() => undefined)
  )
