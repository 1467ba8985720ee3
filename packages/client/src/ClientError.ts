import type { RpcError, TransportError, Violation } from "@effective-mcp/protocol"
import * as Data from "effect/Data"

/** The server never said that it could do this; nothing was sent. */
export class NotOffered extends Data.TaggedError("NotOffered")<{ readonly capability: string }> {
  readonly outcome = "NotSent" as const

  override get message(): string {
    return `the server does not offer ${this.capability}`
  }
}

/** Neither side speaks a revision that the other does, within what `era` allows. */
export class NoCommonRevision extends Data.TaggedError("NoCommonRevision")<{
  readonly ours: ReadonlyArray<string>
  readonly theirs: ReadonlyArray<string>
  readonly advice: string
}> {
  override get message(): string {
    const theirs = this.theirs.length === 0 ? "none of them" : this.theirs.join(", ")
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
export type CallError = TransportError | RpcError | Violation | NotOffered

/** Why a client could not connect. */
export type ConnectError = TransportError | RpcError | Violation | NoCommonRevision
