import {
  type Connection,
  type DiscoverResult,
  type Era,
  type Implementation,
  limits,
  type TransportError
} from "@effective-mcp/protocol"
import { requireCounts } from "@effective-mcp/protocol/Limits"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Answer } from "./Answers.ts"
import { type Cache, type CacheOptions, make as makeCache } from "./Cache.ts"
import type { ConnectError } from "./ClientError.ts"
import { type Extensions, extensionsOf } from "./extensions.ts"
import * as Kept from "./era/Kept.ts"
import { discover as ask, type Mode, negotiate, type Profile } from "./era/Negotiate.ts"
import { pinOf } from "./era/pinOf.ts"
import { hostOf } from "./Host.ts"
import * as Hub from "./Hub.ts"
import { around, forgetting, requireLayers, sourceOf, within } from "./layers.ts"
import { make as makeLife } from "./Life.ts"
import { type Metadata, withOwn } from "./Metadata.ts"
import type { Middleware } from "./Middleware.ts"
import { passing, persist } from "./persist.ts"
import { recovering, watching } from "./Recovery.ts"
import type { RetryOptions } from "./Retry.ts"
import type { Session } from "./Session.ts"
import type { State } from "./State.ts"
import { toMillis } from "./times.ts"

/**
 * A server that we are connected to: what features such as `Tools` work on. What it says of the server is that of the
 * session that is spoken, or was the last.
 */
export interface Client extends Session {
  /** Whether there is a session. A server that has gone without a word is only missed when it is asked something. */
  readonly connected: boolean
  /** Begins a session where there is none; else it does nothing, and sends nothing. */
  readonly connect: Effect.Effect<void, ConnectError>
  /** Ends the session, if there is one, and begins another on a connection of its own. Those who do so at once share it. */
  readonly reconnect: Effect.Effect<void, ConnectError>
  /** The results that are kept: what is known of them, and how to forget them. */
  readonly cache: Pick<Cache, "info" | "invalidate">
  /**
   * The session that is spoken now: what is sent on it reaches no later one, and fails once it is over. Around its
   * requests are the client's `retry` and spans alone; nothing of them is kept, and no `meta` or `middleware` applies.
   */
  readonly session: Session
  /** Ends the session: requests fail from now on, and nothing of them is sent, until a session is begun again. */
  readonly close: Effect.Effect<void>
}

/** How a session that was lost is begun anew. */
export interface Recover {
  /** How often that is tried. Default 5. */
  readonly attempts?: number | undefined
  /** How long all of it may take. Default 30 s. */
  readonly totalTimeout?: Duration.Input | undefined
  /** How long a server on a pipe is up at the least before it is started again unasked. Default 5 s. */
  readonly uptime?: Duration.Input | undefined
}

