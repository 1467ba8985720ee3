import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { List } from "./Changes.ts"
import type { Source } from "./changes/Hub.ts"
import type { Feature } from "./Feature.ts"

/** Features that change while their server runs. */
export type FeaturesRef<F extends ReadonlyArray<Feature<unknown>>> = SubscriptionRef.SubscriptionRef<F>

type Features = ReadonlyArray<Feature<unknown>>

const LIST_OF: { readonly [K in Feature["kind"]]: List | undefined } = {
  tool: "tools",
  resource: "resources",
  template: "resources",
  prompt: "prompts",
  extension: undefined
}

const inList = (features: Features, list: List): Features => features.filter(({ kind }) => LIST_OF[kind] === list)

/** Which lists are not what they were. */
export const changedLists = (before: Features, after: Features): ReadonlyArray<List> =>
  (["tools", "resources", "prompts"] as const).filter((list) => {
    const [old, now] = [inList(before, list), inList(after, list)]
    return old.length !== now.length || old.some((feature, at) => feature !== now[at])
  })

/** Tells which lists change with the set. What changes and changes back within a turn is not told. */
export const changesOf =
  (ref: SubscriptionRef.SubscriptionRef<Features>): Source =>
  (hear) =>
    Effect.suspend(() => {
      let last = SubscriptionRef.getUnsafe(ref)
      return SubscriptionRef.changes(ref).pipe(
        Stream.runForEachArray(() =>
          // a turn later, when all that changes together has changed
          Effect.map(Effect.yieldNow, () => {
            const now = SubscriptionRef.getUnsafe(ref)
            for (const list of changedLists(last, now)) hear({ _tag: "ListChanged", list })
            last = now
          })
        ),
        Effect.forkScoped({ startImmediately: true }),
        Effect.asVoid
      )
    })
