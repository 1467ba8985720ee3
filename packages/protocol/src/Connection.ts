import type { NonEmptyReadonlyArray } from "effect/Array"
import type * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import type { Era } from "./era/Era.ts"
import type { Frame } from "./Frame.ts"
import type { Message, Notification, Request, RequestId, Response } from "./JsonRpc.ts"
import type { TransportError } from "./TransportError.ts"

/**
 * Hears what is said because of a request, one at a time and in order, before its response: notifications, and on a
 * legacy wire that can tell (HTTP) the server's questions.
 *
 * It runs in the exchange's own fiber. One that dies fails its exchange and cancels it; what was heard before the wire
 * failed is delivered first, then the failure.
 */
export type Listener = (said: Notification | Request) => Effect.Effect<void>

/**
 * What comes off a wire: it is opened in a scope, and then pulled, a chunk at a time, until a pull fails with `Done` or
 * with the wire. `Stream.toPull` makes one of a stream, and `Stream.fromPull` a stream of it.
 */
export type Incoming<A> = Effect.Effect<Pull.Pull<NonEmptyReadonlyArray<A>, TransportError>, never, Scope.Scope>

/**
 * A peer you can call.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export interface Connection {
  /**
   * `"http"` where each exchange is a request of its own: it fails alone, a status may say why, and reading `incoming`
   * costs a stream. Absent on a pipe, which all messages share, and whose end is the end of all.
   */
  readonly wire?: "http"
  /** The eras that can be spoken on it; both where it does not say. A wire of one era has nobody asked for the other. */
  readonly eras?: ReadonlyArray<Era>
  /**
   * Who calls, as far as the wire knows: a text that is the same for the same credentials, and never sent; undefined when
   * it cannot tell. Absent where all requests of a connection are one caller's.
   */
  readonly caller?: Effect.Effect<string | undefined, TransportError>
  /**
   * Completes with the request's one response. Interrupting abandons the request in the way the binding prescribes.
   * Ids are the caller's and never reused.
   */
  readonly exchange: (request: Request, listener: Listener) => Effect.Effect<Response, TransportError>
  /**
   * Fails an open exchange with `error` at once, whatever its listener has in hand, and tells the peer as interrupting
   * it would. Only a wire that can do so more cheaply than by interruption has it; ids that are not open are let pass.
   */
  readonly abandon?: (id: RequestId, error: TransportError) => void
  /** Hands over one whole message or, when interrupted, none; waits while the wire is full. */
  readonly send: (message: Notification | Response) => Effect.Effect<void, TransportError>
  /**
   * Told of a tool that is called next; true where the list of tools has to pass this wire once more before it can carry
   * that call. Only a wire that repeats arguments in headers has it, which remembers them of so many tools.
   */
  readonly expect?: (tool: string) => boolean
  /**
   * What the peer says outside any exchange; one reader. It ends when the peer has said its last word, and fails when
   * the wire does. Opening it opens the legacy GET stream; it never says anything on modern HTTP.
   */
  readonly incoming: Incoming<Request | Notification>
}

/** A peer you host: the same shape, seen from the other end. Services that only some wires have are in `R`. */
export interface Handler<out R = never> {
  readonly exchange: (request: Request, listener: Listener) => Effect.Effect<Response, never, R>
  readonly notify: (notification: Notification) => Effect.Effect<void, never, R>
}

/** Hands over the whole message or, when interrupted, nothing; waits while the pipe is full. */
export interface DuplexSend {
  (message: Message | ReadonlyArray<Response>): Effect.Effect<void, TransportError>
  /**
   * Hands over the whole message at once, and tells whether it has: when there is no room, or anything else is the matter,
   * it does nothing and leaves that to `send`. Only a pipe that can do so without waiting has it, which spares each message
   * a fiber; it belongs to the function, so that whoever wraps `send` wraps all there is.
   */
  readonly now?: (message: Message | ReadonlyArray<Response>) => boolean
}

/**
 * A bare pipe: all that a transport has to write when every message shares one channel.
 * `incoming` gives chunks, one per read, and ends when the other side has closed its end.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#custom-transports
 */
export interface Duplex {
  readonly incoming: Incoming<Frame>
  readonly send: DuplexSend
}
