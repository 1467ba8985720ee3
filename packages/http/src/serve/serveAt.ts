import type { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Guard from "../Guard.ts"
import type { HttpHandler } from "../HttpHandler.ts"
import { at } from "./at.ts"
import { type Address, hostsOf, type Listening, serve } from "./serve.ts"

/** Where an endpoint can be reached. */
export interface Served extends Omit<Listening, "origin"> {
  readonly url: string
}

/**
 * Serves an endpoint at some paths, the first of which is its own, until the scope closes. Where nobody says which hosts may
 * be asked for, they are loopback names and the one that is listened at; what is asked for elsewhere, `otherwise` answers.
 *
 * It fails with `Unreachable` when the address cannot be had.
 */
export const serveAt = <R>(
  make: (guard: Guard.Options | false) => Effect.Effect<HttpHandler, never, R>,
  { guard = {}, hostname, port }: Address & Pick<Guard.Standing, "guard">,
  paths: readonly [string, ...ReadonlyArray<string>],
  otherwise: HttpHandler
): Effect.Effect<Served, TransportError, R | Scope.Scope> => {
  const endpoint = make(guard === false ? false : { ...guard, hosts: guard.hosts ?? hostsOf({ hostname }) })
  const handler = Effect.map(endpoint, (handler) =>
    at(Object.fromEntries(paths.map((path) => [path, handler])), otherwise)
  )
  return Effect.map(serve(handler, { hostname, port }), ({ origin, ...listening }) => ({
    url: origin + paths[0],
    ...listening
  }))
}
