import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import { statSync } from "node:fs"
import type { Readable, Writable } from "node:stream"
import { quote, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type Command, environment } from "./command.ts"
import { isWindows } from "./group.ts"

const unreachable = (what: string, cause: unknown): TransportError => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  // Node's own addition, which would carry every argument into whatever prints the error
  if (cause instanceof Error) Reflect.deleteProperty(cause, "spawnargs")
  return TransportError.make(
    { _tag: "Unreachable", what, cause, ...(typeof code === "string" ? { code } : undefined) },
    "NotSent"
  )
}

/** Why a text cannot be given to a program; its value may be a secret, which the system's own error would repeat. */
const faultOf = (text: unknown): string | undefined => {
  if (typeof text !== "string") return "which is no text"
  return text.includes("\0") ? "which holds a NUL character" : undefined
}

/** What of a command the system could not take: only named. */
const checkTexts = ({ args = [], command, cwd, env = {} }: Command): TransportError | undefined => {
  const texts: ReadonlyArray<readonly [string, unknown]> = [
    ["command", command],
    ...args.map((text, index) => [`args[${index}]`, text] as const),
    ...Object.entries(env).flatMap(([name, text]) => {
      const place = `env ${quote(name)}`
      // Node leaves out what is undefined
      return text === undefined
        ? []
        : ([
            [place, name],
            [place, text]
          ] as const)
    }),
    ["cwd", cwd ?? ""]
  ]
  for (const [place, text] of texts) {
    const fault = faultOf(text)
    if (fault !== undefined) return TransportError.make({ _tag: "Unreachable", what: `${place}, ${fault}` }, "NotSent")
  }
  return undefined
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
      const wrong = checkTexts(command) ?? (command.cwd === undefined ? undefined : checkCwd(command.cwd))
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
