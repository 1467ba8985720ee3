import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { program, root } from "./programs.ts"

/** One line of what the driver says. */
export interface Line {
  readonly step?: number
  readonly ok?: boolean
  readonly value?: unknown
  readonly error?: unknown
  readonly event?: string
  readonly state?: string
  readonly done?: boolean
  readonly [name: string]: unknown
}

const statesOf = (lines: ReadonlyArray<Line>, what: "process" | "session") =>
  lines.filter(({ event, of }) => event === "state" && of === what).map(({ state }) => state)

/** The path of a script, which is gone with the scope. */
const scriptAt = (script: object | string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "driver-"))
      const path = join(folder, "script.json")
      writeFileSync(path, typeof script === "string" ? script : JSON.stringify(script))
      return { folder, path }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

/** Node keeps there what it has compiled of sources, since most of a short run is that. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(root, "node_modules/.cache/conformance") }

/** Runs the driver on a script, up to its end. `hear` is told of each line as it comes. */
export const drive = Effect.fnUntraced(function* (script: object | string, hear: (line: Line) => void = () => {}) {
  const { path } = yield* scriptAt(script)
  return yield* Effect.promise(async (signal) => {
    const [command, ...args] = program("driver")
    const child = spawn(command, [...args, path], {
      cwd: root,
      env,
      signal,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe"]
    })
    const lines: Array<Line> = []
    let [rest, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      const parts = (rest + part).split("\n")
      rest = parts.pop() ?? ""
      for (const text of parts) {
        const line: Line = JSON.parse(text)
        lines.push(line)
        hear(line)
      }
    })
    child.stderr.on("data", (part) => (stderr += part))
    const [code] = await once(child, "close")
    return {
      code,
      stderr,
      rest,
      lines,
      /** What came of each step, in order. */
      steps: lines.filter(({ event, step }) => step !== undefined && event === undefined),
      events: (name: string) => lines.filter(({ event }) => event === name),
      /** What has become of sessions, in order. */
      states: statesOf(lines, "session"),
      /** The same of processes. */
      processes: statesOf(lines, "process")
    }
  })
})
