import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { toFetch } from "./adapter/fetch.ts"
import { toNodeListener } from "./adapter/node.ts"
import type { HttpHandler } from "./HttpHandler.ts"

/** An endpoint in the hands of any framework. */
export interface Mounted {
  /** For what serves web-standard requests: `Bun.serve`, `Deno.serve`, Workers, Hono. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For what is built on `node:http`: Express, Fastify's `raw` objects, `createServer` itself. */
  readonly listener: (req: IncomingMessage, res: ServerResponse) => void
  /** Lets what runs come to an end, and ends sessions and streams. */
  readonly close: () => Promise<void>
}

/** Makes an endpoint, at once, with a life that `close` ends. */
export const mount = (make: Effect.Effect<HttpHandler, never, Scope.Scope>): Mounted => {
  const scope = Scope.makeUnsafe()
  const handler = Effect.runSync(Scope.provide(make, scope))
  return {
    fetch: toFetch(handler),
    listener: toNodeListener(handler),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
