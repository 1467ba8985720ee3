import { Client, type ConnectError, type State } from "@effective-mcp/client"
import {
  type Config,
  connect as connectTarget,
  type ConnectTargetError,
  type DetectError
} from "@effective-mcp/detector"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { answersOf } from "./answers.ts"
import { rememberAll } from "./children.ts"
import { framesOf, type Options } from "./options.ts"
import { event, toError } from "./output.ts"
import { restartOf, stderr, superviseOptions } from "./programs.ts"
import type { Reached } from "./Reached.ts"
import { reaching } from "./reaching.ts"
import type { Script } from "./script.ts"

const info = { name: "effective-mcp-driver", version: "1.0.0" }

/** `true` is as the library has it. */
const retryOf = (retry: NonNullable<Options["retry"]>): Client.Options["retry"] => {
  if (typeof retry === "boolean") return retry ? undefined : false
  if (typeof retry === "number") return { attempts: retry }
  const { attempts, delayMs, mayRepeat, totalMs } = retry
  return { attempts, delay: delayMs, total: totalMs, mayRepeat: mayRepeat && ((tool) => mayRepeat.includes(tool)) }
}

const recoverOf = (recover: NonNullable<Options["recover"]>): Client.Options["recover"] => {
  if (typeof recover === "boolean") return recover ? undefined : false
  const { attempts, totalMs, uptimeMs } = recover
  return { attempts, totalTimeout: totalMs, uptime: uptimeMs }
}

const cacheOf = (cache: NonNullable<Options["cache"]>): Client.Options["cache"] => {
  if (typeof cache === "boolean") return cache ? undefined : false
  return { staleIfError: cache.staleIfErrorMs }
}

/** What the client is told of a script's options. */
const clientOptions = ({ answers = {}, options = {} }: Script) => {
  const { cache = true, recover = true, retry = true } = options
  return {
    answers: answersOf(answers),
    probeTimeout: options.probeMs,
    timeout: options.requestTimeoutMs,
    totalTimeout: options.totalTimeoutMs,
    maxRounds: options.rounds,
    meta: options.meta,
    cache: cacheOf(cache),
    retry: retryOf(retry),
    recover: recoverOf(recover)
  }
}

/** Tells of a session; `server` is what a configuration calls it. */
const tellState =
  (server?: string) =>
  (state: State): void => {
    const { _tag, ...detail } = state
    if (_tag === "Connected") rememberAll()
    const error = "error" in detail ? { error: toError(detail.error) } : undefined
    event("state", { of: "session", server, state: _tag, ...detail, ...error })
  }

/** The servers of a configuration, which may be given without its outermost member. */
const configOf = (given: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } =>
  Object.hasOwn(given, "mcpServers") || Object.hasOwn(given, "servers") ? given : { mcpServers: given }

const isOff = (entry: unknown): boolean =>
  typeof entry === "object" && entry !== null && "disabled" in entry && entry.disabled === true

/** What its servers are called, but for those that are left out. */
const namesIn = (config: { readonly [name: string]: unknown }): ReadonlyArray<string> =>
  Object.entries(config.mcpServers ?? config.servers ?? {}).flatMap(([name, entry]) => (isOff(entry) ? [] : [name]))

const configured = (script: Script, given: { readonly [name: string]: unknown }): Connecting => {
  const { era, options = {}, revision } = script
  const config = configOf(given)
  const own = namesIn(config).map((name) => [
    name,
    {
      client: { ...clientOptions(script), onState: tellState(name) },
      supervise: superviseOptions(options, name)
    }
  ])
  // cast: whether it is one, the detector says
  const connected = connectTarget(config as unknown as Config, {
    info,
    era,
    revision,
    headers: options.headers,
    apiKey: options.apiKey,
    limits: framesOf(options),
    restart: restartOf(options.restart),
    stderr,
    client: clientOptions(script),
    servers: Object.fromEntries(own)
  })
  return Effect.map(connected, (client) => ({ client }))
}

/** In a scope of its own, so that of an attempt that has failed nothing is left. */
const owned = <A, E>(attempt: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return yield* attempt.pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
    )
  })

/** A client, and how it was found out what it speaks with. */
export interface Connected extends Pick<Reached, "detected"> {
  readonly client: Client.Client
}

type Connecting = Effect.Effect<Connected, ConnectError | ConnectTargetError | DetectError, Scope.Scope>

/** Connects the client of a script; options that mean nothing throw. */
export const connecting = (script: Script): Connecting => {
  const { era, revision, target } = script
  if ("config" in target) return configured(script, target.config)
  const options = { ...clientOptions(script), era, revision, onState: tellState() }
  Client.connect(Effect.never, info, options)
  return Effect.flatMap(reaching(script, target), ({ detected, transport }) =>
    Effect.map(owned(Client.connect(transport, info, options)), (client) => ({ client, detected }))
  )
}
