import type { Check, Run } from "../Run.ts"
import { type Part, schema, schemas } from "../Site.ts"
import type { Failure } from "../ValueError.ts"
import { clip } from "../words.ts"

export const allOf: Part = (site) => {
  const all = schemas(site, "allOf")
  if (all === undefined) return undefined
  return (value, run) => {
    let fits = true
    for (const check of all)
      if (!check(value, run)) {
        if (run.failures === undefined) return false
        fits = false
      }
    return fits
  }
}

/** Keywords by which a reader sees that an alternative is not the one that was meant. */
const telling = new Set(["type", "const", "enum", "false"])

/** Whether an alternative may have been meant: neither the value nor a member of it tells otherwise. */
const isMeant = (failures: ReadonlyArray<Failure>, here: string): boolean =>
  failures.every(({ keyword, path }) => {
    if (!telling.has(keyword)) return true
    const rest = path.slice(here.length)
    return rest !== "" && (keyword === "type" || rest.indexOf("/", 1) >= 0)
  })

/** Alternatives that a message tells something of, and characters of what it tells of each. */
const TOLD = 4
const TOLD_OF_EACH = 80

/** What alternatives say first of the value itself. */
const tell = (all: ReadonlyArray<ReadonlyArray<Failure>>, here: string): string => {
  const told = new Set<string>()
  for (const [first] of all) if (first?.path === here) told.add(clip(first.message, TOLD_OF_EACH))
  return told.size === 0 || told.size > TOLD ? "" : `: ${[...told].join("; ")}`
}

/** Says that no alternative fits and, where only one can have been meant, why that one does not. */
const explain = (keyword: string, all: ReadonlyArray<Check>, value: unknown, run: Run): false => {
  const here = run.here()
  const found = all.map((check) => {
    const failures: Array<Failure> = []
    run.attempt(check, value, failures)
    return failures
  })
  const meant = found.filter((failures) => isMeant(failures, here))
  const only = meant.length === 1 ? meant[0] : undefined
  const more = only === undefined ? tell(found, here) : ""
  run.fail(keyword, `must match one of ${all.length} alternatives${more}`)
  if (only !== undefined) run.adopt(only)
  return false
}

/** How many alternatives fit. Stops at `enough` unless it matters what the others look at. */
const matches = (all: ReadonlyArray<Check>, enough: number, value: unknown, run: Run): number => {
  let found = 0
  for (const check of all)
    if (run.attempt(check, value) && ++found >= enough && run.evaluated === undefined) return found
  return found
}

export const anyOf: Part = (site) => {
  const all = schemas(site, "anyOf")
  if (all === undefined) return undefined
  return (value, run) => {
    if (matches(all, 1, value, run) > 0) return true
    return run.failures !== undefined && explain("anyOf", all, value, run)
  }
}

export const oneOf: Part = (site) => {
  const all = schemas(site, "oneOf")
  if (all === undefined) return undefined
  return (value, run) => {
    const found = matches(all, 2, value, run)
    if (found === 1) return true
    if (run.failures === undefined) return false
    return found === 0
      ? explain("oneOf", all, value, run)
      : run.fail("oneOf", "must match one alternative, not several")
  }
}

export const not: Part = (site) => {
  const check = schema(site, "not")
  if (check === undefined) return undefined
  return (value, run) => !run.test(check, value) || run.fail("not", "must not match what is excluded")
}

export const conditional: Part = (site) => {
  const condition = schema(site, "if")
  const then = schema(site, "then")
  const otherwise = schema(site, "else")
  if (condition === undefined) return undefined
  return (value, run) => {
    const next = run.attempt(condition, value) ? then : otherwise
    return next === undefined || next(value, run)
  }
}
