import type { Guard, Ownership, Verify } from "@effective-mcp/http"
import type { PrincipalService } from "@effective-mcp/protocol"

/** `P` is what is known of callers; `never` where nobody asks. */
export interface Options<P extends PrincipalService = never> {
  /**
   * Hosts that may be asked for, and origins that may ask: anything else is 403. `false` where something in front has
   * looked already. Default: loopback names, and no origin but the host's own.
   */
  readonly guard?: Guard.Options | false | undefined
  /** Web origins whose pages may call and read the answers. They pass the guard as well. Default none. */
  readonly cors?: { readonly origins: ReadonlyArray<string>; readonly maxAge?: number | undefined } | undefined
  /**
   * Says who sends a request, or turns it away. Handlers, middleware and visibility then find the `Principal` among their
   * services, and a session belongs to the one that opened it: anyone else gets 403.
   */
  readonly principal?: Verify<P> | undefined
  /**
   * Where clients are told to send their messages, as they see it: a path, or a whole URL of the same origin as the
   * stream. It is needed where a proxy or a framework takes away a part of the path. Default the path that the stream was
   * asked for with.
   */
  readonly messages?: string | undefined
  /** Bytes of one message: a body, as it comes and expanded, and an event. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** Levels of nesting in one body. Default 64. */
  readonly depth?: number | undefined
  /** Whether bodies may be compressed. Default false. */
  readonly compressed?: boolean | undefined
  /** Sessions, each of which is one open stream. */
  readonly sessions?: SessionOptions | undefined
  /** How long a stream stays silent, in ms; `Infinity` for ever. Default 15,000. */
  readonly keepAliveMs?: number | undefined
  /** How long handlers in flight may go on when the endpoint closes, in ms. Default 2,000. */
  readonly drainMs?: number | undefined
}

export interface SessionOptions extends Ownership.Options {
  /** How many there may be; one more is refused with 503. `Infinity` for no bound. Default 10,000. */
  readonly most?: number | undefined
  /** How long nothing may be said in one, in ms, until its stream ends; `Infinity` for ever. Default 1,800,000. */
  readonly idleMs?: number | undefined
  /** How often the idle ones are looked for, in ms. Default 60,000. */
  readonly reaperMs?: number | undefined
}
