import { limits } from "@effective-mcp/protocol/Limits"
import type { EndpointOptions, SessionBounds } from "./EndpointOptions.ts"

/** Refuses bounds that nothing could be held to: nothing is over one that is no number. A mistake of the author: it throws. */
export const requirePositive = (bounds: { readonly [name: string]: number }): void => {
  for (const [name, value] of Object.entries(bounds)) {
    if (!(value > 0)) throw new Error(`${name} is not positive: ${value}`)
  }
}

/** What an endpoint and its sessions are held to, defaults included. A bound that is out of range throws. */
export const boundsOf = (
  options: Pick<EndpointOptions, "bodiesBytes" | "depth" | "drainMs" | "keepAliveMs" | "messageBytes" | "stallMs">,
  sessions: SessionBounds
) => {
  const { bodiesBytes = limits.bodiesBytes, depth = limits.depth, messageBytes = limits.messageBytes } = options
  const { drainMs = limits.drainMs, keepAliveMs = limits.keepAliveMs, stallMs = limits.stallMs } = options
  const { idleMs = limits.sessionIdleMs, most = limits.sessions, reaperMs = limits.reaperMs } = sessions
  const bounds = { bodiesBytes, depth, messageBytes, keepAliveMs, stallMs, idleMs, most, reaperMs }
  requirePositive(bounds)
  if (!(drainMs >= 0)) throw new Error(`drainMs is negative: ${drainMs}`)
  return { ...bounds, drainMs }
}
