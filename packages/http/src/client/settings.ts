import { limits, requireCounts } from "@effective-mcp/protocol/Limits"
import type { HttpClient, Interceptor } from "./HttpClient.ts"
import { type Reconnect, type Reconnecting, reconnecting } from "./Patience.ts"

/** What bounds the messages of a client, and when it comes back. */
export interface Bounds {
  /** Bytes of one message, as sent, and as read and expanded: a body or an event. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** Levels of nesting in one message. Default 64. */
  readonly depth?: number | undefined
  readonly reconnect?: Reconnect | undefined
}

/** The same with its defaults. */
export interface Settings {
  readonly messageBytes: number
  readonly depth: number
  readonly reconnect: Reconnecting
}

/** What every client of ours may be told, beside its headers. */
export interface ClientOptions extends Bounds {
  /** See each request before it is sent, the first of the list first. */
  readonly interceptors?: ReadonlyArray<Interceptor> | undefined
  /** What sends requests. Default: `node:http` on Node, `fetch` elsewhere, with connections of its own. */
  readonly client?: HttpClient | undefined
}

/** Fills in defaults. A bound that is no count is an author's mistake: it throws. */
export const settingsOf = ({
  depth = limits.depth,
  messageBytes = limits.messageBytes,
  reconnect
}: Bounds): Settings => {
  const settled = reconnecting(reconnect)
  requireCounts({ messageBytes, depth, ...settled })
  return { messageBytes, depth, reconnect: settled }
}
