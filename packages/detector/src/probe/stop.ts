import { type ClientResponse, isSameOrigin, shownOrigin, statusOf } from "@effective-mcp/http/client"
import { clip, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Broken, DetectReason, Redirected, TimedOut, Unreachable } from "../DetectError.ts"
import type { Verdict } from "../Probe.ts"

type Response = ClientResponse.ClientResponse

/** Where a redirect leads, without what may be a secret; undefined for what is no redirect. */
export const redirectOf = (http: Response, url: string): Redirected | undefined => {
  const { status } = http
  const location = status >= 300 && status < 400 ? http.header("location") : undefined
  if (location === undefined) return undefined
  const to = URL.parse(location, url)
  if (to === null) return { _tag: "Redirected", status, to: "an address that is none" }
  return { _tag: "Redirected", status, to: clip(isSameOrigin(to, new URL(url)) ? to.pathname : shownOrigin(to)) }
}

/** Why an answer leaves nothing to be found out, if it does. */
export const stopOf = (verdict: Verdict, http: Response): Effect.Effect<DetectReason | undefined> =>
  Effect.map(statusOf(http), ({ challenge, retryAfterMs, status }) => {
    if (verdict === "NeedsAuth") {
      return { _tag: verdict, status, ...(challenge === undefined ? undefined : { challenge }) }
    }
    if (verdict === "Unavailable") {
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
