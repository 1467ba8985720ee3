import type { HttpHandler } from "@effective-mcp/http"
import { type Address, at, hostsOf, serve as listen } from "@effective-mcp/http/serve"
import type { PrincipalService, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Options } from "./Options.ts"
import { refuse } from "./refuse.ts"
import { type Hosting, make, type Wanting } from "./SseServer.ts"

export interface ServeOptions<P extends PrincipalService = never> extends Options<P>, Address {
  /** Where the stream is, and where messages are taken. Default `/sse`. */
  readonly path?: string | undefined
}

/** Where a server can be reached. */
export interface Served {
  readonly url: string
  readonly hostname: string
  readonly port: number
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
export const serve = Effect.fnUntraced(function* <R, P extends PrincipalService = never, RH = never>(
  hosting: Hosting<R, RH>,
  options: ServeOptions<P> = {}
): Effect.fn.Return<Served, TransportError, Wanting<R, P, RH> | Scope.Scope> {
  const { guard, messages, path = "/sse" } = options
  const guarded = guard === false ? false : { ...guard, hosts: guard?.hosts ?? hostsOf(options) }
  const endpoint = make(hosting, { ...options, guard: guarded })
  const also = messages === undefined ? path : new URL(messages, "http://localhost").pathname
  const served = yield* listen(
    Effect.map(endpoint, (handler) => at({ [path]: handler, [also]: handler }, nothing)),
    options
  )
  return { url: served.origin + path, hostname: served.hostname, port: served.port }
})
