import type { EndpointOptions, Ownership, SessionBounds } from "@effective-mcp/http"
import type { PrincipalService } from "@effective-mcp/protocol"
import type { EventStore } from "./EventStore.ts"
import type { ParamHeader } from "./ParamHeaders.ts"
import type { SessionStore } from "./SessionStore.ts"

export type SessionInfo = Ownership.SessionInfo

/** `P` is what is known of callers; `never` where nobody asks. */
export interface Options<P extends PrincipalService = never> extends EndpointOptions<P> {
  /** Sessions of legacy clients; `false` serves each of their requests by itself. */
  readonly sessions?: SessionOptions | false | undefined
  /** Whether a legacy request is always answered with one JSON text: what is said before it is then left out. Default false. */
  readonly json?: boolean | undefined
  /**
   * The arguments that headers repeat, by tool: the same for all callers, whatever they may see. Without it they are
   * learned from the host's own list, as each caller is given it.
   */
  readonly paramHeaders?: ((tool: string) => ReadonlyArray<ParamHeader>) | undefined
  /** Open `subscriptions/listen` streams; one more is refused with 503. Default 1,000. */
  readonly listens?: number | undefined
}

export interface SessionOptions extends SessionBounds {
  /** Keeps sessions beyond this process. Default none. */
  readonly store?: SessionStore | undefined
  /** Keeps what was said, so that lost streams can be resumed. Default none. */
  readonly events?: EventStore | undefined
  /** How long a client should wait before it comes back to a stream that was closed early, in ms. Default 1,000. */
  readonly retryMs?: number | undefined
}
