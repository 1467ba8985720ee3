import * as Data from "effect/Data"
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

/** Nothing came for `afterMs` milliseconds. */
export interface TimedOut {
  readonly _tag: "TimedOut"
  readonly afterMs: number
}

export type Reason = Unreachable | Closed | Malformed | TooLarge | Overflow | TimedOut

/** The last line that says something, cut, without what could disturb a terminal: no stack, no runtime's farewell. */
const lastLine = (text: string): string | undefined =>
  text
    .split("\n")
    .findLast((line) => /^(?!\s|\}|Node\.js v|Bun v)./.test(line))
    ?.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trimEnd()
    .slice(0, 200)

const describe = (reason: Reason): string => {
  switch (reason._tag) {
    case "Unreachable":
      return `the peer could not be reached: ${reason.what}${reason.code === undefined ? "" : ` (${reason.code})`}`
    case "Closed": {
      if (reason.exit === undefined) return "the connection is closed"
      const how = `the server process has ended (${reason.exit.signal ?? `code ${reason.exit.code}`})`
      const why = lastLine(reason.stderr ?? "")
      return why === undefined ? how : `${how}: ${why}`
    }
    case "Malformed":
      return `the peer answered with something that is no response: ${reason.detail}`
    case "TooLarge":
      return `a message was longer than ${reason.limit} bytes`
    case "Overflow":
      return `more than ${reason.limit} messages or bytes were waiting to be heard`
    case "TimedOut":
      return `no answer in ${reason.afterMs} ms`
  }
}

/** The wire failed. Match on `reason._tag`; the message is for people and may change. */
export class TransportError extends Data.TaggedError("TransportError")<{
  readonly reason: Reason
  readonly outcome: Outcome
}> {
  static make(reason: Reason, outcome: Outcome = "Unknown"): TransportError {
    return new TransportError({ reason, outcome })
  }

  override get message(): string {
    return describe(this.reason)
  }

  /** The same failure, seen by another request. */
  withOutcome(outcome: Outcome): TransportError {
    return this.outcome === outcome ? this : TransportError.make(this.reason, outcome)
  }
}
