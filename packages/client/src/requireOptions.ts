import { type LoggingLevel, loggingLevels, quote } from "@effective-mcp/protocol"
import type { RequestOptions } from "./Session.ts"
import { requireTimes } from "./times.ts"

/** Refuses a level that is none: a mistake of the author, it throws. */
export const requireLevel = (level: LoggingLevel): void => {
  if (!loggingLevels.includes(level)) throw new Error(`there is no such level: ${quote(String(level))}`)
}

/** Refuses in the same way what means nothing in the options of a request. */
export const requireOptions = (options: RequestOptions): void => {
  requireTimes(options)
  if (options.logLevel !== undefined) requireLevel(options.logLevel)
}
