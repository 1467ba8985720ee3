import type { Guard, HttpRequest } from "@effective-mcp/http"
import type { PrincipalService } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type { EventStore } from "./EventStore.ts"
import type { ParamHeader } from "./ParamHeaders.ts"
import type { SessionStore } from "./SessionStore.ts"
import type { Verify } from "./Unverified.ts"

/** A session, as who decides about it sees it. */
export interface SessionInfo {
  readonly id: string
  readonly owner?: string | undefined
  readonly origin?: string | undefined
}

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

export interface SessionOptions {
  /** How many there may be; one more is refused with 503. `Infinity` for no bound. Default 10,000. */
  readonly most?: number | undefined
  /** How long one may idle, in ms; `Infinity` for ever. Default 1,800,000. */
  readonly idleMs?: number | undefined
  /** How often the idle ones are looked for, in ms. Default 60,000. */
  readonly reaperMs?: number | undefined
  /**
   * Whom a session belongs to, where that is something else than the principal (a tenant, for one): requests that it is
   * not the same for are refused with 403. Default the principal, where there is one.
   */
  readonly owner?: ((request: HttpRequest) => Effect.Effect<string | undefined>) | undefined
  /** Whether a request may use a session; asked for each but `initialize`. False is 403. */
  readonly admit?: ((request: HttpRequest, session: SessionInfo) => Effect.Effect<boolean>) | undefined
  /** Keeps sessions beyond this process. Default none. */
  readonly store?: SessionStore | undefined
  /** Keeps what was said, so that lost streams can be resumed. Default none. */
  readonly events?: EventStore | undefined
  /** How long a client should wait before it comes back to a stream that was closed early, in ms. Default 1,000. */
  readonly retryMs?: number | undefined
}
