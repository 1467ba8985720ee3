import type { JsonRpc, Methods as Own } from "@effective-mcp/protocol"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallError } from "./ClientError.ts"
import type { ExtensionParams, Method, Methods } from "./Methods.ts"
import type { Layer } from "./Send.ts"
import type { RequestOptions } from "./Session.ts"

/** A method of the protocol, with its params in neutral terms. */
type OfMethod = {
  readonly [M in keyof Own]: {
    readonly extension?: undefined
    readonly method: M
    readonly params: Own[M]["params"]
    readonly options: RequestOptions
  }
}[keyof Own]

/** A method of an extension, which is named by its id. */
interface OfExtension {
  readonly extension: string
  readonly method: string
  readonly params: JsonRpc.JsonObject
  readonly options: RequestOptions
}

/** What a client asks its server. */
export type Operation = OfMethod | OfExtension

const operationOf = <M extends Method>(method: M, params: Methods[M]["params"], options: RequestOptions): Operation =>
  method === "extension/call"
    ? { ...(params as ExtensionParams), options } // cast: its own
    : ({ method, params, options } as OfMethod) // cast: the params are those of the method

/**
 * What goes on around every operation of a client: it may look at it, wait, go on with `next` or fail instead. The first
 * of several is the outermost; each runs once an operation, however often that is sent and wherever its answer comes from.
 *
 * The handshake, `ping` and what keeps a session alive are the protocol's own, and have none around them.
 *
 * ```ts
 * import type { Middleware } from "@effective-mcp/client"
 * import { Effect } from "effect"
 *
 * export const timed: Middleware = ({ method }, next) =>
 *   Effect.flatMap(Effect.timed(next), ([spent, result]) => Effect.as(Effect.logDebug(method, spent), result))
 * ```
 */
export type Middleware<RM = never> = <A, E, R>(
  operation: Operation,
  next: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | CallError, R | RM>

/** Puts `middleware` around every operation; `context` has the services that it needs. */
export const layer =
  <RM>(middleware: ReadonlyArray<Middleware<RM>>, context: Context.Context<RM>): Layer =>
  (next) =>
  <M extends Method>(method: M, params: Methods[M]["params"], options: RequestOptions = {}) => {
    const operation = operationOf(method, params, options)
    const around = middleware.reduceRight<Effect.Effect<Methods[M]["result"], CallError, RM>>(
      (inner, one) => one(operation, inner),
      next(method, params, options)
    )
    return Effect.provideContext(around, context)
  }
