import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { HttpRequest } from "./HttpRequest.ts"

/** What only HTTP knows of a call. */
export interface HttpCallService {
  /** The request that the call came in. Its body has been read. */
  readonly request: HttpRequest
  /**
   * Closes the connection and not the call: its client comes back for what it has not heard. Does nothing where it
   * could not: without an event store, in revisions that do not know of it, and over HTTP+SSE.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
   */
  readonly closeStream: Effect.Effect<void>
}

/** The HTTP side of the call being answered: a handler that needs it can only be served over HTTP. */
export class HttpCall extends Context.Service<HttpCall, HttpCallService>()("@effective-mcp/http/HttpCall") {}
