import type { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import type { Child } from "./child.ts"
import { isWindows } from "./group.ts"

/** How long the system may take to end a process that was killed, in ms. */
const KILL_MS = 1_000
/** Between two looks at a group whose first process has left, in ms: the first, and the longest. */
const LOOK_MS = 5
const LOOKS_MS = 100

/** Completes when no member is left. */
const gone = ({ exited, group }: Child): Effect.Effect<void> => {
  const look = (ms: number): Effect.Effect<void> =>
    Effect.suspend(() =>
      group.isLiving() ? Effect.andThen(Effect.sleep(ms), look(Math.min(2 * ms, LOOKS_MS))) : Effect.void
    )
  return Effect.andThen(exited, look(LOOK_MS))
}

/** Asks all that is left to leave, waits for `graceMs`, then kills. Windows has nothing to ask with. */
export const endGroup = (child: Child, graceMs: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!child.group.isLiving()) return Effect.void
    if (!isWindows) child.group.signal("SIGTERM")
    return Effect.flatMap(Effect.timeoutOption(gone(child), isWindows ? 0 : graceMs), () => {
      if (!child.group.isLiving()) return Effect.void
      child.group.signal("SIGKILL")
      return Effect.asVoid(Effect.timeoutOption(gone(child), KILL_MS))
    })
  })

/** How long what a process has said may take to be read once it is gone, in ms. */
const LAST_WORDS_MS = 250

/** Lets pass what it still says, which must not keep it from leaving; at a pace, since it may say a lot. */
const drain = (output: Readable): void => {
  output.on("data", () => {
    output.pause()
    setTimeout(() => output.resume(), 1)
  })
  output.resume()
}

/**
 * Ends a process in the order that the specification gives: its input is closed, and it has `graceMs` to leave; TERM,
 * and as long again; KILL. The last two go to all of its group that is still there.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
 */
export const end = (child: Child, graceMs: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    child.stdin.end()
    drain(child.stdout)
    return Effect.timeoutOption(child.exited, graceMs)
  }).pipe(
    Effect.andThen(endGroup(child, graceMs)),
    // its last words may still be on their way; somebody else may hold its streams for ever
    Effect.andThen(Effect.timeoutOption(child.over, LAST_WORDS_MS)),
    Effect.andThen(Effect.sync(child.release))
  )
