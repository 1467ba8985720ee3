import type { Script } from "./script.ts"
import type { Step } from "./steps.ts"

/** How long a request waits where nobody says, in ms. */
const REQUEST_MS = 30_000

const waitOf = (step: Step): number => {
  const { timeoutMs = 0 } = step
  switch (step.op) {
    case "parallel":
      return Math.max(timeoutMs, ...step.steps.map(waitOf))
    case "cancelAfter":
      return Math.max(timeoutMs, waitOf(step.step))
    default:
      return timeoutMs
  }
}

/** The longest that any request of a script may wait, in ms: a wire with a patience of its own must not have less. */
export const longestWait = ({ options = {}, steps }: Script): number =>
  Math.max(REQUEST_MS, options.requestTimeoutMs ?? 0, ...steps.map(waitOf))
