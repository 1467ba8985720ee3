import type { Headers, HttpClient, Interceptor } from "@effective-mcp/http/client"
import { limits, type TransportError } from "@effective-mcp/protocol"
import { requireCounts } from "@effective-mcp/protocol/Limits"
import type * as Effect from "effect/Effect"

/** When a client comes back to a stream that broke, in ms. What a server asks for wins, unless it is too little. */
export interface Reconnect {
  /** How often without success. Default 2; every event, and every stream that opens, starts the count anew. */
  readonly attempts?: number | undefined
  /** The shortest wait. Default 100. */
  readonly floorMs?: number | undefined
  /** The wait where the server names none. Default 1,000. */
  readonly delayMs?: number | undefined
  /** The longest wait in all, since the last success. Default 300,000. */
  readonly totalMs?: number | undefined
}

export interface Options {
  /** Go with every request; what makes them anew runs for each. Those that the transport sets itself win. */
  readonly headers?: Headers | Effect.Effect<Headers, TransportError> | undefined
  /** Adds `Authorization: Bearer` with this key to the headers. */
  readonly apiKey?: string | undefined
  /** See each request before it is sent, the first of the list first. */
  readonly interceptors?: ReadonlyArray<Interceptor> | undefined
  /** What sends requests. Default: `node:http` on Node, `fetch` elsewhere, with connections of its own. */
  readonly client?: HttpClient | undefined
  /** Bytes of one message, as sent, and as read and expanded: a body or an event. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** Levels of nesting in one message. Default 64. */
  readonly depth?: number | undefined
  readonly reconnect?: Reconnect | undefined
}

/** Options with their defaults. */
export interface Settings {
  readonly messageBytes: number
  readonly depth: number
  readonly reconnect: { readonly [name in keyof Reconnect]-?: number }
}

/** Fills in defaults. A bound that is no count is an author's mistake: it throws. */
export const settingsOf = ({
  depth = limits.depth,
  messageBytes = limits.messageBytes,
  reconnect
}: Options): Settings => {
  const {
    attempts = limits.reconnects,
    delayMs = limits.retryMs,
    floorMs = limits.reconnectFloorMs,
    totalMs = limits.reconnectTotalMs
  } = reconnect ?? {}
  requireCounts({ messageBytes, depth, attempts, delayMs, floorMs, totalMs })
  return { messageBytes, depth, reconnect: { attempts, delayMs, floorMs, totalMs } }
}
