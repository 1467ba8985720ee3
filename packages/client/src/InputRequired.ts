import { type JsonRpc, type Method, type Methods, quote } from "@effective-mcp/protocol"
import * as Data from "effect/Data"
import type { Why } from "./answers/Unanswered.ts"

/** The requests that a server may answer with questions. */
export type Askable = Extract<Method, "tools/call" | "resources/read" | "prompts/get">

/** Answers as they travel: the result of each question, under the question's own key. */
export type InputResponses = { readonly [key: string]: JsonRpc.JsonObject }

/** Where a call stands between two of its requests: all that is needed to go on with it. */
export interface Round<M extends Askable = Askable> {
  readonly method: M
  readonly params: Methods[M]["params"]
  /** The questions of the last answer, as they came. */
  readonly inputRequests: { readonly [key: string]: JsonRpc.JsonObject }
  /** Those that have been answered. */
  readonly inputResponses: InputResponses
  /** What the server wants back, as it came; undefined when it gave none. */
  readonly requestState: string | undefined
  /** How often the call has been made again. */
  readonly round: number
}

/** Why a call that asks for input was not gone on with. */
export type InputReason =
  /** Whoever made the call wants to answer by hand. */
  | { readonly _tag: "Manual" }
  /** One of the questions has no answer. `cause` is what the host's own code failed with. */
  | {
      readonly _tag: "Unanswered"
      readonly key: string
      readonly method: string
      readonly why: Why
      readonly detail: string
      readonly cause?: unknown
    }
  | { readonly _tag: "TooManyRounds"; readonly limit: number }
  /** The server only wanted to be asked again, for longer than one request may take. */
  | { readonly _tag: "WaitedTooLong"; readonly afterMs: number }
  /** The host gave up the wait. */
  | { readonly _tag: "GivenUp" }

const describe = (reason: InputReason): string => {
  switch (reason._tag) {
    case "Manual":
      return "it is to be given by hand"
    case "Unanswered":
      return `the question ${quote(reason.key)} has no answer: ${reason.detail}`
    case "TooManyRounds":
      return `it was made again ${reason.limit} times, and the server still asks`
    case "WaitedTooLong":
      return `the server wanted to be asked again for longer than ${reason.afterMs} ms`
    case "GivenUp":
      return "the host gave up the wait"
  }
}

/**
 * A server wants input before it can answer, and it was not given. Nobody need be asked twice: `round` holds the answers so
 * far, and `resume` goes on from there.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export class InputRequired extends Data.TaggedError("InputRequired")<{
  readonly reason: InputReason
  readonly round: Round
  /** The result that asked, as it came. */
  readonly result: JsonRpc.JsonObject
}> {
  readonly outcome = "Unknown" as const

  override get message(): string {
    return `${this.round.method} needs input: ${describe(this.reason)}`
  }
}
