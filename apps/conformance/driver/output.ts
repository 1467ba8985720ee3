import process from "node:process"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"

/** Says one line on stdout, where nothing else is said. */
export const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

export const event = (name: "progress" | "change" | "log" | "state" | "warning", detail: object): void =>
  say({ event: name, ...detail })

interface Reason {
  readonly _tag: string
  readonly status?: number
  readonly code?: unknown
  /** The servers of a configuration that have failed. */
  readonly failures?: ReadonlyArray<{ readonly name: string; readonly error: unknown }>
}

/** What the errors of the packages have, each some of it. */
interface Failure extends Error {
  readonly _tag: string
  readonly reason?: string | Reason
  readonly outcome?: string
  readonly code?: number
  readonly httpStatus?: number
  /** What the server answered, where that has a meaning of its own. */
  readonly error?: Failure
}

const isFailure = (error: unknown): error is Failure => error instanceof Error && "_tag" in error

/** The code of the protocol in a reason: those of systems and of processes are others. */
const codeOf = ({ _tag, code }: Reason): unknown => (_tag === "Refused" ? code : undefined)

/** An error as whoever wrote the script sees it; what it does not say is left out. */
export const toError = (error: unknown): object => {
  // what a program does wrong is thrown by the library, and is in no type
  if (!isFailure(error)) return { tag: "Defect", message: error instanceof Error ? error.message : String(error) }
  const { reason } = error
  const why = typeof reason === "object" ? reason : undefined
  return {
    tag: error._tag,
    reason: typeof reason === "object" ? reason._tag : reason,
    outcome: error.outcome,
    code: error.code ?? error.error?.code ?? (why && codeOf(why)),
    status: error.httpStatus ?? error.error?.httpStatus ?? why?.status,
    message: error.message,
    failures: why?.failures?.map(({ error: own, name }) => ({ name, ...toError(own) }))
  }
}

const ofCause = (cause: Cause.Cause<unknown>): object =>
  Cause.hasInterruptsOnly(cause) ? { tag: "Interrupted", message: "it was interrupted" } : toError(Cause.squash(cause))

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: object }

export const toOutcome = (exit: Exit.Exit<unknown, unknown>): Outcome =>
  Exit.isSuccess(exit) ? { ok: true, value: exit.value ?? null } : { ok: false, error: ofCause(exit.cause) }
