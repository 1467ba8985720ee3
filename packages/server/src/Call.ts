import type { ClientCapabilities, Implementation, JsonRpc, LoggingLevel } from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What a handler knows of the request it answers, and what it may do to its caller while it runs. */
export interface CallService {
  readonly request: JsonRpc.Request
  /** The request's own `_meta`; empty when there is none. */
  readonly meta: JsonRpc.JsonObject
  /** The client as it describes itself; nothing of it is verified. */
  readonly client: Implementation | undefined
  readonly clientCapabilities: ClientCapabilities
  /**
   * Tells the caller how far the work has got. A value that is not greater than the last one is left out, and so is
   * everything when the caller did not ask for progress. Waits while the wire is full.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
   */
  readonly progress: (progress: number, total?: number, message?: string) => Effect.Effect<void>
  /**
   * Tells the caller something that it may show or keep; `data` is any JSON, `logger` says where it comes from. It is
   * left out when the server does not offer logging, and when the caller did not ask for that level. Never log secrets
   * here: it leaves the process. Waits while the wire is full.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
   */
  readonly log: (level: LoggingLevel, data: unknown, logger?: string) => Effect.Effect<void>
}

/** The request being answered: a service that every handler finds in its context. */
export class Call extends Context.Service<Call, CallService>()("@effective-mcp/server/Call") {}
