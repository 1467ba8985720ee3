import type { SubscriptionFilter } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Watch } from "../Session.ts"
import { filterOf, LISTS } from "../subscriptions/filter.ts"
import type { Member } from "./Member.ts"
import { joinUri, splitUri } from "./names.ts"

/** What of a wish concerns one server, in its own words; undefined when nothing does. */
const wishOf = (key: string, { resourceSubscriptions = [], ...lists }: SubscriptionFilter) => {
  const own = resourceSubscriptions.map(splitUri).flatMap((to) => (to?.key === key ? [to.rest] : []))
  const isAny = own.length > 0 || LISTS.some((list) => lists[list] === true)
  return isAny ? { ...lists, ...(own.length > 0 && { resourceSubscriptions: own }) } : undefined
}

/** What several servers have granted, as one. A list is granted when any of them tells of it. */
const together = (granted: ReadonlyArray<readonly [key: string, filter: SubscriptionFilter]>): SubscriptionFilter => {
  const uris = granted.flatMap(([key, { resourceSubscriptions = [] }]) =>
    resourceSubscriptions.map((uri) => joinUri(key, uri))
  )
  const lists = LISTS.filter((list) => granted.some(([, filter]) => filter[list] === true))
  return filterOf(lists, uris)
}

/** Watches all servers that a wish concerns; what one of them fails with ends it. */
export const watchOf =
  (members: ReadonlyArray<Member>): Watch =>
  (wish, hear, isAgain, eras) =>
    Effect.suspend(() => {
      const wishes = members.flatMap(({ key, session }) => {
        const own = wishOf(key, wish)
        return own === undefined ? [] : [{ key, session, own }]
      })
      const granted: Array<readonly [string, SubscriptionFilter]> = []
      if (wishes.length === 0) hear({ _tag: "Taken", granted: {} })
      return Effect.forEach(
        wishes,
        ({ key, own, session }) =>
          session.watch(
            own,
            (told) => {
              if (told._tag !== "Taken")
                return hear(told._tag === "Updated" ? { ...told, uri: joinUri(key, told.uri) } : told)
              granted.push([key, told.granted])
              if (granted.length === wishes.length) hear({ _tag: "Taken", granted: together(granted) })
            },
            isAgain,
            eras
          ),
        { concurrency: "unbounded", discard: true }
      )
    })
