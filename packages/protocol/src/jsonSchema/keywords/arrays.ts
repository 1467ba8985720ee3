import { canonical } from "../canonical.ts"
import type { Check, Run } from "../Run.ts"
import { count, get, invalid, type Part, schema, schemas, type Site } from "../Site.ts"

/** Checks items one by one from an index on. */
const each = (check: Check, items: ReadonlyArray<unknown>, from: number, run: Run): boolean => {
  let fits = true
  for (let index = from; index < items.length; index++)
    if (!run.child(check, items[index], index)) {
      if (run.failures === undefined) return false
      fits = false
    }
  return fits
}

/** The first items each have a schema of their own, the others share one. */
const tuple = (first: ReadonlyArray<Check>, rest: Check | undefined): Check | undefined => {
  if (first.length === 0 && rest === undefined) return undefined
  return (value, run) => {
    if (!Array.isArray(value)) return true
    let fits = true
    for (const [index, check] of first.entries()) {
      if (index === value.length) break
      if (!run.child(check, value[index], index)) {
        if (run.failures === undefined) return false
        fits = false
      }
    }
    if (rest !== undefined) fits = each(rest, value, first.length, run) && fits
    const { evaluated } = run
    if (evaluated !== undefined)
      evaluated.items = Math.max(evaluated.items, rest === undefined ? first.length : Infinity)
    return fits
  }
}

const closed = (site: Site, keyword: string, rest: Check | undefined, from: number): Check | undefined => {
  if (rest === undefined || site.schema[keyword] !== false) return rest
  return (_value, run) =>
    run.fail(keyword, from === 0 ? "must not be there" : `must not be there: ${from} items at most`)
}

/** `prefixItems`, and `items` for those that follow. */
export const items: Part = (site) => {
  if (Array.isArray(get(site, "items")))
    return invalid(site, "items", "must be a schema: lists of schemas stand under prefixItems in this dialect")
  const first = schemas(site, "prefixItems") ?? []
  return tuple(first, closed(site, "items", schema(site, "items"), first.length))
}

/** `items` of older dialects, one schema or a list, and `additionalItems` for those that follow a list. */
export const itemsOrList: Part = (site) => {
  const value = get(site, "items")
  const additional = schema(site, "additionalItems")
  if (!Array.isArray(value)) return tuple([], closed(site, "items", schema(site, "items"), 0))
  const first = value.map((one: unknown, index) => site.sub(one, "items", index))
  return tuple(first, closed(site, "additionalItems", additional, first.length))
}

export const size: Part = (site) => {
  const min = count(site, "minItems") ?? 0
  const max = count(site, "maxItems") ?? Infinity
  if (min === 0 && max === Infinity) return undefined
  return (value, run) => {
    if (!Array.isArray(value)) return true
    if (value.length < min) return run.fail("minItems", `must have at least ${min} items, has ${value.length}`)
    return value.length <= max || run.fail("maxItems", `must have at most ${max} items, has ${value.length}`)
  }
}

export const uniqueItems: Part = (site) => {
  const value = get(site, "uniqueItems")
  if (value !== undefined && typeof value !== "boolean") return invalid(site, "uniqueItems", "must be true or false")
  if (value !== true) return undefined
  return (value, run) => {
    if (!Array.isArray(value)) return true
    const seen = new Map<unknown, number>()
    const seenWhole = new Map<string, number>()
    for (const [index, item] of value.entries()) {
      const isWhole = typeof item === "object" && item !== null
      run.spend(1)
      const key = isWhole ? canonical(item, (steps) => run.spend(steps)) : item
      const before = isWhole ? seenWhole.get(String(key)) : seen.get(key)
      if (before !== undefined)
        return run.fail("uniqueItems", `must not have equal items, as at ${before} and ${index}`)
      if (isWhole) seenWhole.set(String(key), index)
      else seen.set(key, index)
    }
    return true
  }
}

const amount = (found: number): string => (found === 1 ? "1 item" : `${found} items`)

/** How many items fit, between a least and a most. `marks` tells whether they count as looked at. */
const containing =
  (marks: boolean, isCounted: boolean): Part =>
  (site) => {
    const check = schema(site, "contains")
    const min = isCounted ? (count(site, "minContains") ?? 1) : 1
    const max = isCounted ? (count(site, "maxContains") ?? Infinity) : Infinity
    if (check === undefined) return undefined
    return (value, run) => {
      if (!Array.isArray(value)) return true
      const evaluated = marks ? run.evaluated : undefined
      let found = 0
      for (const [index, item] of value.entries()) {
        if (!run.test(check, item)) continue
        found++
        evaluated?.addItem(index)
        if (evaluated === undefined && (found > max || (found >= min && max === Infinity))) break
      }
      if (found < min) return run.fail("contains", `must hold at least ${amount(min)} of the kind that is asked for`)
      return found <= max || run.fail("maxContains", `must hold at most ${amount(max)} of the kind that is counted`)
    }
  }

export const contains = containing(true, true)
export const containsUnmarked = containing(false, true)
export const containsOne = containing(false, false)

export const unevaluatedItems: Part = (site) => {
  const check = schema(site, "unevaluatedItems")
  if (check === undefined) return undefined
  const isClosed = site.schema["unevaluatedItems"] === false
  return (value, run) => {
    const { evaluated } = run
    if (!Array.isArray(value) || evaluated === undefined) return true
    let fits = true
    for (const [index, item] of value.entries()) {
      run.spend(1)
      if (evaluated.hasItem(index)) continue
      if (isClosed) fits = run.fail("unevaluatedItems", `must not have an item at ${index}`)
      else fits = run.child(check, item, index) && fits
      if (!fits && run.failures === undefined) return false
    }
    evaluated.items = Infinity
    return fits
  }
}
