import type { Connection, TransportError } from "@effective-mcp/protocol"
import { connect as streamable } from "@effective-mcp/transport-http/client"
import { connect as plain } from "@effective-mcp/transport-http/client/plain"
import { connect as sse } from "@effective-mcp/transport-sse/client"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { DetectOptions } from "./Options.ts"

/** How a server over HTTP is spoken with. */
export type Kind = "streamable-http" | "sse" | "plain"

/** A transport that nobody has run yet. */
export type Transport = Effect.Effect<Connection, TransportError, Scope.Scope>

/** The transport of a kind, which sends what the probes were sent with. */
export const transportOf = (kind: Kind, url: string, { client, headers, interceptors }: DetectOptions): Transport => {
  const carried = {
    ...(client === undefined ? undefined : { client }),
    ...(headers === undefined ? undefined : { headers }),
    ...(interceptors === undefined ? undefined : { interceptors })
  }
  switch (kind) {
    case "streamable-http":
      return streamable(url, carried)
    case "sse":
      return sse(url, carried)
    case "plain":
      return plain(url, carried)
  }
}
