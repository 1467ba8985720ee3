import { clip, quote, type RpcError, type TransportError, type Violation } from "@effective-mcp/protocol"
import * as Data from "effect/Data"
import type { InputRequired } from "./InputRequired.ts"

/**
 * The server never said that it could do this; nothing was sent.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#servercapabilities
 */
export class NotOffered extends Data.TaggedError("NotOffered")<{ readonly capability: string }> {
  readonly outcome = "NotSent" as const

  override get message(): string {
    return `the server does not offer ${this.capability}`
  }
}

/** A guard of the program's own held the request back; nothing was sent. */
export class Withheld extends Data.TaggedError("Withheld")<{ readonly why: string }> {
  readonly outcome = "NotSent" as const

  override get message(): string {
    return `the request was held back: ${this.why}`
  }
}

/** As much of what a server lists as an error has room for: 20 entries, each cut. */
export const some = (listed: ReadonlyArray<string>): ReadonlyArray<string> => listed.slice(0, 20).map(clip)

/**
 * Neither side speaks a revision that the other does, within what `era` allows.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
 */
export class NoCommonRevision extends Data.TaggedError("NoCommonRevision")<{
  readonly ours: ReadonlyArray<string>
  /** The versions that the server names: the first 20, of each no more than 100 characters. */
  readonly theirs: ReadonlyArray<string>
  readonly advice: string
}> {
  override get message(): string {
    const theirs = this.theirs.length === 0 ? "none of them" : this.theirs.map(quote).join(", ")
    return `no common revision: we speak ${this.ours.join(", ")}, the server ${theirs}. ${this.advice}`
  }
}

/** A list that does not end: a cursor came back a second time, or there were more pages than allowed. */
export class EndlessList extends Data.TaggedError("EndlessList")<{
  readonly method: string
  readonly reason: "RepeatedCursor" | "TooManyPages"
  /** How many pages had been read. */
  readonly pages: number
}> {
  override get message(): string {
    return `${this.method} does not end: ${this.reason === "RepeatedCursor" ? "a cursor came back" : "too many pages"} after ${this.pages} pages`
  }
}

/** Why a request failed; each says what it may have done as its `outcome`. */
export type CallError = TransportError | RpcError | Violation | NotOffered | InputRequired | Withheld

/** Why a client could not connect. */
export type ConnectError = TransportError | RpcError | Violation | NoCommonRevision
