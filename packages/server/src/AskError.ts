import { type ClientCapabilities, quote, type RpcError, type TransportError } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"

/** The client has not declared that it can be asked this; nothing was sent. `required` is what it lacks. */
export interface NotDeclared {
  readonly _tag: "NotDeclared"
  readonly required: ClientCapabilities
}

/** The question cannot be put here: the revision or the method has no way to. Nothing was sent. */
export interface Unaskable {
  readonly _tag: "Unaskable"
  readonly detail: string
}

/** The client answered with an error; its code is `-1` when a person refused. */
export interface Refused {
  readonly _tag: "Refused"
  readonly error: RpcError
}

/** The answer is not one to the question `key`: `detail` says where it is wrong, not what stands there. */
export interface InvalidAnswer {
  readonly _tag: "InvalidAnswer"
  readonly key: string
  readonly detail: string
}

/** Nothing was answered for `afterMs` milliseconds; the question has been withdrawn. */
export interface TimedOut {
  readonly _tag: "TimedOut"
  readonly afterMs: number
}

/** The call has ended with questions as often as it may. */
export interface TooManyRounds {
  readonly _tag: "TooManyRounds"
  readonly limit: number
}

/** The wire failed while the question was open. */
export interface Lost {
  readonly _tag: "Lost"
  readonly error: TransportError
}

export type AskReason = NotDeclared | Unaskable | Refused | InvalidAnswer | TimedOut | TooManyRounds | Lost

/** The names of some capabilities: `elicitation.url`, for one. */
const namesOf = (required: ClientCapabilities): string =>
  Object.entries(required)
    .flatMap(([name, parts]) => {
      const inner = Object.keys(Object(parts))
      return inner.length === 0 ? [name] : inner.map((part) => `${name}.${part}`)
    })
    .join(", ")

const describe = (reason: AskReason): string => {
  switch (reason._tag) {
    case "NotDeclared":
      return `the client has not declared ${namesOf(reason.required)}`
    case "Unaskable":
      return `the question cannot be put: ${reason.detail}`
    case "Refused":
      return `the client refused the question (${reason.error.code})`
    case "InvalidAnswer":
      return `the answer to ${quote(reason.key)} is not valid: ${reason.detail}`
    case "TimedOut":
      return `the client did not answer in ${reason.afterMs} ms`
    case "TooManyRounds":
      return `the client has been asked ${reason.limit} times`
    case "Lost":
      return "the client went away"
  }
}

/**
 * A question got no answer. Where nothing handles it, `refusal` is what the request is answered with; without one, a
 * tool answers with the message, and whatever else with an error of it. Match on `reason._tag`; the message may change.
 */
export class AskError extends Data.TaggedError("AskError")<{
  readonly reason: AskReason
  readonly refusal?: RpcError | undefined
}> {
  override get message(): string {
    return describe(this.reason)
  }
}

/** The question without an answer that a handler ended for, if it did: also where it is said to be a defect. */
export const unansweredIn = (cause: Cause.Cause<unknown>): AskError | undefined => {
  for (const reason of cause.reasons) {
    const found = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (found instanceof AskError) return found
  }
  return undefined
}
