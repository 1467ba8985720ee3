import { Console } from "node:console"
import { Serving } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { openDenoStdout } from "./denoStdout.ts"
import type { Output } from "./streams.ts"

/** Puts something in the place of a property; gives back how to undo it, unless someone else has replaced it since. */
const replace = (target: object, name: string, value: unknown): (() => void) => {
  const own = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true })
  return () => {
    if (Reflect.get(target, name) !== value) return
    if (own === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, own)
  }
}

/** Leads every method of the console to stderr: on Bun and Deno they do not pass through `process.stdout.write`. */
const replaceConsole = (): Array<() => void> => {
  const onStderr = new Console({ stdout: process.stderr, stderr: process.stderr })
  const methods = Object.entries(onStderr).filter(
    ([name, value]) => typeof value === "function" && typeof Reflect.get(console, name) === "function"
  )
  const undo = methods.map(([name, value]) => replace(console, name, value))
  // Bun's own: it writes its arguments as they are
  if ("write" in console) {
    undo.push(replace(console, "write", (...texts: ReadonlyArray<string>) => process.stderr.write(texts.join(""))))
  }
  return undo
}

const ignore = (): void => {}
let isTaken = false

/** What a process has lived to see of its stdout: whether it ever carried messages, and whether they lost their reader. */
export const seen = { served: false, lost: false }

const take = () => {
  if (isTaken) throw new Error("stdin and stdout are served already: one server a process")
  isTaken = true
  seen.served = true
  Serving.begin()
  const { stderr, stdout } = process
  const write = stdout.write
  const deno = openDenoStdout()
  const undo = [
    replace(stdout, "write", (...args: Parameters<typeof write>) => stderr.write(...args)),
    ...replaceConsole()
  ]
  // a client that has closed stderr is no reason to crash
  stderr.on("error", ignore)
  const output: Output = {
    on: (event, listener) => stdout.on(event, listener),
    off: (event, listener) => stdout.off(event, listener),
    write: (text, done) => {
      const confirm = (error?: Error | null): void => {
        // before the stream's own event, which comes when serving has ended over it, and on Bun not always
        if (error !== undefined && error !== null) seen.lost = true
        done(error)
      }
      return deno === undefined ? Reflect.apply(write, stdout, [text, confirm]) : deno.write(text, confirm)
    }
  }
  const release = (): void => {
    for (const each of undo) each()
    deno?.release()
    stderr.off("error", ignore)
    isTaken = false
  }
  return { output, release }
}

/**
 * Takes stdout for messages alone: while the scope is open, all that programs write there, by themselves or by the
 * console, goes to stderr. What is written to file descriptor 1 past Node's streams is out of reach.
 */
export const takeStdout: Effect.Effect<Output, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(Effect.sync(take), ({ release }) => Effect.sync(release)),
  ({ output }) => output
)
