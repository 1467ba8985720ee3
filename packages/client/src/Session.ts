import type {
  Era,
  Implementation,
  JsonRpc,
  Progress,
  ServerCapabilities,
  SubscriptionFilter
} from "@effective-mcp/protocol"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { CallError } from "./ClientError.ts"
import type { Hub, ServerChange } from "./Hub.ts"
import type { Send } from "./Send.ts"

/** What can be set for one request. */
export interface RequestOptions {
  /** Hears how far the request has got, one report at a time; its effect slows no other request. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void> | void) | undefined
  /**
   * How long to wait for the response; each report of progress starts it anew. `Infinity` is no bound; what is no length
   * of time throws. Default 30 s.
   */
  readonly timeout?: Duration.Input | undefined
  /** How long to wait in all; the same. Default 10 min. */
  readonly totalTimeout?: Duration.Input | undefined
  /** `reload` asks the server even if its last answer is still fresh. */
  readonly cache?: "reload" | undefined
  /** Goes into the request's `_meta`; keys that the protocol owns are left out. */
  readonly meta?: JsonRpc.JsonObject | undefined
}

/** What is told of a watch: first what of the wish the server has taken, then each change. */
export type Watched = { readonly _tag: "Taken"; readonly granted: SubscriptionFilter } | ServerChange

/**
 * Has the server tell of changes, for as long as it runs. It completes when the server ends it in good order, and fails
 * when it is refused or breaks; interrupting it leaves. `hear` neither waits nor throws.
 */
export type Watch = (wish: SubscriptionFilter, hear: (told: Watched) => void) => Effect.Effect<void, CallError>

/** A server that we have come to terms with, whatever its era. Features are functions over it. */
export interface Session {
  readonly era: Era
  /** The revision that is spoken. */
  readonly revision: string
  /** The server as it describes itself; nothing of it is verified. */
  readonly server: Implementation | undefined
  readonly capabilities: ServerCapabilities
  /** How to use the server, for the model. */
  readonly instructions: string | undefined
  /** Sends one request and checks its response; interrupting it cancels it. */
  readonly request: Send
  /** Finds out whether the server still answers. */
  readonly ping: (options?: RequestOptions) => Effect.Effect<void, CallError>
  readonly watch: Watch
  /** What the server says outside the requests of this client. */
  readonly hub: Hub
}
