import type { LoggingLevel } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { CallError } from "../ClientError.ts"
import { requireLevel } from "../levels.ts"
import type { RequestOptions, Session } from "../Session.ts"

/**
 * Sets the least that the server logs from now on. A newer server (2026-07-28) is told with each request; one that was
 * never told logs nothing. A level that is none throws.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
 */
export const setLevel = (
  session: Session,
  level: LoggingLevel,
  options?: RequestOptions
): Effect.Effect<void, CallError> => {
  requireLevel(level)
  return Effect.asVoid(session.request("logging/setLevel", { level }, options))
}
