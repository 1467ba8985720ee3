import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Driven {
  readonly pid: number
  readonly write: (bytes: string | Uint8Array) => void
  readonly endInput: () => void
  /** Closes the read end of its stdout, then writes these bytes until it has said `text` on stderr. */
  readonly closeOutput: (bytes: string, text: string) => Effect.Effect<void, Error>
  readonly closeErrors: () => void
  /** Reads nothing of its stdout any more. */
  readonly pauseOutput: () => void
  /** The next line of stdout; fails when there is none in 10 s, or none can come any more. */
  readonly line: Effect.Effect<string, Error>
  /** Completes with the exit; fails when there is none in 10 s. */
  readonly exit: Effect.Effect<{ readonly code: number | null; readonly signal: string | null }, Error>
  readonly stderr: () => string
  /** Completes when stderr holds the text; fails when it does not in 10 s. */
  readonly says: (text: string) => Effect.Effect<void, Error>
}

/** Starts a process with raw pipes, for a test that looks at its lines; it ends with the scope. */
export const drive = ({
  command,
  args
}: {
  readonly command: string
  readonly args: ReadonlyArray<string>
}): Effect.Effect<Driven, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] })
        let [out, err] = ["", ""]
        let exit: { readonly code: number | null; readonly signal: string | null } | undefined
        let [ended, changed] = [false, () => {}]
        const watchers = new Set<() => void>()
        changed = () => {
          for (const watcher of watchers) watcher()
        }
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
          out += chunk
          changed()
        })
        child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
          err += chunk
          changed()
        })
        child.stdout.on("end", () => {
          ended = true
          changed()
        })
        child.stdin.on("error", () => {})
        child.on("exit", (code, signal) => {
          exit = { code, signal }
          changed()
        })
        /** Waits until `look` finds something. */
        const until = <A>(what: string, look: () => A | undefined): Effect.Effect<A, Error> =>
          Effect.callback<A, Error>((resume) => {
            const watcher = (): void => {
              const found = look()
              if (found !== undefined) stop(Effect.succeed(found))
            }
            const timer = setTimeout(() => stop(Effect.fail(new Error(`no ${what} in 10 s; stderr: ${err}`))), 10_000)
            const stop = (outcome: Effect.Effect<A, Error>): void => {
              clearTimeout(timer)
              watchers.delete(watcher)
              resume(outcome)
            }
            watchers.add(watcher)
            watcher()
          })
        const takeLine = (): string | Error | undefined => {
          const at = out.indexOf("\n")
          if (at < 0) return ended ? new Error(`no further line; stderr: ${err}`) : undefined
          const line = out.slice(0, at)
          out = out.slice(at + 1)
          return line
        }
        const driven: Driven = {
          pid: child.pid!,
          write: (bytes) => void child.stdin.write(bytes),
          endInput: () => void child.stdin.end(),
          closeOutput: (bytes, text) =>
            Effect.suspend(() => {
              child.stdout.destroy()
              // Bun closes the pipe a little later: a first answer may still find room in it
              const again = Effect.andThen(
                Effect.sync(() => child.stdin.write(bytes)),
                Effect.sleep(20)
              )
              return Effect.raceFirst(driven.says(text), Effect.forever(again))
            }),
          pauseOutput: () => void child.stdout.pause(),
          closeErrors: () => void child.stderr.destroy(),
          line: Effect.flatMap(until("line", takeLine), (line) =>
            typeof line === "string" ? Effect.succeed(line) : Effect.fail(line)
          ),
          exit: until("exit", () => exit),
          stderr: () => err,
          says: (text) => Effect.asVoid(until(`"${text}" on stderr`, () => (err.includes(text) ? true : undefined)))
        }
        return { child, driven }
      }),
      ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    ({ driven }) => driven
  )