export interface Options<out RM = never> {
  /**
   * What the server may ask, each with what answers it: `Answers.form(…)` and the like. What is in here is declared to the
   * server, and no other kind of question is. Two answers to one kind of question throw.
   */
  readonly answers?: ReadonlyArray<Answer> | undefined
  /**
   * The extensions that the program has, by their ids, each with its settings, `{}` for none: they are declared to the server
   * as well, from 2025-11-25 on. An id that is none, settings that are no object, and an extension that has servers answer with
   * types of results that this client does not have (tasks) throw.
   */
  readonly extensions?: Extensions | undefined
  /**
   * Which eras may be spoken. Default `"auto"`: modern where the server can, else legacy; `"modern"` never falls back,
   * `"legacy"` never asks.
   */
  readonly era?: Mode | undefined
  /** The one revision to speak, such as `"2025-06-18"`: no other is offered or accepted. Default whatever both know best. */
  readonly revision?: string | undefined
  /** How long the question for a server's era waits; `Infinity` is no bound, as below. Default 5 s. */
  readonly probeTimeout?: Duration.Input | undefined
  /**
   * How long a request waits for its response; each report of progress starts it anew. A session waits as long for its
   * wire to open. Default 30 s.
   */
  readonly timeout?: Duration.Input | undefined
  /** How long a request waits in all. Default 10 min. */
  readonly totalTimeout?: Duration.Input | undefined
  /** How a session that was lost is begun anew when something is asked of it; `false`: requests fail. */
  readonly recover?: Recover | false | undefined
  /**
   * Hears whether there is a session, whenever that changes, from the first attempt on. It is called in the turn in which
   * that happens, and does not wait; what it throws goes to the log.
   */
  readonly onState?: ((state: State) => void) | undefined
  /** How often a call that is answered with questions is made again. Default 10. */
  readonly maxRounds?: number | undefined
  /** How a request that failed on the wire is sent again, where that can do no harm; `false`: it fails. */
  readonly retry?: RetryOptions | false | undefined
  /** How results are kept for as long as the server says that they stay fresh; `false`: not at all. */
  readonly cache?: CacheOptions | false | undefined
  /** What every request says in its `_meta`: a value, or an effect that is run once an operation. */
  readonly meta?: Metadata | undefined
  /**
   * Whether each request to a modern server says who we are; the handshake with a legacy one has to. Default true.
   */
  readonly identify?: boolean | undefined
  /** Whether the log is told, once a process, of each deprecated feature that is used. Default true. */
  readonly notices?: boolean | undefined
  /** What goes on around every operation, the first outermost. */
  readonly middleware?: ReadonlyArray<Middleware<RM>> | undefined
}

const profileOf = (
  info: Implementation,
  {
    answers = [],
    era = "auto",
    extensions,
    maxRounds = limits.inputRounds,
    identify = true,
    notices = true,
    probeTimeout = limits.probeMs,
    revision,
    timeout = limits.requestMs,
    totalTimeout = limits.requestTotalMs
  }: Options<unknown>,
  onFault?: (cause: unknown) => void
): Profile => {
  const host = hostOf(answers)
  requireCounts({ maxRounds })
  return {
    info,
    identify,
    notices,
    capabilities: { ...host.answers.capabilities, ...extensionsOf(extensions) },
    host,
    hub: Hub.make(onFault),
    kept: Kept.make(),
    ids: { last: 0 },
    ...pinOf(era, revision),
    probe: toMillis("probeTimeout", probeTimeout),
    maxRounds,
    timeouts: { timeout: toMillis("timeout", timeout), totalTimeout: toMillis("totalTimeout", totalTimeout) }
  }
}

const connecting = { attempts: limits.connectAttempts, totalMs: limits.recoverMs }

const recoveryOf = (recover: Recover | false) => {
  const { attempts = limits.recoverAttempts, totalTimeout = limits.recoverMs, uptime = limits.uptimeMs } = recover || {}
  if (!Number.isSafeInteger(attempts) || attempts < 1) throw new Error(`attempts is not a count: ${attempts}`)
  return {
    recovery: { attempts, totalMs: toMillis("totalTimeout", totalTimeout) },
    uptimeMs: toMillis("uptime", uptime)
  }
}

/** A listener of the program's own, which can do no harm. */
const telling =
  (hear: Options["onState"], run: (effect: Effect.Effect<void>) => void) =>
  (state: State): void => {
    try {
      hear?.(state)
    } catch (cause) {
      run(Effect.logError("onState failed", cause))
    }
  }

/** Over HTTP a failure may pass; what cannot be started on a pipe will not start. */
const watchWire = <R>(transport: Effect.Effect<Connection, TransportError, R>) => {
  let last: Connection | undefined
  const seen = Effect.map(transport, (connection) => {
    last = connection
    return connection
  })
  const caller = Effect.suspend(() => last?.caller ?? Effect.succeed("")).pipe(Effect.orElseSucceed(() => undefined))
  return { seen, caller, mayPass: () => last?.wire === "http" }
}

