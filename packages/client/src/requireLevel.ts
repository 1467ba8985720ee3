import { type LoggingLevel, loggingLevels, quote } from "@effective-mcp/protocol"

/** Refuses a level that is none: a mistake of the author, it throws. */
export const requireLevel = (level: LoggingLevel): void => {
  if (!loggingLevels.includes(level)) throw new Error(`there is no such level: ${quote(String(level))}`)
}
