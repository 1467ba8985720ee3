import type { Headers } from "@effective-mcp/http/client"
import { type Command, type ProcessState, spawn, supervise, type Supervised } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ServerOptions } from "./ConnectOptions.ts"
import type { ProgramPlace } from "./config/Server.ts"
import { type Kind, type Transport, transportOf } from "./transportOf.ts"

type HttpOptions = Pick<ServerOptions, "headers" | "apiKey" | "interceptors" | "http" | "limits" | "client">

/** Headers with others laid over them; a name is one name however it is spelled. */
const over = (below: Headers, above: Headers): Headers => {
  const names = new Set(Object.keys(above).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(below).filter(([name]) => !names.has(name.toLowerCase()))), ...above }
}

/** All headers of a server: those of its entry, those of the options, and the key, which is one of them whatever speaks there. */
export const headersOf = ({ apiKey, headers = {} }: HttpOptions, ofEntry: Headers = {}): HttpOptions["headers"] => {
  const key: Headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const all = (given: Headers): Headers => over(over(ofEntry, given), key)
  return Effect.isEffect(headers) ? Effect.map(headers, all) : all(headers)
}

/** Reaches an address over the wire that is spoken there, with headers that have the key in them. */
export const overHttp = (kind: Kind, url: string, options: Omit<HttpOptions, "apiKey">): Transport => {
  const { client: { notices } = {}, headers, http: client, interceptors, limits } = options
  return transportOf(kind, url, { ...limits, headers, interceptors, client, notices })
}

/** Tells somebody of each state; what they throw of one keeps them from no other. */
const follow = (states: Supervised["states"], tell: (state: ProcessState) => void) =>
  states.pipe(
    Stream.runForEach((state) =>
      Effect.catchCause(
        Effect.sync(() => tell(state)),
        (cause) => Effect.logError("onProcess failed", cause)
      )
    ),
    Effect.forkScoped({ startImmediately: true })
  )

type ProgramOptions = Pick<ServerOptions, "extendEnv" | "limits" | "restart" | "stderr" | "supervise">

/** How a program is reached; one that is supervised is so for as long as the scope lasts. */
export const ofProgram = (
  { args, command, cwd, env }: ProgramPlace,
  { extendEnv, limits, restart, stderr, supervise: given }: ProgramOptions
): Effect.Effect<Transport, never, Scope.Scope> => {
  const program: Command = { command, args, cwd, env, extendEnv, stderr, ...limits }
  if (restart === undefined && given === undefined) return Effect.succeed(spawn(program))
  const { onProcess, ...options } = given ?? {}
  return Effect.tap(supervise(program, { ...options, restart }), ({ states }) =>
    onProcess === undefined ? Effect.void : follow(states, onProcess)
  ).pipe(Effect.map(({ transport }) => transport))
}
