import * as Duration from "effect/Duration"
import { format } from "effect/Formatter"
import * as Option from "effect/Option"

const isNoNumber = (value: unknown): boolean => typeof value === "number" && Number.isNaN(value)

/** What Effect would take for no time at all. */
const holdsNoNumber = (input: Duration.Input): boolean =>
  typeof input === "object" && !Duration.isDuration(input) ? Object.values(input).some(isNoNumber) : isNoNumber(input)

/**
 * A length of time in ms; `Infinity` is no bound. Tells an author at once of one that cannot be read, and of one that is
 * negative: it throws.
 */
export const toMillis = (name: string, input: Duration.Input): number => {
  const ms = input === null || holdsNoNumber(input) ? undefined : Option.getOrUndefined(Duration.fromInput(input))
  if (ms === undefined || Duration.isNegative(ms)) throw new Error(`${name} is not a length of time: ${format(input)}`)
  return Duration.toMillis(ms)
}
