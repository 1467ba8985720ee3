import type { Guard, Ownership } from "@effective-mcp/http"
import type { PrincipalService } from "@effective-mcp/protocol"
import type { EventStore } from "./EventStore.ts"
import type { ParamHeader } from "./ParamHeaders.ts"
import type { SessionStore } from "./SessionStore.ts"
import type { Verify } from "./Unverified.ts"

export type SessionInfo = Ownership.SessionInfo

/** `P` is what is known of callers; `never` where nobody asks. */
export interface Options<P extends PrincipalService = never> {
  /**
   * Which hosts may be asked for and which web origins may ask; `false` lets all pass, for where something in front
   * has looked already. Default: loopback names, and no origin but the host's own.
   */
  readonly guard?: Guard.Options | false | undefined
  /** Web origins whose pages may call and read the answers. They pass the guard as well. Default none. */
  readonly cors?: { readonly origins: ReadonlyArray<string>; readonly maxAge?: number | undefined } | undefined
  /**
   * Says who sends a request, or turns it away. Handlers, middleware and visibility then find the `Principal` among their
   * services, a session belongs to the one that opened it (anyone else gets 403), and so does the state of a call.
   */
  readonly principal?: Verify<P> | undefined
  /** Bytes of one body, as it comes and expanded. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** Levels of nesting in one body. Default 64. */
  readonly depth?: number | undefined
  /** Whether bodies may be compressed. Default false. */
  readonly compressed?: boolean | undefined
  /** Sessions of legacy clients; `false` serves each of their requests by itself. */
  readonly sessions?: SessionOptions | false | undefined
  /** Whether a legacy request is always answered with one JSON text: what is said before it is then left out. Default false. */
  readonly json?: boolean | undefined
  /** The arguments that headers repeat, by tool. Without it they are learned from the host's own list. */
  readonly paramHeaders?: ((tool: string) => ReadonlyArray<ParamHeader>) | undefined
  /** Open `subscriptions/listen` streams; one more is refused with 503. Default 1,000. */
  readonly listens?: number | undefined
  /** How long a stream stays silent, in ms; `Infinity` for ever. Default 15,000. */
  readonly keepAliveMs?: number | undefined
  /** How long handlers in flight may go on when the endpoint closes, in ms. Default 2,000. */
  readonly drainMs?: number | undefined
}

export interface SessionOptions extends Ownership.Options {
  /** How many there may be; one more is refused with 503. `Infinity` for no bound. Default 10,000. */
  readonly most?: number | undefined
  /** How long one may idle, in ms; `Infinity` for ever. Default 1,800,000. */
  readonly idleMs?: number | undefined
  /** How often the idle ones are looked for, in ms. Default 60,000. */
  readonly reaperMs?: number | undefined
  /** Keeps sessions beyond this process. Default none. */
  readonly store?: SessionStore | undefined
  /** Keeps what was said, so that lost streams can be resumed. Default none. */
  readonly events?: EventStore | undefined
  /** How long a client should wait before it comes back to a stream that was closed early, in ms. Default 1,000. */
  readonly retryMs?: number | undefined
}
