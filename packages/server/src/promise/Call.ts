import type { LoggingLevel, PrincipalService } from "@effective-mcp/protocol"
import type { Answers, Ask } from "../Ask.ts"
import type { AskOptions, CallService } from "../Call.ts"

/** What a handler knows of the request it answers, and what it may do to its caller while it runs. */
export interface Call extends Pick<CallService, "request" | "meta" | "client" | "clientCapabilities"> {
  /** Who calls, as the transport has verified it; undefined where it verifies nobody. */
  readonly principal: PrincipalService | undefined
  /**
   * Aborts when the caller cancels or leaves, and when a question ends the handler. What listens to it, as `fetch` does,
   * stops; so does what waits for `progress` or `log`, which then reject with its reason.
   */
  readonly signal: AbortSignal
  /**
   * Tells the caller how far the work has got. A value that is not greater than the last one is left out, and so is
   * everything when the caller did not ask for progress. Takes as long as the wire is full.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
   */
  readonly progress: (progress: number, total?: number, message?: string) => Promise<void>
  /**
   * Tells the caller something that it may show or keep; `data` is any JSON, `logger` says where it comes from. It is
   * left out when the server does not offer logging, and when the caller did not ask for that level. Never log secrets
   * here: it leaves the process. Takes as long as the wire is full.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
   */
  readonly log: (level: LoggingLevel, data: unknown, logger?: string) => Promise<void>
  /**
   * Puts questions to the client and gives back their answers, each under its question's key. Rejects with an `AskError`
   * where one gets none.
   *
   * **Do nothing irreversible before the last `ask`.** A legacy client answers while the handler waits. On newer
   * revisions the handler ends there: this promise **never settles**, so that neither `catch` nor `finally` runs,
   * `signal` aborts, and the handler **runs again from the top** once the client has made its request again; what has
   * been answered is then there at once. So what comes before an `ask` happens once a round, and has to lead to the same
   * questions; and what is held during one is let go of when `signal` aborts.
   *
   * It does not settle once the call is cancelled, either.
   *
   * ```ts
   * import { Ask, tool } from "@effective-mcp/server/promise"
   * import * as z from "zod"
   *
   * export const greet = tool("greet", {
   *   run: async (_, call) => {
   *     const { user } = await call.ask({ user: Ask.form("Who are you?", z.object({ name: z.string() })) })
   *     return user.action === "accept" ? `Hello, ${user.content.name}` : "Hello, stranger"
   *   }
   * })
   * ```
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
   */
  readonly ask: <const Q extends { readonly [key: string]: Ask<unknown> }>(
    questions: Q,
    options?: AskOptions
  ) => Promise<Answers<Q>>
}