/**
 * Connects to a server and comes to terms with it. The scope is the client's life; on failure nothing is left. What
 * means nothing in `options` throws.
 *
 * @param transport how to reach it; run again if the server dies of the first question, and for each further session
 * @param info who we say we are; see `identify`
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export const connect = <R, RM = never>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  info: Implementation,
  options: Options<RM> = {}
): Effect.Effect<Client, ConnectError, R | RM | Scope.Scope> => {
  profileOf(info, options)
  requireLayers(options)
  const { recover = {} } = options
  const bounds = recoveryOf(recover)
  return Effect.gen(function* () {
    const context = yield* Effect.context<RM>()
    const run = Effect.runForkWith(context)
    const profile = profileOf(info, options, (cause) => run(Effect.logError("a listener failed", cause)))
    const { hub } = profile
    // a legacy server may ask on its own stream alone
    if (options.answers !== undefined && options.answers.length > 0) hub.want()
    const { caller, mayPass, seen } = watchWire(transport)
    const cache = makeCache(
      sourceOf(() => life.live().session, caller),
      options.cache || {}
    )
    const totalMs = Duration.toMillis(profile.timeouts.totalTimeout)
    const dress = within(options, totalMs)
    const forgettingMissed = forgetting(cache, hub, run)
    yield* Effect.addFinalizer(() => Effect.sync(hub.end))
    const life = yield* makeLife(
      (known: Era | undefined) =>
        Effect.flatMap(negotiate(seen, profile, known), (negotiated) =>
          Effect.as(cache.renewed, { ...negotiated, session: dress(negotiated.session) })
        ),
      {
        ...bounds,
        mayPass,
        patience: connecting,
        tell: telling(options.onState, run)
      }
    )
    const isOn = recover !== false
    const client: Client = {
      get era() {
        return life.live().session.era
      },
      get revision() {
        return life.live().session.revision
      },
      get server() {
        const { identity, server } = life.live().session
        return identity === undefined ? server : identity()
      },
      get capabilities() {
        return life.live().session.capabilities
      },
      get instructions() {
        return life.live().session.instructions
      },
      get connected() {
        return life.isConnected()
      },
      get session() {
        return life.live().session
      },
      cache: {
        invalidate: cache.invalidate,
        info: (kind, uri, meta) => Effect.flatMap(withOwn(options.meta, meta), (all) => cache.info(kind, uri, all))
      },
      hub,
      request: around(recovering(life, isOn, totalMs), cache, options, context),
      watch: forgettingMissed(watching(life, isOn)),
      ping: (pinging) => life.live().session.ping(pinging),
      answer: (question) => life.live().session.answer(question),
      connect: life.connect,
      reconnect: life.reconnect,
      close: life.close
    }
    return client
  })
}

/**
 * Asks a modern server what it is, without a client: its versions, capabilities and instructions, and how long that
 * holds for whom. The connection is closed again.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
export const discover = <R>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  info: Implementation,
  options: Pick<Options, "identify" | "revision" | "probeTimeout"> = {}
): Effect.Effect<DiscoverResult, ConnectError, Exclude<R, Scope.Scope>> => {
  const profile = profileOf(info, { ...options, era: "modern" })
  return Effect.suspend(() => {
    const { mayPass, seen } = watchWire(transport)
    return persist(Effect.scoped(ask(seen, profile)), connecting, (error) => (mayPass() ? passing(error) : undefined))
  })
}

export { guarded } from "./Guard.ts"

/** A client as a service, for programs that have one. */
export class Current extends Context.Service<Current, Client>()("@effective-mcp/client/Client") {}

/** Provides `Current`: connects when it is built, and closes with its scope. */
export const layer = <R, RM = never>(
  transport: Effect.Effect<Connection, TransportError, R | Scope.Scope>,
  info: Implementation,
  options: Options<RM> = {}
): Layer.Layer<Current, ConnectError, Exclude<R | RM, Scope.Scope>> =>
  Layer.effect(Current, connect(transport, info, options))
