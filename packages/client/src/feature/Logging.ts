import type { LoggingLevel, LogMessage } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { CallError } from "../ClientError.ts"
import { follow } from "../Hub.ts"
import { requireLevel } from "../requireLevel.ts"
import type * as Stream from "effect/Stream"
import type { RequestOptions, SessionLike } from "../Session.ts"

/**
 * Sets the least that the server logs from now on. A newer server (2026-07-28) is told with each request; one that was
 * never told logs nothing. A level that is none throws.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
 */
export const setLevel = (
  session: SessionLike,
  level: LoggingLevel,
  options?: RequestOptions
): Effect.Effect<void, CallError> => {
  requireLevel(level)
  return Effect.asVoid(session.request("logging/setLevel", { level }, options))
}

/**
 * What the server logs, from when the stream is run until the client ends; a reader that is far behind loses the oldest. No
 * pipe tells which request a log is of; where the wire does, `onLog` of a request hears its own.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#log-message-notifications
 */
export const messages = (session: SessionLike): Stream.Stream<LogMessage> =>
  follow(session.hub, (heard) => (heard._tag === "Logged" ? heard.message : undefined))
