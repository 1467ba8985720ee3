import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection, Handler } from "./Connection.ts"
import type { Era } from "./era/Era.ts"
import type { JsonObject } from "./JsonRpc.ts"
import type { Implementation } from "./model/implementation.ts"

/** A server as transports see it, whatever the era of its client. */
export interface Host<out R = never> {
  /** The eras it speaks; both where it does not say. */
  readonly eras?: ReadonlyArray<Era>
  /** Answers requests that carry all they need in their own `_meta`. */
  readonly modern: Handler<R>
  /** Begins a legacy session, or takes up one that was kept; its scope is the session's life. */
  readonly converse: (from?: Snapshot, life?: Life) => Effect.Effect<Conversation<R>, never, Scope.Scope>
}

/** How long a conversation lasts; default `session`. For a single request it tells nothing unasked: nobody would hear it. */
export type Life = "session" | "request"

/** One legacy session. It answers over any connection that reaches its client. */
export interface Conversation<out R = never> {
  /**
   * The first connection is the session's own, and lasts as long. Where each request has a stream of its own (HTTP)
   * more follow, one a request, whose questions go on that stream; what they `send` goes where the first one's does.
   */
  readonly on: (client: Connection) => Handler<R>
  readonly snapshot: Effect.Effect<Snapshot>
}

/** What a legacy session has agreed on, as plain data: it can be kept in a store and taken up on another node. */
export interface Snapshot {
  /** Absent until `initialize` has been answered. */
  readonly revision?: string
  readonly client?: Implementation
  readonly capabilities?: JsonObject
  readonly logLevel?: string
  readonly subscriptions?: ReadonlyArray<string>
}
