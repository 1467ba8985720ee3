import type { Connection, TransportError } from "@effective-mcp/protocol"
import { connect as streamable } from "@effective-mcp/transport-http/client"
import { connect as plain } from "@effective-mcp/transport-http/client/plain"
import { connect as sse } from "@effective-mcp/transport-sse/client"
import { type Command, spawn, supervise } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ServerOptions } from "./ConnectOptions.ts"
import type { ProgramPlace } from "./config/Server.ts"
import type { Kind } from "./transportOf.ts"

type Transport = Effect.Effect<Connection, TransportError, Scope.Scope>

type HttpOptions = Pick<ServerOptions, "headers" | "apiKey" | "interceptors" | "http" | "limits" | "client">

/** A key is a header among the others, whatever speaks there. */
export const headersOf = ({ apiKey, headers }: HttpOptions): HttpOptions["headers"] => {
  if (apiKey === undefined) return headers
  const own = { authorization: `Bearer ${apiKey}` }
  const without = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => name.toLowerCase() !== "authorization"))
  if (headers === undefined) return own
  return Effect.isEffect(headers)
    ? Effect.map(headers, (given) => ({ ...without(given), ...own }))
    : { ...without(headers), ...own }
}

/** Reaches an address over the wire that is spoken there. */
export const overHttp = (kind: Kind, url: string, options: HttpOptions): Transport => {
  const { http: client, interceptors, limits } = options
  const given = { ...limits, headers: headersOf(options), interceptors, client }
  switch (kind) {
    case "streamable-http":
      return streamable(url, given)
    case "sse":
      return sse(url, { ...given, notice: options.client?.notices })
    case "plain":
      return plain(url, given)
  }
}

/** How a program is reached; one that is supervised is so for as long as the scope lasts. */
export const ofProgram = (
  { args, command, cwd, env }: ProgramPlace,
  { limits, restart, stderr, supervise: given }: Pick<ServerOptions, "limits" | "restart" | "stderr" | "supervise">
): Effect.Effect<Transport, never, Scope.Scope> => {
  const program: Command = { command, args, cwd, env, stderr, ...limits }
  if (restart === undefined && given === undefined) return Effect.succeed(spawn(program))
  return Effect.map(supervise(program, { ...given, restart }), ({ transport }) => transport)
}
