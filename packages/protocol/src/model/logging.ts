import type { JsonObject } from "../JsonRpc.ts"

/**
 * How much a message matters, the least first: the levels of RFC 5424.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#log-levels
 */
export const loggingLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const

export type LoggingLevel = (typeof loggingLevels)[number]

/**
 * The least that the client wants to hear from now on.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#setting-log-level
 */
export interface SetLevelParams {
  readonly level: LoggingLevel
}

/**
 * What a server logs; `data` is any JSON, `logger` says where it comes from.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
 */
export interface LogMessage {
  readonly level: LoggingLevel
  readonly data: unknown
  readonly logger?: string
  readonly _meta?: JsonObject
}
