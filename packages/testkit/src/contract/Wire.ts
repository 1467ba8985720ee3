import type { Connection, TransportError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What can happen to a wire. */
export type Strike =
  /** The message is lost, and with it the wire: all connections there are. Both ends notice. */
  | "reset"
  /** Half of the message arrives, and then the wire ends. */
  | "half"
  /** The message is lost; the wire goes on. */
  | "drop"
  /** The message arrives about 200 ms late. */
  | "delay"
  /** The message arrives twice. */
  | "duplicate"
  /** From this message on the wire takes everything and gives nothing, until it is healed. */
  | "blackHole"
  /** The server knows no session any more, at once. */
  | "expire"
  /** The server dies of the message, and of all that it does; another one stands in its place. */
  | "crash"

/** The message that is struck: the next that goes to the server, or the next that comes back. */
export type Way = "request" | "response"

/** A way to a server, on which things go wrong when they are told to. */
export interface Wire {
  /** The transport on trial. Each run connects anew; where there is a handshake, it has been made when this is done. */
  readonly connect: Effect.Effect<Connection, TransportError, Scope.Scope>
  /** Completes when the next message that way will be struck. */
  readonly strike: (strike: Strike, way: Way) => Effect.Effect<void, unknown>
  /** Takes away what would also meet those who connect anew: a black hole. */
  readonly heal?: Effect.Effect<void, unknown>
  /** How often the call with this key has run; where the fixture that was given does not know, such as in a process. */
  readonly ran?: (key: string) => Effect.Effect<number, unknown>
  /** How much of the transport is left: sockets, processes. Once its scope has closed it has to come down to 0. */
  readonly held?: Effect.Effect<number, unknown>
}
