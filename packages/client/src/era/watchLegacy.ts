import { limits, listsToldOf, type ServerCapabilities, type SubscriptionFilter } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { CallError } from "../ClientError.ts"
import type { Hub, ServerChange } from "../Hub.ts"
import type { Send } from "../Send.ts"
import type { Watch } from "../Session.ts"
import { isWithin } from "../within.ts"
import type { Kept } from "./Kept.ts"
import type { Line } from "./Line.ts"

/** A resource that somebody watches. */
interface Watched {
  users: number
  isOn: boolean
  /** What is asked of the server about it goes out one after the other. */
  readonly oneAtATime: Semaphore.Semaphore
}

/** How many resources are subscribed to at once. */
const AT_ONCE = 8

const wants = (granted: SubscriptionFilter): ((change: ServerChange) => boolean) => {
  const uris = new Set(granted.resourceSubscriptions)
  const lists = {
    tools: granted.toolsListChanged === true,
    prompts: granted.promptsListChanged === true,
    resources: granted.resourcesListChanged === true
  }
  return (change) => {
    if (change._tag === "ListChanged") return lists[change.list]
    if (uris.has(change.uri)) return true
    for (const uri of uris) if (isWithin(change.uri, uri)) return true
    return false
  }
}

export interface Watching {
  readonly watch: Watch
  /** Whether somebody watches a resource, so that the server has to go on telling of it. */
  readonly isWatched: (uri: string) => boolean
}

/**
 * Changes on a legacy session: `resources/subscribe` for the first who watches a resource, `resources/unsubscribe` after
 * the last, and the notifications that come anyway. A resource that the server refuses is not granted; the rest is.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export const watchLegacy = (
  request: Send,
  capabilities: ServerCapabilities,
  hub: Hub,
  line: Line,
  kept: Kept
): Watching => {
  const all = new Map<string, Watched>()
  const isTold = (uri: string): boolean => kept.uris.has(uri)

  const leave = (uri: string, watched: Watched): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (--watched.users > 0) return Effect.void
      return watched.oneAtATime.withPermits(1)(
        Effect.suspend(() => {
          if (watched.users > 0) return Effect.void
          all.delete(uri)
          if (!watched.isOn || line.gone() !== undefined || isTold(uri)) return Effect.void
          const farewell = Effect.interruptible(request("resources/unsubscribe", { uri }))
          return Effect.ignore(Effect.timeoutOption(farewell, limits.farewellMs))
        })
      )
    })
  /** True once the server tells of the resource, false where it does not. */
  const join = (uri: string, watched: Watched): Effect.Effect<boolean, CallError> =>
    watched.oneAtATime.withPermits(1)(
      Effect.suspend(() => {
        if (watched.isOn || isTold(uri)) return Effect.succeed(true)
        return request("resources/subscribe", { uri }).pipe(
          Effect.map(() => (watched.isOn = true)),
          Effect.catchTag("RpcError", () => Effect.succeed(false))
        )
      })
    )
  const watchOne = (uri: string) =>
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => {
          const watched = all.get(uri) ?? { users: 0, isOn: false, oneAtATime: Semaphore.makeUnsafe(1) }
          watched.users++
          all.set(uri, watched)
          return watched
        }),
        (watched) => leave(uri, watched)
      ),
      (watched) => join(uri, watched)
    )

  const watch: Watch = (wish, hear) =>
    Effect.scoped(
      Effect.gen(function* () {
        line.again()
        const lists = listsToldOf(wish, capabilities)
        const asked = capabilities.resources?.subscribe === true ? [...new Set(wish.resourceSubscriptions)] : []
        // from before the first subscription, so that no change falls in between
        let isWanted = wants({ ...lists, resourceSubscriptions: asked })
        const early: Array<ServerChange> = []
        let tell = (change: ServerChange): void => void (early.length < limits.unread && early.push(change))
        yield* Effect.acquireRelease(
          Effect.sync(() =>
            hub.listen((heard) => {
              if ((heard._tag === "ListChanged" || heard._tag === "Updated") && isWanted(heard)) tell(heard)
            })
          ),
          (stop) => Effect.sync(stop)
        )
        const taken = yield* Effect.forEach(asked, watchOne, { concurrency: AT_ONCE })
        const resourceSubscriptions = asked.filter((_uri, at) => taken[at])
        const granted = { ...lists, ...(resourceSubscriptions.length === 0 ? undefined : { resourceSubscriptions }) }
        hear({ _tag: "Taken", granted })
        isWanted = wants(granted)
        tell = hear
        for (const change of early) if (isWanted(change)) hear(change)
        yield* Effect.flatMap(line.ended, Effect.fail)
      })
    )
  return { watch, isWatched: (uri) => all.has(uri) }
}
