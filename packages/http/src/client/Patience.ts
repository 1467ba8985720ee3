import { limits } from "@effective-mcp/protocol/Limits"
import type { TransportError } from "@effective-mcp/protocol/TransportError"
import type { EventReader } from "./EventReader.ts"

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

/** The same, with all of it settled. */
export type Reconnecting = { readonly [name in keyof Reconnect]-?: number }

/** Fills in defaults. */
export const reconnecting = ({
  attempts = limits.reconnects,
  delayMs = limits.retryMs,
  floorMs = limits.reconnectFloorMs,
  totalMs = limits.reconnectTotalMs
}: Reconnect = {}): Reconnecting => ({ attempts, delayMs, floorMs, totalMs })

/** What may be otherwise in a while. */
export const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** Attempts at one stream since it last was open. */
export class Patience {
  private readonly settings: Reconnecting
  private left: number
  private waitedMs = 0

  constructor({ reconnect }: { readonly reconnect: Reconnecting }) {
    this.settings = reconnect
    this.left = reconnect.attempts
  }

  /** Something came: all is as at the beginning. */
  restore(): void {
    this.left = this.settings.attempts
    this.waitedMs = 0
  }

  /**
   * How long to wait before the next attempt, in ms: never less than the server asks. Undefined when there is none left,
   * or no time for it.
   */
  next({ retryMs }: Pick<EventReader, "retryMs">, atLeast = 0): number | undefined {
    const { delayMs, floorMs, totalMs } = this.settings
    const wait = Math.max(retryMs ?? delayMs, floorMs, atLeast)
    if (this.left === 0 || this.waitedMs + wait > totalMs) return undefined
    this.left--
    this.waitedMs += wait
    return wait
  }
}

/** What a failed attempt asks to be waited for, in ms. */
export const askedWait = ({ reason }: TransportError): number =>
  reason._tag === "HttpStatus" ? (reason.retryAfterMs ?? 0) : 0
