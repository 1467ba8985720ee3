import { limits, requireCounts } from "@effective-mcp/protocol/Limits"
import { type Reconnect, type Reconnecting, reconnecting } from "./Patience.ts"

/** What bounds the messages of a client, and when it comes back. */
export interface Bounds {
  readonly messageBytes?: number | undefined
  readonly depth?: number | undefined
  readonly reconnect?: Reconnect | undefined
}

/** The same with its defaults. */
export interface Settings {
  readonly messageBytes: number
  readonly depth: number
  readonly reconnect: Reconnecting
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
