import type { EndpointOptions, SessionBounds } from "@effective-mcp/http"
import type { PrincipalService } from "@effective-mcp/protocol"

/** `P` is what is known of callers; `never` where nobody asks. */
export interface Options<P extends PrincipalService = never> extends EndpointOptions<P> {
  /**
   * Where clients are told to send their messages, as they see it: a path, or a whole URL of the same origin as the
   * stream. It is needed where a proxy or a framework takes away a part of the path. Default the path that the stream was
   * asked for with.
   */
  readonly messages?: string | undefined
  /** Sessions, each of which is one open stream: one idles while nothing is said in it, and then its stream ends. */
  readonly sessions?: SessionOptions | undefined
}

export type SessionOptions = SessionBounds
