import { count, get, invalid, type Part } from "../Site.ts"
import { clip, printable } from "../words.ts"

/** Characters, not units of UTF-16. */
const lengthOf = (text: string): number => {
  let length = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    const next = text.charCodeAt(i + 1)
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) {
      length--
      i++
    }
  }
  return length
}

/** Characters that are counted in one step. */
const COUNTED = 64

const characters = (limit: number): string => (limit === 1 ? "1 character" : `${limit} characters`)

export const length: Part = (site) => {
  const min = count(site, "minLength") ?? 0
  const max = count(site, "maxLength") ?? Infinity
  if (min === 0 && max === Infinity) return undefined
  const tooShort = `must have at least ${characters(min)}`
  const tooLong = `must have at most ${characters(max)}`
  return (value, run) => {
    if (typeof value !== "string") return true
    // a text has at least half as many characters as units
    if (value.length <= max && value.length >= 2 * min) return true
    if (value.length < min) return run.fail("minLength", tooShort)
    run.spend(Math.ceil(value.length / COUNTED))
    const length = lengthOf(value)
    if (length < min) return run.fail("minLength", tooShort)
    return length <= max || run.fail("maxLength", tooLong)
  }
}

export const pattern: Part = (site) => {
  const source = get(site, "pattern")
  if (source === undefined) return undefined
  if (typeof source !== "string") return invalid(site, "pattern", "must be a string")
  const matches = site.pattern(source, "pattern")
  const message = `must match the pattern ${printable(clip(source))}`
  return (value, run) => typeof value !== "string" || matches(value, run) || run.fail("pattern", message)
}
