import type { Connection, Implementation, TransportError } from "@effective-mcp/protocol"
import { limits } from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Answer } from "./Answers.ts"
import type { ConnectError } from "./ClientError.ts"
import { type Mode, negotiate } from "./era/Negotiate.ts"
import { hostOf } from "./Host.ts"
import type { Session } from "./Session.ts"
import { toMillis } from "./times.ts"

/** A server that we are connected to: what features such as `Tools` work on. */
export interface Client extends Session {}

export interface Options {
  /**
   * What the server may ask, each with what answers it: `Answers.form(…)` and the like. What is in here is declared to the
   * server, and nothing else is. Two answers to one kind of question throw.
   */
  readonly answers?: ReadonlyArray<Answer> | undefined
  /**
   * Which eras may be spoken. Default `"auto"`: modern where the server can, else legacy; `"modern"` never falls back,
   * `"legacy"` never asks.
   */
  readonly era?: Mode | undefined
  /** How long the question for a server's era waits; `Infinity` is no bound, as below. Default 5 s. */
  readonly probeTimeout?: Duration.Input | undefined
  /** How long a request waits for its response; each report of progress starts it anew. Default 30 s. */
  readonly timeout?: Duration.Input | undefined
  /** How long a request waits in all. Default 10 min. */
  readonly totalTimeout?: Duration.Input | undefined
}

/**
 * Connects to a server and comes to terms with it. The scope is the connection's life; on failure nothing is left.
 * A time in `options` that is none throws.
 *
 * @param transport how to reach it; run again if the server dies of the first question
 * @param info who we say we are, to every server
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export const connect = <R>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  info: Implementation,
  {
    answers = [],
    era = "auto",
    probeTimeout = limits.probeMs,
    timeout = limits.requestMs,
    totalTimeout = limits.requestTotalMs
  }: Options = {}
): Effect.Effect<Client, ConnectError, R | Scope.Scope> => {
  const host = hostOf(answers)
  return negotiate(transport, {
    info,
    capabilities: host.answers.capabilities,
    host,
    mode: era,
    probe: toMillis("probeTimeout", probeTimeout),
    timeouts: { timeout: toMillis("timeout", timeout), totalTimeout: toMillis("totalTimeout", totalTimeout) }
  })
}

/** A client as a service, for programs that have one. */
export class Current extends Context.Service<Current, Client>()("@effective-mcp/client/Client") {}

/** Provides `Current`: connects when it is built, and closes with its scope. */
export const layer = <R>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  info: Implementation,
  options: Options = {}
): Layer.Layer<Current, ConnectError, Exclude<R, Scope.Scope>> =>
  Layer.effect(Current, connect(transport, info, options))
