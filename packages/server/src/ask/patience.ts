import { limits, toMillis } from "@effective-mcp/protocol"
import type { AskOptions } from "../Call.ts"

/** How long a client may be asked, in ms, and how often one call may ask it. */
export interface Patience {
  readonly questionMs: number
  readonly inputRounds: number
  readonly legacyInputRounds: number
}

/** A day, and more rounds than any person takes part in. */
const most: Patience = { questionMs: 86_400_000, inputRounds: 100, legacyInputRounds: 100 }

/** What is left out is as the limits have it. What is no count, or too much, is a mistake of the author: it throws. */
export const patienceOf = (given: { readonly [name in keyof Patience]?: number | undefined }): Patience => {
  const read = (name: keyof Patience): number => {
    const value = given[name] ?? limits[name]
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} is not a count: ${value}`)
    if (value > most[name]) throw new Error(`${name} is over ${most[name]}: ${value}`)
    return value
  }
  return {
    questionMs: read("questionMs"),
    inputRounds: read("inputRounds"),
    legacyInputRounds: read("legacyInputRounds")
  }
}

/** How long the questions of one `ask` wait, in ms; undefined where it does not say. What is no such time throws as well. */
export const timeoutOf = ({ timeout }: AskOptions): number | undefined => {
  if (timeout === undefined) return undefined
  const ms = toMillis("timeout", timeout)
  if (ms < 1) throw new Error(`timeout is under 1 ms: ${ms}`)
  if (ms > most.questionMs) throw new Error(`timeout is over ${most.questionMs} ms: ${ms}`)
  return ms
}
