import * as Data from "effect/Data"
import { quote } from "./clip.ts"
import { ErrorCode, provesNotRun } from "./ErrorCode.ts"
import type { ErrorObject } from "./JsonRpc.ts"
import type { Outcome } from "./TransportError.ts"

/** Beside the objects, not in them: nothing of it can come off a wire, or get onto one. */
const statuses = new WeakMap<ErrorObject, number>()

/** Notes the status of the HTTP response that an error came in. */
export const withHttpStatus = (error: ErrorObject, status: number): void => void statuses.set(error, status)

/**
 * The peer answered, and its answer was an error.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses
 */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: number
  readonly message: string
  readonly data?: unknown
  /** The status of the HTTP response that it came in, where that was not 200. */
  readonly httpStatus?: number
}> {
  static fromObject(error: ErrorObject): RpcError {
    const { code, data, message } = error
    const httpStatus = statuses.get(error)
    return build({
      code,
      message,
      ...(data === undefined ? undefined : { data }),
      ...(httpStatus === undefined ? undefined : { httpStatus })
    })
  }

  static methodNotFound(method: string): RpcError {
    return build({ code: ErrorCode.MethodNotFound, message: `Method not found: ${quote(method)}` })
  }

  static invalidParams(message: string, data?: unknown): RpcError {
    const code = ErrorCode.InvalidParams
    return build(data === undefined ? { code, message } : { code, message, data })
  }

  get outcome(): Outcome {
    return provesNotRun(this.code) ? "Rejected" : "Unknown"
  }

  toObject(): ErrorObject {
    const { code, data, message } = this
    return data === undefined ? { code, message } : { code, message, data }
  }
}

// outside the class: one that names itself inside loses its name when it is bundled
const build = (error: ErrorObject & { readonly httpStatus?: number }): RpcError => new RpcError(error)

/** Says nothing about the cause, which stays with the side it happened on. */
export const internal: ErrorObject = { code: ErrorCode.InternalError, message: "Internal error" }
