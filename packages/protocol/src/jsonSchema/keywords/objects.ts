import { isObject } from "../../JsonRpc.ts"
import type { Pattern } from "../pattern.ts"
import type { Check, Run } from "../Run.ts"
import { count, has, invalid, isNames, member, members, names, type Part, schema, schemaMap } from "../Site.ts"
import { quote } from "../words.ts"

/** `properties`, `patternProperties` and `additionalProperties`, which belong together. */
export const properties: Part = (site) => {
  const declared = schemaMap(site, "properties") ?? []
  const patterns = (schemaMap(site, "patternProperties") ?? []).map(([source, check]): readonly [Pattern, Check] => [
    site.pattern(source, "patternProperties"),
    check
  ])
  const additional = schema(site, "additionalProperties")
  if (declared.length === 0 && patterns.length === 0 && additional === undefined) return undefined
  const known = new Set(declared.map(([name]) => name))
  const isClosed = site.schema["additionalProperties"] === false

  const checkOther = (value: unknown, name: string, run: Run): boolean => {
    if (additional === undefined) return true
    if (!isClosed) return run.child(additional, value, name)
    return run.fail("additionalProperties", `must not have ${member(name)}`)
  }
  /** Members that a pattern names, and those that nothing names. */
  const checkRest = (value: { readonly [name: string]: unknown }, run: Run): boolean => {
    let fits = true
    for (const name of run.names(value)) {
      const held = value[name]
      if (held === undefined) continue
      run.spend(1)
      let isNamed = known.has(name)
      for (const [matches, check] of patterns) {
        if (!matches(name, run)) continue
        isNamed = true
        run.evaluated?.addName(name)
        fits = run.child(check, held, name) && fits
      }
      if (!isNamed) fits = checkOther(held, name, run) && fits
      if (!fits && run.failures === undefined) return false
    }
    return fits
  }
  return (value, run) => {
    if (!isObject(value)) return true
    let fits = true
    run.spend(declared.length)
    for (const [name, check] of declared) {
      if (!has(value, name)) continue
      run.evaluated?.addName(name)
      if (!run.child(check, value[name], name)) {
        if (run.failures === undefined) return false
        fits = false
      }
    }
    if (patterns.length === 0 && additional === undefined) return fits
    fits = checkRest(value, run) && fits
    if (additional !== undefined && run.evaluated !== undefined) run.evaluated.allNames = true
    return fits
  }
}

export const required: Part = (site) => {
  const all = names(site, "required")
  if (all === undefined || all.length === 0) return undefined
  return (value, run) => {
    if (!isObject(value)) return true
    let fits = true
    run.spend(all.length)
    for (const name of all)
      if (!has(value, name)) {
        if (run.failures === undefined) return false
        fits = run.fail("required", `must have ${member(name)}`)
      }
    return fits
  }
}

export const size: Part = (site) => {
  const min = count(site, "minProperties") ?? 0
  const max = count(site, "maxProperties") ?? Infinity
  if (min === 0 && max === Infinity) return undefined
  return (value, run) => {
    if (!isObject(value)) return true
    const size = run.names(value).filter((name) => value[name] !== undefined).length
    if (size < min) return run.fail("minProperties", `must have at least ${min} members`)
    return size <= max || run.fail("maxProperties", `must have at most ${max} members`)
  }
}

export const propertyNames: Part = (site) => {
  const check = schema(site, "propertyNames")
  if (check === undefined) return undefined
  return (value, run) => {
    if (!isObject(value)) return true
    let fits = true
    for (const name of run.names(value)) {
      if (value[name] === undefined || run.test(check, name)) continue
      if (run.failures === undefined) return false
      fits = run.fail("propertyNames", `must not have a member with the name ${quote(name)}`)
    }
    return fits
  }
}

/** What a member asks for when it is there: other members, or a schema of the whole. */
const dependents =
  (keyword: string, holds: "names" | "schemas" | "both"): Part =>
  (site) => {
    const all = members(site, keyword)?.map(([name, value]): readonly [string, Check] => {
      if (holds !== "schemas" && isNames(value)) return [name, needs(keyword, name, value)]
      if (holds !== "names") return [name, site.sub(value, keyword, name)]
      return invalid(site, keyword, "must hold lists of names")
    })
    if (all === undefined || all.length === 0) return undefined
    return (value, run) => {
      if (!isObject(value)) return true
      let fits = true
      run.spend(all.length)
      for (const [name, check] of all)
        if (has(value, name) && !check(value, run)) {
          if (run.failures === undefined) return false
          fits = false
        }
      return fits
    }
  }

const needs =
  (keyword: string, because: string, all: ReadonlyArray<string>): Check =>
  (value, run) => {
    run.spend(all.length)
    const missing = isObject(value) ? all.find((name) => !has(value, name)) : undefined
    return missing === undefined || run.fail(keyword, `must have ${member(missing)}, since it has ${member(because)}`)
  }

export const dependentRequired = dependents("dependentRequired", "names")
export const dependentSchemas = dependents("dependentSchemas", "schemas")
export const dependencies = dependents("dependencies", "both")

export const unevaluatedProperties: Part = (site) => {
  const check = schema(site, "unevaluatedProperties")
  if (check === undefined) return undefined
  const isClosed = site.schema["unevaluatedProperties"] === false
  return (value, run) => {
    const { evaluated } = run
    if (!isObject(value) || evaluated === undefined) return true
    let fits = true
    for (const name of run.names(value)) {
      const held = value[name]
      run.spend(1)
      if (held === undefined || evaluated.hasName(name)) continue
      if (isClosed) fits = run.fail("unevaluatedProperties", `must not have ${member(name)}`)
      else fits = run.child(check, held, name) && fits
      if (!fits && run.failures === undefined) return false
    }
    evaluated.allNames = true
    return fits
  }
}
