import type { Revision, Root, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"

const CHANGED = "notifications/roots/list_changed"

/**
 * Tells a server whose revision can be told that the roots have changed; what changes within a turn is told once.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots#root-list-changes
 */
export const tellRoots = (
  ref: SubscriptionRef.SubscriptionRef<ReadonlyArray<Root>>,
  revision: () => Revision | undefined,
  notify: (method: string) => Effect.Effect<void, TransportError>
) =>
  Effect.suspend(() => {
    let last = SubscriptionRef.getUnsafe(ref)
    return SubscriptionRef.changes(ref).pipe(
      Stream.runForEachArray(() =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.suspend(() => {
            const now = SubscriptionRef.getUnsafe(ref)
            if (now === last) return Effect.void
            last = now
            return revision()?.notifications.fromClient[CHANGED] === undefined
              ? Effect.void
              : Effect.ignore(notify(CHANGED))
          })
        )
      ),
      Effect.forkScoped({ startImmediately: true }),
      Effect.asVoid
    )
  })
