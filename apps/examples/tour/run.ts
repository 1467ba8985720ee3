import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** How long a program may take, in ms. */
const limitMs = 60_000
/** How long it may take to leave once it was asked to, in ms. */
const graceMs = 5_000
/** How long it may say nothing before a watcher is told that it goes on, in ms. */
const quietMs = 2_000

const windows = process.platform === "win32"

/** To all that it started in its own group; those that lead a group of their own leave when their input ends. */
const signal = ({ pid }: ChildProcess, name: "SIGTERM" | "SIGKILL"): void => {
  try {
    if (pid !== undefined) process.kill(windows ? pid : -pid, name)
  } catch {
    // nobody is left
  }
}

/** Whether it has ended. */
const isOver = ({ exitCode, pid, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

/** Completes when it has ended, and all that it said has been heard. */
const ending = (child: ChildProcess): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    child.once("error", ({ message }) => resume(Effect.succeed(`could not be started: ${message}`)))
    child.once("close", (code, by) => {
      resume(Effect.succeed(code === 0 ? undefined : `ended with ${by ?? `code ${code}`}`))
    })
  })

/**
 * Runs a program and passes on its lines, with a sign of life in between where it is silent. Gives back how it ended, if
 * not well.
 */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  print: (line: string) => void
): Effect.Effect<string | undefined> =>
  Effect.scoped(
    Effect.gen(function* () {
      let silence: NodeJS.Timeout | undefined
      yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(silence)))
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], detached: !windows })),
        (child) =>
          Effect.gen(function* () {
            if (!isOver(child)) signal(child, "SIGTERM")
            if (!isOver(child)) yield* Effect.timeoutOption(ending(child), graceMs)
            signal(child, "SIGKILL")
          })
      )
      const ended = ending(child)
      const listen = (seconds: number): void => {
        clearTimeout(silence)
        silence = setTimeout(() => {
          print(`    … still at it (${seconds} s)`)
          listen(seconds + quietMs / 1000)
        }, quietMs)
      }
      const heard = (line: string): void => {
        listen(quietMs / 1000)
        print(line)
      }
      listen(quietMs / 1000)
      createInterface({ input: child.stdout }).on("line", heard)
      const result = yield* Effect.timeoutOption(ended, limitMs)
      return result._tag === "Some" ? result.value : `took over ${limitMs / 1000} s`
    })
  )
