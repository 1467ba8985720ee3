import { ErrorCode, RpcError } from "@effective-mcp/protocol"

/**
 * Why a question has no answer. `UnknownQuestion`: there is none like it; `NoAnswer`: nothing that the host registered
 * answers it; `NotDeclared`: it needs what the host did not declare, such as tools; `Malformed`: it is not as its revision
 * says; `Refused`: the host's answer failed with an `RpcError`; `Failed`: it failed otherwise, or died; `Unfit`: it gave
 * back what does not answer the question; `TimedOut`; `TooMany` are waiting.
 */
export type Why =
  | "UnknownQuestion"
  | "NoAnswer"
  | "NotDeclared"
  | "Malformed"
  | "Refused"
  | "Failed"
  | "Unfit"
  | "TimedOut"
  | "TooMany"

/** A question that has no answer: why, for us, and the error that says so to a legacy server. */
export class Unanswered {
  readonly why: Why
  readonly detail: string
  readonly error: RpcError
  /** What the host's own code failed with; it stays here. */
  readonly cause: unknown

  constructor(why: Why, detail: string, error: RpcError, cause?: unknown) {
    this.why = why
    this.detail = detail
    this.error = error
    this.cause = cause
  }
}

const internal = new RpcError({ code: ErrorCode.InternalError, message: "Internal error" })

export const unknown = (method: string): Unanswered =>
  new Unanswered("UnknownQuestion", "there is no such question", RpcError.methodNotFound(method))

export const noAnswer = (method: string): Unanswered =>
  new Unanswered("NoAnswer", `nothing answers ${method}`, RpcError.methodNotFound(method))

/** What is wrong with a question itself. */
export const wrong = (why: "NotDeclared" | "Malformed", detail: string): Unanswered =>
  new Unanswered(why, detail, RpcError.invalidParams(`Invalid params: ${detail}`))

/** What went wrong on our side: a server learns no more than that. */
export const ours = (why: "Failed" | "Unfit", detail: string, cause?: unknown): Unanswered =>
  new Unanswered(why, detail, internal, cause)

export const timedOut = (afterMs: number): Unanswered =>
  new Unanswered(
    "TimedOut",
    `no answer in ${afterMs} ms`,
    new RpcError({ code: ErrorCode.InternalError, message: "No answer in time" })
  )

export const tooMany: Unanswered = new Unanswered(
  "TooMany",
  "too many questions wait",
  new RpcError({ code: ErrorCode.InternalError, message: "Too many requests" })
)

/** What a host's own failure says to a server: its words only when it chose them. */
export const fromFailure = (failure: unknown): Unanswered =>
  failure instanceof RpcError
    ? new Unanswered("Refused", `it was refused with ${failure.code}`, failure, failure)
    : ours("Failed", "the host failed to answer", failure)
