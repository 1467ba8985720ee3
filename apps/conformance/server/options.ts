import type { Era } from "@effective-mcp/server"
import { EventStore, type HttpRequest, type Options as HttpOptions } from "@effective-mcp/transport-http/server"
import type { Options as SseOptions } from "@effective-mcp/transport-sse/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Count = Schema.optionalKey(Schema.Finite)
const Flag = Schema.optionalKey(Schema.Boolean)
const Texts = Schema.optionalKey(Schema.Array(Schema.String))

/** What `FIXTURE_OPTIONS` may hold, as JSON: what is left out is as the library has it. Times are in ms. */
const Options = Schema.Struct({
  maxSessions: Count,
  sessionIdleMs: Count,
  reaperMs: Count,
  maxRequestBytes: Count,
  maxDepth: Count,
  maxListen: Count,
  keepAliveMs: Count,
  stateless: Flag,
  jsonResponse: Flag,
  /** False: changes are neither published nor listened to. */
  listen: Flag,
  allowedHosts: Texts,
  allowedOrigins: Texts,
  eras: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(["modern", "legacy"]))),
  /** True: a session belongs to the bearer token that opened it. */
  owner: Flag
})

export type Options = typeof Options.Type

const decode = Schema.decodeUnknownSync(Options, { onExcessProperty: "error" })

/** The options of this process. What does not fit them throws, and so does a name that is none of theirs. */
export const read = (text = process.env.FIXTURE_OPTIONS ?? "{}"): Options => {
  try {
    return decode(JSON.parse(text))
  } catch (cause) {
    throw new Error(`FIXTURE_OPTIONS cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause
    })
  }
}

/** The era that a server is asked to speak; both when nothing is said. */
export const erasOf = ({ eras = ["modern", "legacy"] }: Options): readonly [Era, ...ReadonlyArray<Era>] => eras

export const speaksLegacy = (options: Options): boolean => erasOf(options).includes("legacy")

export const frameLimits = ({ maxDepth, maxRequestBytes }: Options) => ({
  messageBytes: maxRequestBytes,
  depth: maxDepth
})

/** Who sends a request, by its bearer token. A server for more than tests verifies the token first. */
export const bearerOf = (request: HttpRequest): string | undefined =>
  /^Bearer ([\w.~+/-]+=*)$/i.exec(request.header("authorization") ?? "")?.[1]

/** What both wires over HTTP are served with. */
const sharedOptions = (options: Options) => {
  const { allowedHosts, allowedOrigins, keepAliveMs } = options
  return { ...frameLimits(options), keepAliveMs, guard: { hosts: allowedHosts, origins: allowedOrigins } }
}

const sessionOptions = ({ maxSessions, owner, reaperMs, sessionIdleMs }: Options) => ({
  most: maxSessions,
  idleMs: sessionIdleMs,
  reaperMs,
  owner: owner === true ? (request: HttpRequest) => Effect.sync(() => bearerOf(request)) : undefined
})

export const httpOptions = (options: Options): HttpOptions => ({
  ...sharedOptions(options),
  listens: options.maxListen,
  json: options.jsonResponse,
  sessions: options.stateless === true ? false : { ...sessionOptions(options), events: EventStore.memory() }
})

/** A stream of HTTP+SSE is a session, whatever is served beside it. */
export const sseOptions = (options: Options): SseOptions => ({
  ...sharedOptions(options),
  sessions: sessionOptions(options)
})
