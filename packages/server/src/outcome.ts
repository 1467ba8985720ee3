import { ErrorCode, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type AskError, unansweredIn } from "./AskError.ts"
import type { Failure } from "./Core.ts"
import { InvalidArguments } from "./InvalidArguments.ts"
import { ResourceNotFound } from "./ResourceNotFound.ts"

/** Says nothing about the cause, which is in the server's log. */
const internal = { code: ErrorCode.InternalError, message: "Internal error" }

/** What answers a request that has asked in vain, and has nothing else to say of it. */
export const refusalOf = ({ message, refusal }: AskError): RpcError => refusal ?? new RpcError({ ...internal, message })

const isFailure = (error: unknown): error is Failure =>
  error instanceof RpcError || error instanceof InvalidArguments || error instanceof ResourceNotFound

/**
 * What a handler gave back. How it may fail for its caller passes as it is; whatever else goes wrong, defects included,
 * is logged with its cause, and the caller only told that something did; of a question without an answer it is told why.
 */
export const answered = <A, R>(what: string, running: Effect.Effect<A, unknown, R>): Effect.Effect<A, Failure, R> =>
  Effect.catchCause(running, (cause) => {
    const unanswered = unansweredIn(cause)
    if (unanswered !== undefined) return Effect.fail(refusalOf(unanswered))
    const first = cause.reasons.find((reason) => reason._tag === "Fail")?.error
    if (isFailure(first)) return Effect.fail(first)
    return Effect.andThen(Effect.logError(`${what} failed`, cause), Effect.fail(new RpcError(internal)))
  })
