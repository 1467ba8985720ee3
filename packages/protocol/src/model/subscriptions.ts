import type { JsonObject } from "../JsonRpc.ts"

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
