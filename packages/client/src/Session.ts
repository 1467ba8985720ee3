import type {
  Era,
  Implementation,
  JsonRpc,
  LoggingLevel,
  LogMessage,
  Progress,
  ServerCapabilities,
  SubscriptionFilter
} from "@effective-mcp/protocol"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { CallError } from "./ClientError.ts"
import type { Hub, ServerChange } from "./Hub.ts"
import type { Wait } from "./InputLoop.ts"
import type { InputResponses, Round } from "./InputRequired.ts"
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
  /** Hears what the server logs because of this request, where the wire tells (HTTP); one log at a time. */
  readonly onLog?: ((log: LogMessage) => Effect.Effect<void> | void) | undefined
  /** The least that the server should log of this request; on 2025-11-25 and before `Logging.setLevel` alone says so. */
  readonly logLevel?: LoggingLevel | undefined
  /**
   * Who answers when the server asks for input in a result (2026-07-28): the host's answers, or, with `"manual"`, nobody:
   * the request fails with `InputRequired`. Default `"auto"`.
   */
  readonly input?: "auto" | "manual" | undefined
  /** Answers to what was asked in an `InputRequired`, given by hand: each under its question's key. */
  readonly inputResponses?: InputResponses | undefined
  /** The state of an `InputRequired`, as it came. */
  readonly requestState?: string | undefined
  /** Where to go on from, instead of beginning; `resume` sets it. */
  readonly from?: Round | undefined
  /** Steers the wait before a request is made again that the server wants no answers for. */
  readonly onWait?: ((wait: Wait) => Effect.Effect<"retry" | "cancel" | void>) | undefined
  /** Hears, each time before a request is made again, where it stands. */
  readonly onRound?: ((round: Round) => void) | undefined
}

/** What is told of a watch: first what of the wish the server has taken, then each change. */
export type Watched = { readonly _tag: "Taken"; readonly granted: SubscriptionFilter } | ServerChange

/**
 * Has the server tell of changes, for as long as it runs. It completes when the server ends it in good order, and fails
 * when it is refused or breaks; interrupting it leaves. `hear` neither waits nor throws. `isAgain` says that an earlier watch of
 * the same broke: what is kept of anything that is taken may be stale, and is forgotten. `eras` is the subscription's own
 * from one watch to the next: which era it was taken in, by each client that took it.
 */
export type Watch = (
  wish: SubscriptionFilter,
  hear: (told: Watched) => void,
  isAgain?: boolean,
  eras?: Map<object, Era>
) => Effect.Effect<void, CallError>

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
  /**
   * Has the host answer a question as if the server had put it; undefined when it has no answer. What goes wrong in the
   * host's own code goes to the log.
   */
  readonly answer: (question: {
    readonly method: string
    readonly params?: unknown
  }) => Effect.Effect<JsonRpc.JsonObject | undefined>
}

/** What features work on: a client, one of its sessions, or several servers as one. */
export interface SessionLike extends Pick<Session, "request" | "capabilities" | "watch" | "hub"> {}
