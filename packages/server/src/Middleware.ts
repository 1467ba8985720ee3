import type { JsonRpc, Method, Methods, RpcError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { AskError } from "./AskError.ts"
import type { Call, CallService } from "./Call.ts"

interface Common {
  /** What the handler knows of the request, and may do to its caller. */
  readonly call: CallService
}

/** A method of the protocol, with its params in neutral terms. */
type OfMethod = {
  readonly [M in Method]: Common & {
    readonly extension?: undefined
    readonly method: M
    readonly params: Methods[M]["params"]
  }
}[Method]

/** A method of an extension, which is named by its id; its params are not checked yet. */
interface OfExtension extends Common {
  readonly extension: string
  readonly method: string
  readonly params: JsonRpc.JsonObject
}

/** What a client asks a server to do. */
export type Operation = OfMethod | OfExtension

/**
 * What goes on around every operation of a server: it may look at it, wait, go on with `next` or fail instead. The first
 * of several is the outermost. An `RpcError` is the caller's answer, as it stands. It may ask, too,
 * where the method can: what comes before `next` then has the handler's rule, and runs once a round.
 *
 * `initialize`, `ping` and `server/discover` are the protocol's own, and have none around them.
 *
 * ```ts
 * import type { Middleware } from "@effective-mcp/server"
 * import { Effect } from "effect"
 *
 * export const timed: Middleware = ({ method }, next) =>
 *   Effect.flatMap(Effect.timed(next), ([spent, result]) => Effect.as(Effect.logDebug(method, spent), result))
 * ```
 */
export type Middleware<RM = never> = <A, E, R>(
  operation: Operation,
  next: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | RpcError | AskError, R | RM | Call>

/** An operation with all of its middleware around it. */
export const around = <A, E, R, RM>(
  middleware: ReadonlyArray<Middleware<RM>>,
  operation: Operation,
  innermost: Effect.Effect<A, E, R>
): Effect.Effect<A, E | RpcError | AskError, R | RM | Call> =>
  middleware.reduceRight<Effect.Effect<A, E | RpcError | AskError, R | RM | Call>>(
    (next, one) => one(operation, next),
    innermost
  )
