import process from "node:process"
import {
  type Crash,
  type ProcessState,
  Restart,
  supervise,
  type SuperviseOptions
} from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { remember } from "./children.ts"
import { framesOf, type Options } from "./options.ts"
import { event, toError } from "./output.ts"
import type { Transport } from "./Reached.ts"
import type { Target } from "./targets.ts"

/** What is told of a crash: no word of what the program said. */
const crashOf = ({ generation, pid, uptimeMs, ...crash }: Crash) => ({
  kind: crash._tag,
  ...(crash._tag === "Exited" ? { exit: crash.exit } : undefined),
  pid,
  generation,
  uptimeMs: Math.round(uptimeMs)
})

const detailOf = (state: ProcessState): object => {
  const { _tag, ...detail } = state
  if (state._tag !== "Gone") return detail
  const { reason } = state
  return {
    reason: reason._tag,
    ...(reason._tag === "Crashed" ? crashOf(reason.crash) : undefined),
    ...(reason._tag === "Failed" ? { error: toError(reason.error) } : undefined)
  }
}

/** Tells of each state, and once of one that follows upon itself. */
const telling = () => {
  let last = ""
  return (state: ProcessState): void => {
    if (state._tag === "Running") remember(state.pid)
    // before anyone has asked for it nothing has happened
    if (state._tag === "Gone" && state.reason._tag === "NotStarted") return
    const told = { of: "process", state: state._tag, ...detailOf(state) }
    const text = JSON.stringify(told)
    if (text !== last) event("state", told)
    last = text
  }
}

export const restartOf = (restart: Options["restart"]): Restart | undefined => {
  if (restart === undefined) return undefined
  return restart === "lazy" ? Restart.lazy : Restart.eager(restart.eager)
}

/** How a program is supervised; `server` is what a configuration calls it. */
export const superviseOptions = ({ healthCheckMs }: Options, server?: string): Omit<SuperviseOptions, "restart"> => ({
  healthCheck: healthCheckMs,
  onCrash: (crash) =>
    Effect.sync(() => {
      remember(crash.pid)
      event("state", { of: "process", server, state: "Crashed", ...crashOf(crash) })
    })
})

/** What a program says on its standard error is to be seen, on ours. */
export const stderr = (chunk: string): void => {
  process.stderr.write(chunk)
}

/** A program that is kept running until the scope ends: one, however often it is asked for. What becomes of it is told. */
export const supervising = (
  { command, cwd, env }: Extract<Target, { readonly command: unknown }>,
  options: Options
): Effect.Effect<Transport, never, Scope.Scope> => {
  const { graceMs, mailbox, mailboxBytes, restart, stderrBytes, unread } = options
  const [program, ...args] = command
  const bounds = { ...framesOf(options), graceMs, mailbox, mailboxBytes, stderrBytes, unread }
  const supervised = supervise(
    { command: program, args, env, cwd, stderr, ...bounds },
    { ...superviseOptions(options), restart: restartOf(restart) }
  )
  let made: Transport | undefined
  const first = Effect.gen(function* () {
    const readers: Array<Fiber.Fiber<void>> = []
    // after the program's own end, of which is told as well
    yield* Effect.addFinalizer(() => Fiber.awaitAll(readers))
    const { states, transport } = yield* supervised
    const tell = telling()
    const reading = Stream.runForEach(states, (state) => Effect.sync(() => tell(state)))
    readers.push(yield* Effect.forkDetach(reading, { startImmediately: true }))
    made = transport
    return transport
  })
  return Effect.suspend(() => (made === undefined ? first : Effect.succeed(made)))
}
