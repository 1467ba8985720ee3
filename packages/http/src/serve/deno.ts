import { toFetch } from "../adapter/fetch.ts"
import * as Effect from "effect/Effect"
import type { Listen } from "./Runtime.ts"
import { inTime } from "./inTime.ts"
import { unavailable } from "./unavailable.ts"

interface Deno {
  readonly serve: (
    options: {
      readonly hostname: string
      readonly port: number
      readonly onListen: () => void
    },
    fetch: (request: Request) => Promise<Response>
  ) => {
    readonly addr: { readonly port: number }
    readonly shutdown: () => Promise<void>
  }
}

export const listen: Listen = (handler, { hostname, port }) =>
  Effect.try({
    try: () => {
      const { Deno } = globalThis as unknown as { readonly Deno: Deno } // cast: only loaded where it is there
      const server = Deno.serve({ hostname, port, onListen: () => {} }, toFetch(handler, { direct: true }))
      return {
        port: server.addr.port,
        refuse: Effect.sync(() => void server.shutdown()),
        // nothing closes what is still open after that
        end: inTime(
          Effect.promise(() => server.shutdown()),
          Effect.void
        )
      }
    },
    catch: unavailable
  })
