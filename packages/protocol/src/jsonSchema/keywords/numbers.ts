import { invalid, number, type Part } from "../Site.ts"

/** A bound on numbers that fails with the words and the bound. */
const bound =
  (keyword: string, words: string, fits: (value: number, limit: number) => boolean): Part =>
  (site) => {
    const limit = number(site, keyword)
    if (limit === undefined) return undefined
    const message = `must be ${words} ${limit}`
    return (value, run) => typeof value !== "number" || fits(value, limit) || run.fail(keyword, message)
  }

export const minimum = bound("minimum", "at least", (value, limit) => value >= limit)
export const maximum = bound("maximum", "at most", (value, limit) => value <= limit)
export const exclusiveMinimum = bound("exclusiveMinimum", "over", (value, limit) => value > limit)
export const exclusiveMaximum = bound("exclusiveMaximum", "under", (value, limit) => value < limit)

/** A number as digits and a power of ten, exactly as it is written. */
const decimal = (value: number): readonly [digits: bigint, power: number] => {
  const [digits = "", power = "0"] = Math.abs(value).toString().split("e")
  const [whole = "", fraction = ""] = digits.split(".")
  return [BigInt(whole + fraction), Number(power) - fraction.length]
}

/** In decimal: 0.3 is a multiple of 0.1. */
const isMultiple = (value: number, of: number): boolean => {
  if (!Number.isFinite(value)) return false
  const [digits, power] = decimal(value)
  const [divisor, divisorPower] = decimal(of)
  const shift = power - divisorPower
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisor === 0n
    : digits % (divisor * 10n ** BigInt(-shift)) === 0n
}

/** Steps that dividing in decimal takes: numbers may have 600 digits. */
const DIVISION = 100

export const multipleOf: Part = (site) => {
  const of = number(site, "multipleOf")
  if (of === undefined) return undefined
  if (of <= 0) return invalid(site, "multipleOf", "must be over 0")
  const message = `must be a multiple of ${of}`
  return (value, run) => {
    if (typeof value !== "number") return true
    if (Number.isSafeInteger(value) && Number.isSafeInteger(of))
      return value % of === 0 || run.fail("multipleOf", message)
    run.spend(DIVISION)
    return isMultiple(value, of) || run.fail("multipleOf", message)
  }
}
