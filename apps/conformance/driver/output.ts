import process from "node:process"
import type { CallError, ConnectError, EndlessList } from "@effective-mcp/client"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"

/** Says one line on stdout, where nothing else is said. */
export const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

export const event = (name: "progress" | "change" | "log" | "state" | "warning", detail: object): void =>
  say({ event: name, ...detail })

type Failure = CallError | ConnectError | EndlessList

const isFailure = (error: unknown): error is Failure => error instanceof Error && "_tag" in error

/** A failure as whoever wrote the script sees it. */
const toError = (cause: Cause.Cause<unknown>): object => {
  if (Cause.hasInterruptsOnly(cause)) return { tag: "Interrupted", message: "it was interrupted" }
  const error = Cause.squash(cause)
  if (!isFailure(error)) return { tag: "Defect", message: String(error) }
  const reason = "reason" in error ? error.reason : undefined
  return {
    tag: error._tag,
    ...(reason === undefined ? undefined : { reason: typeof reason === "string" ? reason : reason._tag }),
    ...("outcome" in error ? { outcome: error.outcome } : undefined),
    ...("code" in error ? { code: error.code } : undefined),
    ...statusOf(error),
    message: error.message
  }
}

const statusOf = (error: Failure): object | undefined => {
  if (error._tag === "RpcError") return error.httpStatus === undefined ? undefined : { status: error.httpStatus }
  if (error._tag !== "TransportError" || error.reason._tag !== "HttpStatus") return undefined
  return { status: error.reason.status }
}

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: object }

export const toOutcome = (exit: Exit.Exit<unknown, unknown>): Outcome =>
  Exit.isSuccess(exit) ? { ok: true, value: exit.value ?? null } : { ok: false, error: toError(exit.cause) }
