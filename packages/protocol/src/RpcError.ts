import * as Data from "effect/Data"
import { ErrorCode, provesNotRun } from "./ErrorCode.ts"
import type { ErrorObject } from "./JsonRpc.ts"
import type { Outcome } from "./TransportError.ts"

/**
 * The peer answered, and its answer was an error.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses
 */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: number
  readonly message: string
  readonly data?: unknown
}> {
  get outcome(): Outcome {
    return provesNotRun(this.code) ? "Rejected" : "Unknown"
  }
}

export const fromObject = ({ code, data, message }: ErrorObject): RpcError =>
  new RpcError(data === undefined ? { code, message } : { code, message, data })

export const toObject = ({ code, data, message }: RpcError): ErrorObject =>
  data === undefined ? { code, message } : { code, message, data }

export const methodNotFound = (method: string): RpcError =>
  new RpcError({ code: ErrorCode.MethodNotFound, message: `Method not found: ${method}` })

export const invalidParams = (message: string, data?: unknown): RpcError =>
  fromObject({ code: ErrorCode.InvalidParams, message, data })

/** Says nothing about the cause, which stays with the side it happened on. */
export const internal: ErrorObject = { code: ErrorCode.InternalError, message: "Internal error" }
