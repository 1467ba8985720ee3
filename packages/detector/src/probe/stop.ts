import { type ClientResponse, originOf } from "@effective-mcp/http/client"
import { clip, type TransportError } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Broken, DetectReason, Redirected, TimedOut, Unreachable } from "../DetectError.ts"
import type { Verdict } from "../Probe.ts"

type Response = ClientResponse.ClientResponse

/** As much as is kept of a challenge. */
const CHALLENGE = 4_096

/** What `Retry-After` asks for, in ms: seconds, or a date. */
const retryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Where a redirect leads, without what may be a secret; undefined for what is no redirect. */
export const redirectOf = (http: Response, url: string): Redirected | undefined => {
  const { status } = http
  const location = status >= 300 && status < 400 ? http.header("location") : undefined
  if (location === undefined) return undefined
  const to = URL.parse(location, url)
  const isHere = to !== null && to.origin === new URL(url).origin
  const shown = to === null ? "an address that is none" : isHere ? to.pathname : originOf(to)
  return { _tag: "Redirected", status, to: clip(shown) }
}

/** Why an answer leaves nothing to be found out, if it does. */
export const stopOf = (verdict: Verdict, http: Response): Effect.Effect<DetectReason | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { status } = http
    if (verdict === "NeedsAuth") {
      const challenge = http.header("www-authenticate")?.slice(0, CHALLENGE)
      return { _tag: verdict, status, ...(challenge === undefined ? undefined : { challenge }) }
    }
    if (verdict === "Unavailable") {
      const retryAfterMs = retryAfter(http.header("retry-after"), now)
      return { _tag: verdict, status, ...(retryAfterMs === undefined ? undefined : { retryAfterMs }) }
    }
    return undefined
  })

/** Why a request had no answer. */
export const stoppedBy = (error: TransportError): Redirected | TimedOut | Unreachable | Broken => {
  const { reason } = error
  switch (reason._tag) {
    case "TimedOut":
      return { _tag: "TimedOut", afterMs: reason.afterMs }
    case "Redirected":
      return { _tag: "Redirected", status: reason.status, to: clip(reason.to) }
    case "Unreachable":
      return { _tag: "Unreachable", error }
    default:
      return { _tag: "Broken", error }
  }
}
