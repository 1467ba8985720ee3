import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Effect from "effect/Effect"
import { type Argv, root } from "./programs.ts"

/** A server over HTTP as a process of its own, and the first address that it says; it has ended with the scope. */
export const starting = ([command, ...args]: Argv) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
      let said = ""
      const url = await new Promise<string>((resolve, reject) => {
        const hear = (part: unknown): void => {
          said += String(part)
          const [found] = /http:\S+\/mcp/.exec(said) ?? []
          if (found !== undefined) resolve(found)
        }
        child.stdout.on("data", hear)
        child.stderr.on("data", hear)
        child.once("exit", () => reject(new Error(`the server did not start: ${said}`)))
      })
      return { child, url }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGKILL")
        await once(child, "exit")
      })
  )
