import { quote, type TransportError } from "@effective-mcp/protocol"
import * as Data from "effect/Data"
import type { Probe } from "./Probe.ts"

/** What was given is a command or a path, and no address: what runs here is not detected, but spawned. */
export interface LocalCommand {
  readonly _tag: "LocalCommand"
}

/** What was given is no address that a request could be sent to. */
export interface BadAddress {
  readonly _tag: "BadAddress"
  readonly what: string
}

/** The server only answers those that it knows. */
export interface NeedsAuth {
  readonly _tag: "NeedsAuth"
  readonly status: number
  /** What `WWW-Authenticate` said, cut to 4,096 characters. */
  readonly challenge?: string
}

/** The server could not say what it is: it is too busy, or broken. Another time it may. */
export interface Unavailable {
  readonly _tag: "Unavailable"
  readonly status: number
  /** How long `Retry-After` asks to wait, in ms. */
  readonly retryAfterMs?: number
}

/** A probe got no answer for `afterMs` milliseconds. */
export interface TimedOut {
  readonly _tag: "TimedOut"
  readonly afterMs: number
}

/** The server sends its clients elsewhere, in a way that is not followed: to another origin, or with another method. */
export interface Redirected {
  readonly _tag: "Redirected"
  readonly status: number
  /** The origin or the path that it leads to, cut to 100 characters. */
  readonly to: string
}

/** Nobody could be reached at the address. */
export interface Unreachable {
  readonly _tag: "Unreachable"
  readonly error: TransportError
}

/** The connection broke, or a request could not be sent. */
export interface Broken {
  readonly _tag: "Broken"
  readonly error: TransportError
}

/** Somebody answers there, and nothing that it says is of the protocol. */
export interface NothingHere {
  readonly _tag: "NothingHere"
}

export type DetectReason =
  | LocalCommand
  | BadAddress
  | NeedsAuth
  | Unavailable
  | TimedOut
  | Redirected
  | Unreachable
  | Broken
  | NothingHere

const describe = (reason: DetectReason): string => {
  switch (reason._tag) {
    case "LocalCommand":
      return (
        "this is no address, which begins with http:// or https://. A local command is not detected: " +
        "run it with spawn of @effective-mcp/transport-stdio"
      )
    case "BadAddress":
      return `no request can be sent to this address: ${reason.what}`
    case "NeedsAuth": {
      const says = reason.status === 401 ? "asks who you are" : "does not let you in"
      return `the server ${says} (HTTP status ${reason.status}): give it headers, or an interceptor that signs in`
    }
    case "Unavailable": {
      const { retryAfterMs } = reason
      const wait = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1_000)} s`
      return `the server could not say what it is (HTTP status ${reason.status}): try again ${wait}`
    }
    case "TimedOut":
      return `no answer in ${reason.afterMs} ms, which says nothing of what is there: try again, or give probe more time`
    case "Redirected":
      return `the server redirects (${reason.status}) to ${quote(reason.to)}, which is not followed: detect what is there`
    case "Unreachable":
    case "Broken":
      return reason.error.message
    case "NothingHere":
      return "nothing that answers there speaks the protocol: look at the address, and at its path above all"
  }
}

/** One line of what was tried: `POST ping: 404 text/html`. */
const line = ({ code, mediaType, sent, status, verdict }: Probe): string => {
  if (status === undefined) return `${sent}: ${verdict}`
  const type = mediaType === undefined ? "" : ` ${quote(mediaType)}`
  return `${sent}: ${status}${type}${code === undefined ? "" : `, error ${code}`}`
}

/**
 * What is at an address could not be found out, or nothing is. Match on `reason._tag`; the message is for people and may
 * change. It never says that some other transport would do.
 */
export class DetectError extends Data.TaggedError("DetectError")<{
  readonly reason: DetectReason
  /** The address without its query; undefined where there is none. */
  readonly address: string | undefined
  /** All that was sent, in order. */
  readonly evidence: ReadonlyArray<Probe>
}> {
  override get message(): string {
    const { address, evidence, reason } = this
    const where = address === undefined ? "" : `${address}: `
    const tried = evidence.length === 0 ? "" : ` (${evidence.map(line).join("; ")})`
    return where + describe(reason) + tried
  }
}
