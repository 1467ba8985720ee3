import * as Effect from "effect/Effect"
import type * as SubscriptionRef from "effect/SubscriptionRef"
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

/** Whoever makes a set that changes has loaded them; other servers start without. */
const modules = Effect.promise(() => Promise.all([import("effect/Stream"), import("effect/SubscriptionRef")]))

/** Tells which lists change with the set. What changes and changes back within a turn is not told. */
export const changesOf =
  (ref: SubscriptionRef.SubscriptionRef<Features>): Source =>
  (hear) =>
    Effect.suspend(() => {
      let last = ref.value
      // a turn later, when all that changes together has changed
      const compare = Effect.map(Effect.yieldNow, () => {
        const now = ref.value
        for (const list of changedLists(last, now)) hear({ _tag: "ListChanged", list })
        last = now
      })
      return Effect.flatMap(modules, ([Stream, SubscriptionRef]) =>
        SubscriptionRef.changes(ref).pipe(
          Stream.runForEachArray(() => compare),
          Effect.forkScoped({ startImmediately: true }),
          Effect.asVoid
        )
      )
    })
