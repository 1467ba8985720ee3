import { type Reason, Serving, TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import { seen } from "./stdout.ts"

/** What interrupts a program, with its number, which is the same on every system. */
const signals = [
  ["SIGINT", 2],
  ["SIGTERM", 15],
  ["SIGHUP", 1]
] as const
/** How long the last words may take to leave, in ms. */
const LAST_MS = 1_000

type Closed = Reason & { readonly _tag: "Closed" }

/** How the system says that a pipe has no reader any more, by its codes and by Deno's names, and how streams say it afterwards. */
const GONE = new Set<unknown>(["EPIPE", "ECONNRESET", "EOF", "BrokenPipe", "ConnectionReset", "ERR_STREAM_DESTROYED"])

/** What went wrong with stdout when it was not its reader's leaving: a full disk, a broken device. */
const faultOf = (error: unknown): Error | undefined => {
  if (!(error instanceof Error)) return undefined
  return GONE.has(error.name) || ("code" in error && GONE.has(error.code)) ? undefined : error
}

/** The end of the wire that a program failed with. */
const closedOf = <E>(cause: Cause.Cause<E>): Closed | undefined => {
  for (const reason of cause.reasons) {
    if (reason._tag !== "Fail" || !(reason.error instanceof TransportError)) continue
    if (reason.error.reason._tag === "Closed") return reason.error.reason
  }
  return undefined
}

/** Before and after it serves, a server's log has no business on stdout either. */
const toStderr = Effect.provideService(References.LogToStderr, true)

/** An error that was to be expected says what it is; of a defect the whole trace is wanted. */
const describe = <E>(cause: Cause.Cause<E>): string => {
  const failure = cause.reasons.find((reason) => reason._tag === "Fail")
  return failure?.error instanceof Error && !Cause.hasDies(cause) ? String(failure.error) : Cause.pretty(cause)
}

/** Exits once stdout and stderr have taken all that was written; whoever has lost its reader takes no more. */
const leave = (code: number): void => {
  const exit = (): never => process.exit(code)
  setTimeout(exit, LAST_MS)
  const streams = seen.lost ? [process.stderr] : [process.stderr, process.stdout]
  let open = streams.length
  for (const stream of streams) {
    const done = (): void => {
      open -= 1
      if (open === 0) exit()
    }
    // Bun confirms an empty write ahead of those before it; elsewhere listeners to the exit may still speak
    if ("Bun" in globalThis) stream.end(done)
    else stream.write("", done)
  }
}

/**
 * Runs a program as the whole of a process, and exits the process when it ends, whatever timers and sockets are left.
 * SIGINT, SIGTERM and SIGHUP interrupt it; a second one exits at once.
 *
 * What it logs goes to stderr. The exit code is the process's own (0 unless `process.exitCode` was set) when it ended, and 0 when the reader of stdout
 * has gone; 1 when it failed or stdout could not be written to, with the error on stderr; and 128 and the signal's number when a signal has interrupted it.
 *
 * A promise that is rejected and that nothing handles is a line on stderr. A program that has begun to serve, over any
 * wire, goes on; any other ends with 1. Another listener to `unhandledRejection` decides for itself. An exception outside
 * of any effect ends the process, as it does without `runMain`.
 */
export const runMain = <E>(effect: Effect.Effect<void, E>): void => {
  let signal: number | undefined
  let fault: Error | undefined
  // a fiber that waits does not keep a process alive
  const alive = setInterval(() => {}, 2 ** 30)

  const codeOf = (exit: Exit.Exit<void, E>): number => {
    if (Exit.isSuccess(exit)) return Number(process.exitCode ?? 0)
    if (signal !== undefined && Cause.hasInterruptsOnly(exit.cause)) return 128 + signal
    const closed = closedOf(exit.cause)
    if (seen.lost && (closed !== undefined || Cause.hasInterruptsOnly(exit.cause))) {
      const wrong = fault ?? faultOf(closed?.cause)
      if (wrong === undefined) return 0
      process.stderr.write(`stdout cannot be written to: ${String(wrong)}\n`)
      return 1
    }
    process.stderr.write(`${describe(exit.cause)}\n`)
    return 1
  }
  for (const [name, number] of signals) {
    process.on(name, () => {
      if (signal !== undefined) process.exit(128 + number)
      signal = number
      fiber.interruptUnsafe()
    })
  }
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error) => {
    if (!seen.lost) fault = faultOf(error)
    seen.lost = true
    // a server ends by itself; anything else would go on speaking to nobody
    if (!seen.served) fiber.interruptUnsafe()
  })
  process.on("unhandledRejection", (reason) => {
    // whoever else listens decides
    if (process.listenerCount("unhandledRejection") > 1) return
    process.stderr.write(`A promise was rejected, and nothing handles that: ${describe(Cause.die(reason))}\n`)
    // one call's forgotten promise is no reason to end the others; a program that serves nobody ends as ever
    if (!Serving.hasBegun()) leave(1)
  })
  // after the listeners: it runs until it first waits
  const fiber = Effect.runFork(toStderr(effect))
  fiber.addObserver((exit) => {
    clearInterval(alive)
    leave(codeOf(exit))
  })
}
