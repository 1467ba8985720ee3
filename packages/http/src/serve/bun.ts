import { toFetch } from "../adapter/fetch.ts"
import * as Effect from "effect/Effect"
import type { Listen } from "./Runtime.ts"
import { inTime } from "./inTime.ts"
import { unavailable } from "./unavailable.ts"

interface Bun {
  readonly serve: (options: {
    readonly hostname: string
    readonly port: number
    readonly idleTimeout: number
    readonly fetch: (request: Request) => Promise<Response>
  }) => {
    readonly port: number
    readonly stop: (now: boolean) => Promise<void>
    readonly timeout: (request: Request, seconds: number) => void
  }
}

export const listen: Listen = (handler, { hostname, port }) =>
  Effect.try({
    try: () => {
      const { Bun } = globalThis as unknown as { readonly Bun: Bun } // cast: only loaded where it is there
      // no limit to silence: streams are kept alive by what is said on them
      const fetch = toFetch(handler, { direct: true, close: (request) => server.timeout(request, 1) })
      const server = Bun.serve({ hostname, port, idleTimeout: 0, fetch })
      return {
        port: server.port,
        refuse: Effect.sync(() => void server.stop(false)),
        end: inTime(
          Effect.promise(() => server.stop(false)),
          Effect.promise(() => server.stop(true))
        )
      }
    },
    catch: unavailable
  })
