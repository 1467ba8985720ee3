import type { DetectError } from "./DetectError.ts"
import type { Reason, Step } from "./ConnectTargetError.ts"
import { explain, needsAuth } from "./explain.ts"
import type { Probe, Verdict } from "./Probe.ts"

const words: Readonly<Record<Verdict, string>> = {
  Response: "it speaks JSON-RPC",
  EventStream: "an event stream",
  ModernError: "it speaks the protocol of today",
  RpcError: "it refuses, in JSON-RPC",
  NeedsAuth: "it wants to know who calls",
  Unavailable: "it cannot say",
  Absent: "nothing there",
  Refused: "it refuses",
  WebPage: "a web page",
  Json: "JSON of another kind",
  Other: "nothing of the protocol",
  Left: "its session is left",
  Redirected: "it leads elsewhere",
  TimedOut: "no answer",
  Unreachable: "nobody answers",
  Broken: "the connection broke"
}

/** A probe as a step of the ladder. */
export const stepOf = ({ code, mediaType, ms, sent, status, verdict }: Probe): Step => {
  const answer = [status, mediaType, code === undefined ? undefined : `error ${code}`]
  const said = answer.filter((part) => part !== undefined).join(" ")
  return { tried: sent, came: said === "" ? words[verdict] : `${said}: ${words[verdict]}`, ms }
}

/** Why it could not be found out what is at an address. */
export const reasonOf = ({ evidence, reason }: DetectError): Reason => {
  switch (reason._tag) {
    case "NeedsAuth":
      return needsAuth(reason.status, reason.challenge)
    case "Unavailable": {
      const { retryAfterMs, status } = reason
      return { _tag: "HttpStatus", status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    }
    case "TimedOut":
      return { _tag: "Silent", afterMs: reason.afterMs }
    case "Redirected":
      return { _tag: "Redirected", to: reason.to }
    case "Unreachable":
    case "Broken":
      return explain(reason.error)
    case "NothingHere": {
      const isPage = evidence.some(({ mediaType, verdict }) => verdict === "WebPage" || mediaType === "text/html")
      const detail = isPage ? "there is a web page at this address" : "nothing at this address speaks the protocol"
      return { _tag: "NotMcp", detail, isPage }
    }
    case "BadAddress":
      return { _tag: "BadTarget", detail: reason.what }
    case "LocalCommand":
      return { _tag: "BadTarget", detail: "this is no address" }
  }
}
