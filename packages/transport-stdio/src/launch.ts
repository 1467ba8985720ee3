import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import { statSync } from "node:fs"
import type { Readable, Writable } from "node:stream"
import { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type Command, environment } from "./command.ts"
import { isWindows } from "./group.ts"

const unreachable = (what: string, cause: unknown): TransportError => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  return TransportError.make(
    { _tag: "Unreachable", what, cause, ...(typeof code === "string" ? { code } : undefined) },
    "NotSent"
  )
}

/** What is wrong with a folder to start in: the system would blame the program. */
const checkCwd = (cwd: string): TransportError | undefined => {
  const what = `cwd ${cwd}`
  try {
    if (statSync(cwd).isDirectory()) return undefined
    return TransportError.make({ _tag: "Unreachable", what, code: "ENOTDIR" }, "NotSent")
  } catch (cause) {
    return unreachable(what, cause)
  }
}

type Start = (command: string, args: ReadonlyArray<string>, options: SpawnOptions) => ChildProcess

/** What Windows needs is loaded there alone: elsewhere it would only delay every start. */
const starter: Effect.Effect<Start> = isWindows
  ? Effect.map(
      Effect.promise(() => import("./windows.ts")),
      ({ startOnWindows }) => startOnWindows
    )
  : Effect.succeed(spawn)

const launchWith = (start: Start, { args = [], command, cwd, stderr, ...rest }: Command): ChildProcess =>
  start(command, args, {
    env: environment(rest, process.env, isWindows),
    stdio: ["pipe", "pipe", stderr === "inherit" ? "inherit" : "pipe"],
    // a group of its own, so that all of it can be ended
    detached: !isWindows,
    windowsHide: true,
    ...(cwd === undefined ? undefined : { cwd })
  })

/** A process that has started. */
export interface Launched {
  readonly process: ChildProcess
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** Null where it is this process's own. */
  readonly stderr: Readable | null
}

/** Starts a process, and hands it over in the same turn. Not to be interrupted: nobody else would end it. */
export const launch = <A>(command: Command, use: (launched: Launched) => A): Effect.Effect<A, TransportError> =>
  Effect.flatMap(starter, (start) =>
    Effect.callback((resume) => {
      const wrong = command.cwd === undefined ? undefined : checkCwd(command.cwd)
      if (wrong !== undefined) return resume(Effect.fail(wrong))
      const hint = command.command.includes(" ") ? "; no shell reads it, so its arguments belong in args" : ""
      const fail = (cause: unknown): void =>
        resume(Effect.fail(unreachable(`command ${command.command}${hint}`, cause)))
      let process: ChildProcess
      try {
        process = launchWith(start, command)
      } catch (cause) {
        return fail(cause)
      }
      // said when it cannot start; later, when a signal cannot be sent, which nobody waits for
      process.on("error", fail)
      const { pid, stderr, stdin, stdout } = process
      if (pid === undefined || stdin === null || stdout === null) return
      resume(Effect.succeed(use({ process, pid, stdin, stdout, stderr })))
    })
  )
