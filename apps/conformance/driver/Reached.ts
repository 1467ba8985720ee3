import type { Connection, TransportError } from "@effective-mcp/client"
import type { Detected } from "@effective-mcp/detector"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export type Transport = Effect.Effect<Connection, TransportError, Scope.Scope>

/** How a server is reached, and how that was found out. */
export interface Reached {
  readonly transport: Transport
  readonly detected?: Pick<Detected, "evidence" | "kind"> | undefined
}
