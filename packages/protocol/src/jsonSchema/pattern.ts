import { RE2JS } from "re2js"
import { Refused, toRe2 } from "./ecmaScript.ts"
import { Exceeded, type Run } from "./Run.ts"

/** Whether a text matches, somewhere in it. */
export type Pattern = (text: string, run: Run) => boolean

/** Characters of a pattern. */
const LENGTH = 4_096
/** Instructions of one compiled pattern, and of all of a schema; each pattern has some that do not show. */
const SIZE = 2_500
const SIZE_OF_ALL = 25_000
const SIZE_OF_EACH = 25
/** Instructions times characters: of one match, which nothing can interrupt, and of one step. */
export const MATCH = 16_000_000
const STEP = 64
/** Steps of any match. */
const CALL = 4

/** Milliseconds of matching after which what was remembered is dropped. */
const MEMORY_MS = 250

const read = (source: string): RE2JS => {
  if (source.length > LENGTH) throw new Refused("it is too large")
  const translated = toRe2(source, SIZE)
  try {
    return RE2JS.compile(translated)
  } catch {
    throw new Refused("it is no regular expression, or has something that has no linear time")
  }
}

/**
 * Compiles the patterns of one schema, which share a bound. Each throws `Refused`. What a pattern remembers of the texts it
 * saw may grow to megabytes, so all are compiled anew after a while.
 */
export const patterns = (): ((source: string) => Pattern) => {
  const known = new Map<string, Pattern>()
  let total = 0
  let generation = 0
  let spent = 0
  const make = (source: string): Pattern => {
    let expression = read(source)
    let born = generation
    const size = expression.programSize()
    total += size + SIZE_OF_EACH
    if (size > SIZE || total > SIZE_OF_ALL) throw new Refused("it is too large, or all patterns are together")
    return (text, run) => {
      const work = size * (text.length + 1)
      if (work > MATCH) throw new Exceeded("match")
      run.spend(CALL + Math.ceil(work / STEP))
      const start = performance.now()
      if (born !== generation) {
        expression = read(source)
        born = generation
      }
      const matches = expression.test(text)
      const ms = performance.now() - start
      spent += ms
      if (spent > MEMORY_MS) {
        spent = 0
        generation++
      }
      run.spendPattern(ms)
      return matches
    }
  }
  return (source) => {
    const before = known.get(source)
    if (before !== undefined) return before
    const pattern = make(source)
    known.set(source, pattern)
    return pattern
  }
}
