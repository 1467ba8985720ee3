import { quote } from "@effective-mcp/protocol"
import * as Data from "effect/Data"

/** One thing that was tried: what came of it, in words, and how long that took. */
export interface Step {
  readonly tried: string
  readonly came: string
  readonly ms: number
}

/** A server of a configuration that could not be connected to. */
export interface Failure {
  /** What the configuration calls it. */
  readonly name: string
  readonly error: ConnectTargetError
}

/** Why a target could not be connected to. */
export type Reason =
  /** It names nothing that can be reached: `detail` says why, `at` at which character, where there is one. */
  | { readonly _tag: "BadTarget"; readonly detail: string; readonly at?: number }
  /**
   * A configuration cannot be read; `at` is the place in it: `mcpServers.files.args[1]`, or a line and column of what is no
   * JSON. `advice` is what to do where that is something else than to mend it there.
   */
  | { readonly _tag: "BadConfig"; readonly detail: string; readonly at: string; readonly advice?: string }
  /** A configuration refers to a variable that is not set. */
  | { readonly _tag: "Unset"; readonly variable: string; readonly at: string }
  /** The program could not be started, or nobody answers at the address; `code` is the system's. */
  | { readonly _tag: "Unreachable"; readonly what: string; readonly code?: string }
  /** What the program gave cannot be sent: a header holds what none may, or what the client says is no JSON. */
  | { readonly _tag: "Unsendable" }
  /** The program has ended before it had answered; `stderr` is the last of what it said there. */
  | {
      readonly _tag: "Exited"
      readonly code: number | null
      readonly signal: string | null
      readonly stderr: string
    }
  /** The server wants to know who calls. `resourceMetadata` is where its challenge says how. */
  | {
      readonly _tag: "NeedsAuth"
      readonly status: number
      readonly challenge?: string
      readonly resourceMetadata?: string
    }
  /** Something answers, and it is a web page or another thing that does not speak the protocol. */
  | { readonly _tag: "NotMcp"; readonly detail: string; readonly isPage: boolean }
  /** The server is there, and has no time or a fault of its own. */
  | { readonly _tag: "HttpStatus"; readonly status: number; readonly retryAfterMs?: number }
  /** The address leads elsewhere, where nothing was sent. */
  | { readonly _tag: "Redirected"; readonly to: string }
  /** The server refused to begin, in words. */
  | { readonly _tag: "Refused"; readonly code: number; readonly detail: string }
  | { readonly _tag: "NoCommonRevision"; readonly ours: ReadonlyArray<string>; readonly theirs: ReadonlyArray<string> }
  /** It is there, and says nothing; a program may have done so on its standard error alone, the last of which is `stderr`. */
  | { readonly _tag: "Silent"; readonly afterMs: number; readonly stderr?: string }
  /** What it says is not of the protocol, or the wire broke. */
  | { readonly _tag: "Broken"; readonly detail: string }
  /** Some servers of a configuration could not be connected to. */
  | { readonly _tag: "ServersFailed"; readonly failures: ReadonlyArray<Failure>; readonly of: number }

const ended = (code: number | null, signal: string | null): string =>
  signal === null ? `the program ended with code ${code}` : `the program was ended by ${signal}`

/** What a transport says of a program that cannot be started, as a sentence. */
const ofProgram = (what: string, code: string | undefined): string => {
  const [, program] = /^command ([^]+)$/.exec(what) ?? []
  if (program === undefined) return what
  if (code === "ENOENT") return `there is no program ${program}`
  return code === "EACCES" || code === "EPERM"
    ? `the program ${program} may not be run`
    : `the program ${program} does not start`
}

/** What went wrong, in a few words. */
export const describe = (reason: Reason): string => {
  switch (reason._tag) {
    case "BadTarget":
      return reason.at === undefined ? reason.detail : `${reason.detail}, at character ${reason.at + 1}`
    case "BadConfig":
      return `${reason.at} ${reason.detail}`
    case "Unset":
      return `${reason.at} needs the variable ${quote(reason.variable)}, which is not set`
    case "Unreachable":
      return `${ofProgram(reason.what, reason.code)}${reason.code === undefined ? "" : ` (${reason.code})`}`
    case "Unsendable":
      return "a header holds what none may, or what the client says is no JSON"
    case "Exited":
      return ended(reason.code, reason.signal)
    case "NeedsAuth":
      return `the server wants to know who calls (HTTP status ${reason.status})`
    case "NotMcp":
      return reason.detail
    case "HttpStatus":
      return `the server answered with HTTP status ${reason.status}`
    case "Redirected":
      return `the address leads to ${quote(reason.to)}`
    case "Refused":
      return `the server refused to begin: ${quote(reason.detail)} (${reason.code})`
    case "NoCommonRevision":
      return `the server speaks ${reason.theirs.map(quote).join(", ") || "none of our revisions"}`
    case "Silent":
      return `no answer in ${reason.afterMs} ms`
    case "Broken":
      return reason.detail
    case "ServersFailed":
      return `${reason.failures.length} of ${reason.of} servers failed`
  }
}

/** As many of the last lines of a program's standard error are repeated, and of each as many characters. */
const LINES = 5
const LINE = 200

/** Lines that say nothing of why: traces, brackets, versions. */
const IDLE = /^\s*(?:at |[\s{}[\]()^~]*$|(?:Node\.js|Bun) v)/

const lastLines = (stderr: string): ReadonlyArray<string> =>
  stderr
    .split(/\r?\n/)
    .filter((line) => !IDLE.test(line))
    .slice(-LINES)
    .map((line) => `  | ${line.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, LINE)}`)

const SHOWN = 20

const failureLines = (failures: ReadonlyArray<Failure>): ReadonlyArray<string> => [
  ...failures
    .slice(0, SHOWN)
    .flatMap(({ error, name }) => [`  ${quote(name)}: ${describe(error.reason)}`, `    ${error.fix}`]),
  ...(failures.length > SHOWN ? [`  and ${failures.length - SHOWN} more`] : [])
]

/**
 * A target could not be connected to. Match on `reason._tag`; the message shows all that was tried and what to do, and
 * may change. Neither holds headers, values of variables, or the query of an address.
 */
export class ConnectTargetError extends Data.TaggedError("ConnectTargetError")<{
  /** What was asked for, without what may be a secret. */
  readonly target: string
  readonly reason: Reason
  /** What was tried, in order. */
  readonly steps: ReadonlyArray<Step>
  /** What to do about it. */
  readonly fix: string
}> {
  override get message(): string {
    const { fix, reason, steps, target } = this
    return [
      `could not connect to ${target}: ${describe(reason)}`,
      ...steps.map(({ came, ms, tried }, index) => `  ${index + 1}. ${tried}: ${came} (${Math.round(ms)} ms)`),
      ...("stderr" in reason ? lastLines(reason.stderr) : []),
      ...(reason._tag === "ServersFailed" ? failureLines(reason.failures) : []),
      fix
    ].join("\n")
  }
}
