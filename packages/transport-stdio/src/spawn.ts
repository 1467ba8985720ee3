import { type Connection, limits, Peer, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Command } from "./command.ts"
import { wire } from "./wire.ts"

export type { Command } from "./command.ts"

/** Loaded when first used: a server's first answer does not wait for what starts processes. */
const processes = Effect.promise(() => Promise.all([import("./child.ts"), import("./ending.ts")]))

/**
 * Starts a server as a child process, and reaches it over its standard streams. The scope is the life of the process:
 * nothing starts before the effect runs, and running it again starts another.
 *
 * It fails with `Unreachable` when the program cannot start. A child that exits, or closes its output, fails every
 * exchange with `Closed`, which holds its exit and the last of its standard error. Closing the scope closes the child's
 * input, waits, asks it to leave with SIGTERM, waits, and kills it: with all of its process group, which is all that it
 * has started but for what has made a group of its own.
 *
 * ```ts
 * import { spawn } from "@effective-mcp/transport-stdio"
 *
 * const connection = spawn({ command: "node", args: ["server.js"] })
 * ```
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export const spawn = Effect.fnUntraced(function* (
  command: Command
): Effect.fn.Return<Connection, TransportError, Scope.Scope> {
  const { graceMs = limits.graceMs } = command
  const [{ start }, { end, endGroup }] = yield* processes
  const { child, duplex, fail, watch } = yield* Effect.acquireRelease(
    Effect.map(start(command), (child) => ({ child, ...wire(child, command) })),
    ({ child, close }) => Effect.andThen(Effect.sync(close), end(child, graceMs))
  )
  yield* watch.pipe(
    Effect.map(fail),
    // nobody can be reached any more: what the first process has left behind ends with it
    Effect.andThen(Effect.suspend(() => (child.exit() === undefined ? Effect.void : endGroup(child, graceMs)))),
    Effect.forkScoped({ startImmediately: true })
  )
  return yield* Peer.make(duplex, command)
})
