import { toFetch } from "@effective-mcp/http/fetch"
import * as Effect from "effect/Effect"
import type { Listen } from "./Runtime.ts"
import { unavailable } from "./unavailable.ts"

interface Deno {
  readonly serve: (
    options: {
      readonly hostname: string
      readonly port: number
      readonly signal: AbortSignal
      readonly onListen: () => void
    },
    fetch: (request: Request) => Promise<Response>
  ) => {
    readonly addr: { readonly port: number }
    readonly finished: Promise<void>
  }
}

export const listen: Listen = (handler, { hostname, port }) =>
  Effect.try({
    try: () => {
      const { Deno } = globalThis as unknown as { readonly Deno: Deno } // cast: only loaded where it is there
      const ending = new AbortController()
      const server = Deno.serve({ hostname, port, signal: ending.signal, onListen: () => {} }, toFetch(handler))
      return {
        port: server.addr.port,
        // what has been shut down cannot be aborted any more: until then new requests are refused one by one
        refuse: Effect.void,
        end: Effect.promise(() => {
          ending.abort()
          return server.finished
        })
      }
    },
    catch: unavailable
  })
