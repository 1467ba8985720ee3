import { Exceeded } from "./Run.ts"

/** Levels of a value that is compared as a whole. */
const DEPTH = 128

/** Steps that an object or a list takes, and each of its members. */
const WHOLE = 4
const MEMBER = 3

const write = (value: unknown, depth: number, spend: (steps: number) => void): string => {
  if (typeof value === "string") {
    spend(1 + (value.length >>> 4))
    return JSON.stringify(value)
  }
  spend(1)
  if (typeof value !== "object" || value === null) return String(value)
  if (depth === 0) throw new Exceeded("depth")
  spend(WHOLE)
  let text = ""
  if (Array.isArray(value)) {
    for (const item of value) text += `${write(item, depth - 1, spend)},`
    return `[${text}]`
  }
  const members = Object.entries(value)
  spend(MEMBER * members.length)
  if (members.length > 1) members.sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, member] of members)
    if (member !== undefined) text += `${JSON.stringify(name)}:${write(member, depth - 1, spend)},`
  return `{${text}}`
}

/**
 * A text that two JSON values share exactly when they are equal: members in any order, `1` and `1.0` the same. Calls
 * `spend` as it goes; throws `Exceeded` for a value nested too deep.
 */
export const canonical = (value: unknown, spend: (steps: number) => void): string => write(value, DEPTH, spend)
