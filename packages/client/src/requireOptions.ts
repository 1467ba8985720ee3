import { requireLevel } from "./requireLevel.ts"
import type { RequestOptions } from "./Session.ts"
import { requireTimes } from "./times.ts"

/** Refuses what means nothing in the options of a request: a mistake of the author, it throws. */
export const requireOptions = (options: RequestOptions): void => {
  requireTimes(options)
  if (options.logLevel !== undefined) requireLevel(options.logLevel)
}
