import * as Data from "effect/Data"
import { quote } from "./clip.ts"
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
  static fromObject({ code, data, message }: ErrorObject): RpcError {
    return build(data === undefined ? { code, message } : { code, message, data })
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
const build = (error: ErrorObject): RpcError => new RpcError(error)

/** Says nothing about the cause, which stays with the side it happened on. */
export const internal: ErrorObject = { code: ErrorCode.InternalError, message: "Internal error" }
