import type { Era } from "@effective-mcp/protocol"

/**
 * Whether a subscription that was taken in one era ends with it: a legacy server has no `subscriptions/listen`, and what it tells
 * unasked is not what was agreed on.
 */
export const isAbandoned = (taken: Era | undefined, next: Era): boolean => taken === "modern" && next === "legacy"
