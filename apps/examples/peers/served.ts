import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Program } from "./Program.ts"

/** How long a server may take to listen, in ms. */
const limitMs = 10_000

const ending = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) resume(Effect.void)
    else child.once("exit", () => resume(Effect.void))
  })

/**
 * Runs a program that serves HTTP until the scope ends, and gives the first thing it says that `said` matches. It has ended
 * when the scope has.
 */
export const served = (
  { args, command }: Program,
  said: RegExp = /http:\/\/\S+/,
  env: { readonly [name: string]: string } = {}
): Effect.Effect<string, Error, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } })),
    (child) =>
      Effect.suspend(() => {
        child.kill("SIGKILL")
        return Effect.ignore(Effect.timeout(ending(child), limitMs))
      })
  ).pipe(
    Effect.flatMap((child) =>
      Effect.callback<string, Error>((resume) => {
        let text = ""
        const hear = (part: Buffer): void => {
          text = (text + String(part)).slice(-10_000)
          const [found] = said.exec(text) ?? []
          if (found !== undefined) resume(Effect.succeed(found))
        }
        child.stdout.on("data", hear)
        child.stderr.on("data", hear)
        child.once("error", (error) => resume(Effect.fail(error)))
        child.once("exit", () => resume(Effect.fail(new Error(`it has ended: ${text}`))))
      })
    ),
    Effect.timeoutOrElse({
      duration: limitMs,
      orElse: () => Effect.fail(new Error(`it says nothing that matches ${String(said)}`))
    })
  )

/** A port that nobody uses, a moment ago: for a program that does not tell which one it took. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = address === null || typeof address === "string" ? 0 : address.port
    server.close(() => resume(Effect.succeed(port)))
  })
})
