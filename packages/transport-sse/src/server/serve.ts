import type { HttpHandler } from "@effective-mcp/http"
import { type Address, type Served, serveAt } from "@effective-mcp/http/serve"
import type { PrincipalService, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Options } from "./Options.ts"
import { refuse } from "./refuse.ts"
import { type Hosting, make, type Wanting } from "./SseServer.ts"

export type { Served } from "@effective-mcp/http/serve"

export interface ServeOptions<P extends PrincipalService = never> extends Options<P>, Address {
  /** Where the stream is, and where messages are taken. Default `/sse`. */
  readonly path?: string | undefined
}

const nothing: HttpHandler = (_request, response) =>
  Effect.sync(() => refuse(response, 404, "Not found: there is no endpoint here"))

/**
 * Serves a host over HTTP+SSE, with the server of the runtime that it runs on (Node, Bun or Deno), until the scope closes:
 * then no new stream is opened, what runs may come to an end, and connections close. Messages are taken at the path that
 * `messages` says, too.
 *
 * It fails with `Unreachable` when the address cannot be had.
 */
export const serve = <R, P extends PrincipalService = never, RH = never>(
  hosting: Hosting<R, RH>,
  options: ServeOptions<P> = {}
): Effect.Effect<Served, TransportError, Wanting<R, P, RH> | Scope.Scope> =>
  Effect.suspend(() => {
    const { messages, path = "/sse" } = options
    const also = messages === undefined ? path : new URL(messages, "http://localhost").pathname
    return serveAt((guard) => make(hosting, { ...options, guard }), options, [path, also], nothing)
  })
