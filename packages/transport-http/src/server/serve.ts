import type { HttpHandler } from "@effective-mcp/http"
import { type Address, type Served, serveAt } from "@effective-mcp/http/serve"
import type { PrincipalService, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Hosting, make, type Wanting } from "./HttpServer.ts"
import type { Options } from "./Options.ts"
import { refuse } from "./refuse.ts"

export type { Served } from "@effective-mcp/http/serve"

export interface ServeOptions<P extends PrincipalService = never> extends Options<P>, Address {
  /** Where the endpoint is. Default `/mcp`. */
  readonly path?: string | undefined
}

const nothing: HttpHandler = (_request, response) =>
  Effect.sync(() => refuse(response, 404, "Not found: there is no endpoint here"))

/**
 * Serves a host over HTTP, with the server of the runtime that it runs on (Node, Bun or Deno), until the scope closes:
 * then no new request is taken, what runs may come to an end, and connections close.
 *
 * It fails with `Unreachable` when the address cannot be had.
 */
export const serve = <R, P extends PrincipalService = never, RH = never>(
  hosting: Hosting<R, RH>,
  options: ServeOptions<P> = {}
): Effect.Effect<Served, TransportError, Wanting<R, P, RH> | Scope.Scope> =>
  serveAt((guard) => make(hosting, { ...options, guard }), options, [options.path ?? "/mcp"], nothing)
