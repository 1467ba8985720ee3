import type { SubscriptionFilter } from "@effective-mcp/protocol"

/** What of a filter asks for changes of a list. */
export const LISTS = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] as const

/** A filter of these lists and resources; what it does not hold is left out. */
export const filterOf = (
  lists: ReadonlyArray<(typeof LISTS)[number]>,
  uris: ReadonlyArray<string>
): SubscriptionFilter => ({
  ...Object.fromEntries(lists.map((list) => [list, true])),
  ...(uris.length === 0 ? undefined : { resourceSubscriptions: uris })
})
