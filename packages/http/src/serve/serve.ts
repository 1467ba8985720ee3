import type { TransportError } from "@effective-mcp/protocol/TransportError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { HttpHandler } from "../HttpHandler.ts"
import type { Listen } from "./Runtime.ts"

/** Where to listen. */
export interface Address {
  /** Default `127.0.0.1`: nobody else's machine reaches it. */
  readonly hostname?: string | undefined
  /** Default 0: any port that is free. */
  readonly port?: number | undefined
}

/** Where a server can be reached. */
export interface Listening {
  /** Without a path: `http://127.0.0.1:8080`. */
  readonly origin: string
  readonly hostname: string
  readonly port: number
}

const runtime = async (): Promise<Listen> => {
  if ("Bun" in globalThis) return (await import("./bun.ts")).listen
  if ("Deno" in globalThis) return (await import("./deno.ts")).listen
  return (await import("./node.ts")).listen
}

/** Addresses that stand for all: none of them is a host to ask for. */
const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"])

/** The hosts that may be asked for where nobody says which: loopback names, and the one that is listened at. */
export const hostsOf = ({ hostname = "127.0.0.1" }: Address): ReadonlyArray<string> => [
  "localhost",
  "127.0.0.1",
  "[::1]",
  ...(wildcards.has(hostname) ? [] : [hostname])
]

const unavailable: HttpHandler = (_request, response) =>
  Effect.sync(() => response.whole(503, { "content-type": "text/plain" }, "Service unavailable"))

/**
 * Serves a handler with the server of the runtime that it runs on (Node, Bun or Deno), until the scope closes: then no new
 * connection is taken, the handler comes to its end, and connections close.
 *
 * It fails with `Unreachable` when the address cannot be had. The handler is made once it is.
 */
export const serve = Effect.fnUntraced(function* <E = never, R = never>(
  make: Effect.Effect<HttpHandler, E, R>,
  { hostname = "127.0.0.1", port = 0 }: Address = {}
): Effect.fn.Return<Listening, TransportError | E, R | Scope.Scope> {
  const listen = yield* Effect.promise(runtime)
  let handler = unavailable
  // closes last: connections outlive what is said on them
  const server = yield* Effect.acquireRelease(
    listen((request, response) => handler(request, response), { hostname, port }),
    ({ end }) => end
  )
  handler = yield* make
  yield* Effect.addFinalizer(() => server.refuse)
  const name = hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname
  return { origin: `http://${name}:${server.port}`, hostname, port: server.port }
})
