import type { HttpHandler } from "../HttpHandler.ts"
import type { TransportError } from "@effective-mcp/protocol/TransportError"
import type * as Effect from "effect/Effect"

/** Where a server listens. Port 0 is any that is free. */
export interface Address {
  readonly hostname: string
  readonly port: number
}

/** A server of one runtime. */
export interface Listening {
  /** The port that it got. */
  readonly port: number
  /** Takes no new connections. */
  readonly refuse: Effect.Effect<void>
  /** Closes all connections, whatever is said on them. */
  readonly end: Effect.Effect<void>
}

/** How a runtime listens. It fails with `Unreachable` when the address cannot be had. */
export type Listen = (handler: HttpHandler, address: Address) => Effect.Effect<Listening, TransportError>
