import type { ClientCapabilities, Implementation, JsonRpc, LoggingLevel } from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { Answers, Ask } from "./Ask.ts"
import type { AskError } from "./AskError.ts"

/** What a handler knows of the request it answers, and what it may do to its caller while it runs. */
export interface CallService extends Asks {
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

/** What can be set for one `ask`. */
export interface AskOptions {
  /**
   * How long each of its questions waits for an answer, instead of the server's `questionMs` (600 s): from 1 ms to a day; what
   * is no such time throws. It counts on legacy revisions, whose client answers while the handler waits. On 2026-07-28 nothing
   * waits: the handler ends, and when its client comes back is the client's affair, as long as the state of the call lives.
   */
  readonly timeout?: Duration.Input | undefined
}

/** How a call asks its client, and what it was told. */
export interface Asks {
  /**
   * Puts questions to the client and gives back their answers, each under its question's key.
   *
   * **Do nothing irreversible before the last `ask`.** A legacy client answers while the handler waits. On newer
   * revisions the handler ends there, whatever it catches: it waits for ever, is interrupted from outside, and **runs
   * again from the top** once the client has made its request again; what has been answered is then there at once. So
   * what comes before an `ask` happens once a round, and has to lead to the same questions.
   *
   * A key that is asked again, in a loop for one, is another question. An answer to a form belongs to that very form:
   * one whose message or fields have changed since is asked again.
   *
   * ```ts
   * import { Ask, Call, Tool } from "@effective-mcp/server"
   * import { Effect, Schema } from "effect"
   *
   * export const greet = Tool.make("greet", {
   *   run: Effect.fnUntraced(function* () {
   *     const call = yield* Call
   *     const { user } = yield* call.ask({ user: Ask.form("Who are you?", { name: Schema.String }) })
   *     return user.action === "accept" ? `Hello, ${user.content.name}` : "Hello, stranger"
   *   })
   * })
   * ```
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
   */
  readonly ask: <const Q extends { readonly [key: string]: Ask<unknown> }>(
    questions: Q,
    options?: AskOptions
  ) => Effect.Effect<Answers<Q>, AskError>
  /** What the client has answered to the questions of `Ask.required`, as it came. Nothing of it is checked. */
  readonly inputResponses: { readonly [key: string]: JsonRpc.JsonObject }
  /** The state that went with them. */
  readonly requestState: string | undefined
}

/** The request being answered: a service that every handler finds in its context. */
export class Call extends Context.Service<Call, CallService>()("@effective-mcp/server/Call") {}
