import * as Data from "effect/Data"
import { quote } from "./clip.ts"
import type { RequestId } from "./JsonRpc.ts"

/**
 * What a failed request may have done: `NotSent` never left, `Rejected` was answered without running, `Unknown` may
 * have run. Only the first two are safe to send again.
 */
export type Outcome = "NotSent" | "Rejected" | "Unknown"

/** How a child process ended. */
export interface ProcessExit {
  readonly code: number | null
  readonly signal: string | null
}

/** The peer could not be reached at all: `code` is the system's (`ENOENT`, `EACCES`, …), `what` says what was missing. */
export interface Unreachable {
  readonly _tag: "Unreachable"
  readonly what: string
  readonly code?: string
  readonly cause?: unknown
}

/** The wire ended while something still depended on it; `stderr` holds the last of what a child process said there. */
export interface Closed {
  readonly _tag: "Closed"
  readonly exit?: ProcessExit
  readonly stderr?: string
  readonly cause?: unknown
}

/** The peer answered `id` with something that is no response. */
export interface Malformed {
  readonly _tag: "Malformed"
  readonly detail: string
  readonly id?: RequestId
}

/** A message was longer than `limit` bytes. */
export interface TooLarge {
  readonly _tag: "TooLarge"
  readonly limit: number
}

/** More was said than the listener could take: over `limit` messages, or bytes, were waiting. */
export interface Overflow {
  readonly _tag: "Overflow"
  readonly limit: number
}

/** Nothing came for `afterMs` milliseconds, in answer to `method`. */
export interface TimedOut {
  readonly _tag: "TimedOut"
  readonly afterMs: number
  readonly method?: string
}

/** What was to be sent is no JSON (a bigint, a cycle, something nested too deep), or a header holds what none may. Nothing was sent. */
export interface Unsendable {
  readonly _tag: "Unsendable"
  readonly cause: unknown
}

/** An HTTP server answered with `status` and nothing that the protocol has a meaning for. */
export interface HttpStatus {
  readonly _tag: "HttpStatus"
  readonly status: number
  /** What `WWW-Authenticate` said, cut to 4,096 characters. */
  readonly challenge?: string
  /** How long `Retry-After` asks to wait, in ms. */
  readonly retryAfterMs?: number
}

/** An HTTP server sends its clients elsewhere, in a way that is not followed. */
export interface Redirected {
  readonly _tag: "Redirected"
  readonly status: number
  /** The address without its query, cut to 100 characters. */
  readonly to: string
  /** To another origin, with another method, or once too often; `Endpoint` is where it wants its messages. */
  readonly why: "OtherOrigin" | "OtherMethod" | "TooOften" | "Endpoint"
}

/** The legacy session that the request belonged to is over; the next `initialize` begins another. */
export interface SessionExpired {
  readonly _tag: "SessionExpired"
}

export type Reason =
  | Unsendable
  | Unreachable
  | Closed
  | Malformed
  | TooLarge
  | Overflow
  | TimedOut
  | HttpStatus
  | Redirected
  | SessionExpired

// what colours a terminal, and what else could disturb one
const CONTROLS = /\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g
/** Lines that say nothing of why: traces, markers, farewells, where to read on. */
const IDLE = /^\s|^[\s^~}]*$|^(Node\.js|Bun) v|^Stack backtrace|complete log of this run|^npm error code|^Run '/i

/** The line that tells best why a process has ended, cut: the last that names an error, else the last that says anything. */
const whyOf = (text: string): string | undefined => {
  const lines = text
    .replace(CONTROLS, "")
    .split("\n")
    .filter((line) => !IDLE.test(line))
  return (lines.findLast((line) => /error|exception|cannot|not found/i.test(line)) ?? lines.at(-1))?.slice(0, 200)
}

const notFollowed = {
  OtherOrigin: "another origin: connect to it directly if it is to be trusted",
  OtherMethod: "which would change the method: connect to it directly",
  TooOften: "once too often",
  Endpoint: "another origin for messages: name that endpoint yourself if it is to be trusted"
} as const

const detailOf = ({ cause, code }: Unreachable): string => {
  if (code !== undefined) return ` (${code})`
  return cause instanceof Error ? ` (${cause.message})` : ""
}

const describe = (reason: Reason): string => {
  switch (reason._tag) {
    case "Unreachable":
      return `the peer could not be reached: ${reason.what}${detailOf(reason)}`
    case "Closed": {
      if (reason.exit === undefined) return "the connection is closed"
      const how = `the server process has ended (${reason.exit.signal ?? `code ${reason.exit.code}`})`
      const why = whyOf(reason.stderr ?? "")
      return why === undefined ? how : `${how}: ${why}`
    }
    case "Unsendable":
      return "what was to be sent cannot be written: it is no JSON, or a header holds what none may"
    case "Malformed":
      return `the peer answered with something that is no response: ${reason.detail}`
    case "TooLarge":
      return `a message was longer than ${reason.limit} bytes`
    case "Overflow":
      return `more than ${reason.limit} messages or bytes were waiting to be heard`
    case "HttpStatus":
      return `the server answered with HTTP status ${reason.status}`
    case "Redirected":
      return `the server redirects (${reason.status}) to ${quote(reason.to)}, ${notFollowed[reason.why]}`
    case "SessionExpired":
      return "the session has expired"
    case "TimedOut":
      return `no answer${reason.method === undefined ? "" : ` to ${reason.method}`} in ${reason.afterMs} ms`
  }
}

/** The wire failed. Match on `reason._tag`; the message is for people and may change. */
export class TransportError extends Data.TaggedError("TransportError")<{
  readonly reason: Reason
  readonly outcome: Outcome
}> {
  static make(reason: Reason, outcome: Outcome = "Unknown"): TransportError {
    return build(reason, outcome)
  }

  override get message(): string {
    return describe(this.reason)
  }

  /** The same failure, seen by another request. */
  withOutcome(outcome: Outcome): TransportError {
    return this.outcome === outcome ? this : build(this.reason, outcome)
  }
}

// outside the class: one that names itself inside loses its name when it is bundled
const build = (reason: Reason, outcome: Outcome): TransportError => new TransportError({ reason, outcome })
