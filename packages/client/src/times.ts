import { toMillis } from "@effective-mcp/protocol"
import type * as Duration from "effect/Duration"

export { toMillis }

/** Refuses the times of one request where they are none: it throws. */
export const requireTimes = ({
  timeout,
  totalTimeout
}: {
  readonly timeout?: Duration.Input | undefined
  readonly totalTimeout?: Duration.Input | undefined
}): void => {
  if (timeout !== undefined) toMillis("timeout", timeout)
  if (totalTimeout !== undefined) toMillis("totalTimeout", totalTimeout)
}
