import { canonical } from "../canonical.ts"
import { get, invalid, isNames, type Part, type Site } from "../Site.ts"
import { Exceeded } from "../Run.ts"
import { choices, typeOf } from "../words.ts"

const isInteger = (value: unknown): boolean => Number.isInteger(value)

const types: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["null", (value: unknown) => value === null],
  ["boolean", (value: unknown) => typeof value === "boolean"],
  ["string", (value: unknown) => typeof value === "string"],
  ["number", (value: unknown) => Number.isFinite(value)],
  ["integer", isInteger],
  ["array", (value: unknown) => Array.isArray(value)],
  ["object", (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)]
])

const kindOf = (value: unknown): string => {
  if (typeof value !== "number" || isInteger(value)) return typeOf(value)
  return Number.isFinite(value) ? "number with a fraction" : "no finite number"
}

export const type: Part = (site) => {
  const value = get(site, "type")
  if (value === undefined) return undefined
  const wanted = typeof value === "string" ? [value] : value
  if (!isNames(wanted) || wanted.length === 0 || !wanted.every((name) => types.has(name)))
    return invalid(site, "type", "must be a type of JSON, or a list of some")
  const names = [...new Set(wanted)]
  const tests = names.map((name) => types.get(name)!)
  const words = names.join(" or ")
  const [test] = tests
  return (value, run) =>
    (tests.length === 1 ? test!(value) : tests.some((fits) => fits(value))) ||
    (run.failures !== undefined && run.fail("type", `must be ${words}, is ${kindOf(value)}`))
}

/** What a schema holds as a value is read once. */
const fixed = (site: Site, keyword: string, value: unknown): string => {
  try {
    return canonical(value, () => {})
  } catch (thrown) {
    if (thrown instanceof Exceeded) return invalid(site, keyword, "is nested too deep")
    throw thrown
  }
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null

/** `const` and `enum`. */
const oneOf = (site: Site, keyword: string, allowed: ReadonlyArray<unknown>): ReturnType<Part> => {
  const scalars = new Set(allowed.filter(isScalar))
  const others = new Set(allowed.filter((value) => !isScalar(value)).map((value) => fixed(site, keyword, value)))
  const words = keyword === "const" ? choices(allowed, "the") : `one of ${choices(allowed, "an")}`
  const message = allowed.length === 0 ? "is never allowed" : `must be ${words}`
  return (value, run) => {
    const fits = isScalar(value)
      ? scalars.has(value)
      : others.size > 0 && others.has(canonical(value, (steps) => run.spend(steps)))
    return fits || run.fail(keyword, message)
  }
}

export const constant: Part = (site) =>
  Object.hasOwn(site.schema, "const") ? oneOf(site, "const", [site.schema["const"]]) : undefined

export const enumeration: Part = (site) => {
  const value = get(site, "enum")
  if (value === undefined) return undefined
  return Array.isArray(value) ? oneOf(site, "enum", value) : invalid(site, "enum", "must be a list")
}
