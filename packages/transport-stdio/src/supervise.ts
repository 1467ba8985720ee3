import type { Connection, TransportError } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Command } from "./command.ts"
import type { Crash, ProcessState } from "./ProcessState.ts"
import type { Restart } from "./Restart.ts"

export interface SuperviseOptions {
  /** Default `Restart.lazy`. */
  readonly restart?: Restart | undefined
  /** How often it is looked whether the process is there; nothing is sent to it. `Infinity` is never. Default 15 s. */
  readonly healthCheck?: Duration.Input | undefined
  /** With `Restart.eager`: a restart has failed when its process is lost sooner than this. Default 5 s. */
  readonly uptime?: Duration.Input | undefined
  /**
   * Hears of each crash before the connection fails, for 250 ms at the most; what takes longer goes on beside it. What it
   * dies of goes to the log.
   */
  readonly onCrash?: ((crash: Crash) => Effect.Effect<void>) | undefined
}

/** A program that is kept running, one process after the other and never two at once. */
export interface Supervised {
  /**
   * A connection to the process, which is started where there is none; it ends with the last scope that has it. Whoever runs
   * it meanwhile gets the same connection, so that two clients would mix up their ids.
   */
  readonly transport: Effect.Effect<Connection, TransportError, Scope.Scope>
  readonly state: Effect.Effect<ProcessState>
  /** The state, and each that follows, until the supervisor ends. A reader that is 64 of them behind loses the oldest. */
  readonly states: Stream.Stream<ProcessState>
}

/** A mistake of the author: it throws. */
const requireLength = (name: string, input: Duration.Input, leastMs: number): void => {
  const ms = Option.match(Duration.fromInput(input), { onNone: () => Number.NaN, onSome: Duration.toMillis })
  if (!(ms >= leastMs)) throw new Error(`${name} is not a length of time of at least ${leastMs} ms`)
}

/** Loaded when first used, as what starts processes. */
const supervisor = Effect.promise(() => import("./supervisor.ts"))

/**
 * Keeps a program running as a server on stdio. Nothing starts before `transport` is run, and nothing survives the scope.
 *
 * A process that is lost (it exits, its streams fail, or it is found dead) is a crash: `onCrash` is told, then the connection
 * fails, as that of `spawn` does, then it is replaced as `restart` says, once all that it has left is gone. A process
 * that the program itself lets go of is no crash. What means nothing in `options` throws.
 *
 * ```ts
 * import { Restart, supervise } from "@effective-mcp/transport-stdio"
 *
 * const supervised = supervise({ command: "node", args: ["server.js"] }, { restart: Restart.eager(3) })
 * ```
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#unexpected-termination
 */
export const supervise = (
  command: Command,
  options: SuperviseOptions = {}
): Effect.Effect<Supervised, never, Scope.Scope> => {
  if (options.healthCheck !== undefined) requireLength("healthCheck", options.healthCheck, 1)
  if (options.uptime !== undefined) requireLength("uptime", options.uptime, 0)
  return Effect.flatMap(supervisor, ({ make }) => make(command, options))
}
