import type { IncomingMessage, ServerResponse } from "node:http"
import { toFetch } from "@effective-mcp/http/fetch"
import { toNodeListener } from "@effective-mcp/http/node"
import type { PrincipalService } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Options } from "./Options.ts"
import { type Given, type Hosting, make, type Verified } from "./SseServer.ts"

/** An endpoint in the hands of any framework, which leads GET and POST to it. */
export interface Mounted {
  /** For what serves web-standard requests: `Bun.serve`, `Deno.serve`, Workers, Hono. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For what is built on `node:http`: Express, Fastify's `raw` objects, `createServer` itself. */
  readonly listener: (req: IncomingMessage, res: ServerResponse) => void
  /** Lets what runs come to an end, and ends the streams. */
  readonly close: () => Promise<void>
}

/** Serves a host wherever functions are called, without Effect around it; the framework chooses the path. */
export const mount = <P extends PrincipalService = never>(
  hosting: Hosting<Given<P>, Verified<P>>,
  options: Options<P> = {}
): Mounted => {
  const scope = Scope.makeUnsafe()
  const handler = Effect.runSync(Scope.provide(make(hosting, options), scope))
  return {
    fetch: toFetch(handler),
    listener: toNodeListener(handler),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
