import type { HttpHandler } from "@effective-mcp/http"
import type { PrincipalService, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Hosting, make, type Wanting } from "./HttpServer.ts"
import type { Options } from "./Options.ts"
import { refuse } from "./refuse.ts"
import type { Listen } from "./serve/Runtime.ts"

export interface ServeOptions<P extends PrincipalService = never> extends Options<P> {
  /** The address to listen at. Default `127.0.0.1`: nobody else's machine reaches it. */
  readonly hostname?: string | undefined
  /** Default 0: any port that is free. */
  readonly port?: number | undefined
  /** Where the endpoint is. Default `/mcp`. */
  readonly path?: string | undefined
}

/** Where a server can be reached. */
export interface Served {
  readonly url: string
  readonly hostname: string
  readonly port: number
}

const runtime = async (): Promise<Listen> => {
  if ("Bun" in globalThis) return (await import("./serve/bun.ts")).listen
  if ("Deno" in globalThis) return (await import("./serve/deno.ts")).listen
  return (await import("./serve/node.ts")).listen
}

/** Addresses that stand for all: none of them is a host to ask for. */
const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"])

/** The path of a request's target, which is a path or a whole URL. */
const pathOf = (url: string): string => {
  const path = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
  return path.replace(/[?#].*$/s, "")
}

const at =
  (path: string, handler: HttpHandler): HttpHandler =>
  (request, response) =>
    request.url === path || pathOf(request.url) === path
      ? handler(request, response)
      : Effect.sync(() => refuse(response, 404, "Not found: there is no endpoint here"))

/**
 * Serves a host over HTTP, with the server of the runtime that it runs on (Node, Bun or Deno), until the scope closes:
 * then no new request is taken, what runs may come to an end, and connections close.
 *
 * It fails with `Unreachable` when the address cannot be had.
 */
export const serve = Effect.fnUntraced(function* <R, P extends PrincipalService = never, RH = never>(
  hosting: Hosting<R, RH>,
  options: ServeOptions<P> = {}
): Effect.fn.Return<Served, TransportError, Wanting<R, P, RH> | Scope.Scope> {
  const { guard, hostname = "127.0.0.1", path = "/mcp", port = 0 } = options
  const listen = yield* Effect.promise(runtime)
  let handler: HttpHandler = (_request, response) => Effect.sync(() => refuse(response, 503, "Service unavailable"))
  // closes last: connections outlive what is said on them
  const server = yield* Effect.acquireRelease(
    listen((request, response) => handler(request, response), { hostname, port }),
    ({ end }) => end
  )
  const own = wildcards.has(hostname) ? [] : [hostname]
  const hosts = guard === false ? [] : (guard?.hosts ?? ["localhost", "127.0.0.1", "[::1]", ...own])
  handler = at(path, yield* make(hosting, { ...options, guard: guard === false ? false : { ...guard, hosts } }))
  yield* Effect.addFinalizer(() => server.refuse)
  const name = hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname
  return { url: `http://${name}:${server.port}${path}`, hostname, port: server.port }
})
