import type { Notification, Request } from "../JsonRpc.ts"
import { CLIENT_CAPABILITIES, of, PROTOCOL_VERSION } from "../Meta.ts"
import type { Era } from "./Era.ts"

const modernOnly: ReadonlySet<string> = new Set(["server/discover", "subscriptions/listen"])

/**
 * The era that a message opens, for a server that speaks both. Nothing is locked: each message speaks for itself, and
 * one that says nothing belongs to the legacy conversation.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export const opening = (message: Request | Notification): Era => {
  const meta = of(message.params)
  return PROTOCOL_VERSION in meta || CLIENT_CAPABILITIES in meta || modernOnly.has(message.method) ? "modern" : "legacy"
}
