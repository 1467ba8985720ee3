import type { Connection, TransportError } from "@effective-mcp/protocol"
import { connect as streamable } from "@effective-mcp/transport-http/client"
import { connect as plain } from "@effective-mcp/transport-http/client/plain"
import { connect as sse } from "@effective-mcp/transport-sse/client"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { MessageLimits } from "./ConnectOptions.ts"
import type { DetectOptions } from "./Options.ts"

/** How a server over HTTP is spoken with. */
export type Kind = "streamable-http" | "sse" | "plain"

/** A transport that nobody has run yet. */
export type Transport = Effect.Effect<Connection, TransportError, Scope.Scope>

/** What any of them takes. */
export interface Carried extends Omit<DetectOptions, "probe">, MessageLimits {
  /** Whether the log is told of what is deprecated. Default true. */
  readonly notices?: boolean | undefined
}

/** The transport of a kind. */
export const transportOf = (kind: Kind, url: string, { notices, ...carried }: Carried): Transport => {
  switch (kind) {
    case "streamable-http":
      return streamable(url, carried)
    case "sse":
      return sse(url, { ...carried, notices })
    case "plain":
      return plain(url, carried)
  }
}
