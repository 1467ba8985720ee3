import type { JsonObject } from "../JsonRpc.ts"
import type { ServerCapabilities } from "./capabilities.ts"

/**
 * Which changes a client wants to hear of; `resourceSubscriptions` names resources by URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  readonly resourceSubscriptions?: ReadonlyArray<string>
}

/** The lists of a wish whose changes a server tells of at all. */
export const listsToldOf = (
  wish: SubscriptionFilter,
  { prompts, resources, tools }: ServerCapabilities
): SubscriptionFilter => ({
  ...(wish.toolsListChanged === true && tools?.listChanged === true ? { toolsListChanged: true } : undefined),
  ...(wish.promptsListChanged === true && prompts?.listChanged === true ? { promptsListChanged: true } : undefined),
  ...(wish.resourcesListChanged === true && resources?.listChanged === true
    ? { resourcesListChanged: true }
    : undefined)
})

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#opening-a-stream */
export interface ListenParams {
  readonly notifications: SubscriptionFilter
}

/**
 * How a server that ends a subscription in good order says so.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure
 */
export interface ListenResult {
  readonly _meta?: JsonObject
}

/**
 * What of the wish is granted.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment
 */
export interface SubscriptionsAcknowledged {
  readonly notifications: SubscriptionFilter
  readonly _meta?: JsonObject
}
