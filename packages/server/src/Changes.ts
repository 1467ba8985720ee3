import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What of a server is a list that may change. */
export type List = "tools" | "resources" | "prompts"

/** Something that clients may want to hear of; plain data, so that it can cross to another process. */
export type Change =
  | { readonly _tag: "ListChanged"; readonly list: List }
  | { readonly _tag: "Updated"; readonly uri: string }

/**
 * Where the changes of a server are told and heard. The one of `make` reaches one process; another one, over an engine
 * that several nodes share, reaches the clients of all. `ChangesContract` of `@effective-mcp/testkit` tries one.
 *
 * - `publish` reaches everybody who has subscribed by then, in the order of one publisher.
 * - `subscribe` hears from when it has completed until its scope is closed. `hear` neither waits nor throws.
 */
export interface Changes {
  readonly publish: (change: Change) => Effect.Effect<void>
  readonly subscribe: (hear: (change: Change) => void) => Effect.Effect<void, never, Scope.Scope>
}

/** That a list is not what it was: what clients have read of it is stale. */
export const listChanged = (list: List): Change => ({ _tag: "ListChanged", list })

/** That a resource holds something else than before. */
export const updated = (uri: string): Change => ({ _tag: "Updated", uri })

/**
 * Changes within this process.
 *
 * ```ts
 * import { Changes, Resource, Server } from "@effective-mcp/server"
 * import { Effect } from "effect"
 *
 * let count = 0
 * const changes = Changes.make()
 * const counter = Resource.make("counter://now", { read: Effect.sync(() => `${count}`) })
 * const server = Server.make({ name: "counter", version: "1.0.0" }, [counter], { changes })
 *
 * export const increment = Effect.suspend(() => {
 *   count++
 *   return changes.publish(Changes.updated("counter://now"))
 * })
 * ```
 */
export const make = (): Changes => {
  const all = new Set<{ readonly hear: (change: Change) => void }>()
  return {
    publish: (change) =>
      Effect.sync(() => {
        for (const { hear } of all) hear(change)
      }),
    subscribe: (hear) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => {
            // an object of its own: the same function may subscribe twice
            const one = { hear }
            all.add(one)
            return one
          }),
          (one) => Effect.sync(() => all.delete(one))
        )
      )
  }
}
