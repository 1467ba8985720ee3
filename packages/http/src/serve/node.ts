import { createServer } from "node:http"
import { toNodeListener } from "../adapter/node.ts"
import * as Effect from "effect/Effect"
import type { Listen } from "./Runtime.ts"
import { inTime } from "./inTime.ts"
import { unavailable } from "./unavailable.ts"

/** Connections that may wait to be accepted. */
const BACKLOG = 511

export const listen: Listen = (handler, { hostname, port }) =>
  Effect.callback((resume) => {
    const server = createServer(toNodeListener(handler))
    const closed = Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeIdleConnections()
    })
    const end = inTime(
      closed,
      Effect.sync(() => server.closeAllConnections())
    )
    server.once("error", (cause) => resume(Effect.fail(unavailable(cause))))
    server.listen(port, hostname, BACKLOG, () => {
      const address = server.address()
      const got = typeof address === "object" && address !== null ? address.port : port
      const refuse = Effect.sync(() => {
        server.close()
        server.closeIdleConnections()
      })
      resume(Effect.succeed({ port: got, refuse, end }))
    })
    return end
  })
