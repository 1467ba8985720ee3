import type { JsonRpc } from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Withheld } from "./ClientError.ts"

/** Looks at a request right before it is handed to the wire, each time that it is, and lets it pass or fails. */
export type Guard = (about: {
  readonly method: string
  /** As the wire is to have them. */
  readonly params: JsonRpc.JsonObject
}) => Effect.Effect<void, Withheld>

/** The guard of the requests of a fiber; there is one at a time. */
export const Current: Context.Reference<Guard | undefined> = Context.Reference<Guard | undefined>(
  "@effective-mcp/client/Guard",
  { defaultValue: () => undefined }
)

/**
 * Has `guard` look at every request that `use` makes, in the last moment: what a person has withdrawn meanwhile, or what
 * was meant for another session, is not sent, not even when it is sent again. It takes the place of a guard further out.
 *
 * ```ts
 * import { Client, Tools, Withheld } from "@effective-mcp/client"
 * import { Effect } from "effect"
 *
 * export const careful = (client: Client.Client, isAllowed: () => boolean) =>
 *   Client.guarded(Tools.call(client, "delete_all"), () =>
 *     isAllowed() ? Effect.void : Effect.fail(new Withheld({ why: "consent was withdrawn" }))
 *   )
 * ```
 */
export const guarded = <A, E, R>(use: Effect.Effect<A, E, R>, guard: Guard): Effect.Effect<A, E | Withheld, R> =>
  Effect.provideService(use, Current, guard)
