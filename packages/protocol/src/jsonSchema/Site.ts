import { isObject, type JsonObject } from "../JsonRpc.ts"
import type { SchemaReason } from "./SchemaError.ts"
import type { Check, Scope } from "./Run.ts"
import type { Pattern } from "./pattern.ts"
import { place, quote } from "./words.ts"

/** A schema whose check is built, or will be before any value is checked. */
export interface Node {
  readonly check: Check
  readonly scope: Scope
}

/** Where a reference leads: known once the whole schema has been read. */
export interface Link {
  readonly node: () => Node
  /** The dynamic anchor by which it was found. */
  readonly anchor: () => string | undefined
}

/** Why a schema is refused. Thrown while one is built; never leaves `compile`. */
export class Fault {
  readonly reason: SchemaReason
  constructor(reason: SchemaReason) {
    this.reason = reason
  }
}

/** One schema object while its check is built: its keywords, and what they may ask for. */
export interface Site {
  readonly schema: JsonObject
  readonly at: string
  /** Builds a subschema that stands under the keyword. */
  readonly sub: (schema: unknown, keyword: string, ...steps: ReadonlyArray<string | number>) => Check
  /** Says that some subschemas are to come: too many are refused before they are looked at. */
  readonly expect: (subschemas: number) => void
  readonly refer: (keyword: string) => Link
  readonly pattern: (source: string, keyword: string) => Pattern
}

/** What some keywords of one schema check; undefined when they are absent or say nothing. */
export type Part = (site: Site) => Check | undefined

/** What an own keyword holds. */
export const get = (site: Site, keyword: string): unknown =>
  Object.hasOwn(site.schema, keyword) ? site.schema[keyword] : undefined

export const invalid = (site: Site, keyword: string, detail: string): never => {
  throw new Fault({ _tag: "Invalid", at: place(`${site.at}/${keyword}`), detail })
}

export const number = (site: Site, keyword: string): number | undefined => {
  const value = get(site, keyword)
  if (value === undefined) return undefined
  return typeof value === "number" && Number.isFinite(value) ? value : invalid(site, keyword, "must be a number")
}

export const count = (site: Site, keyword: string): number | undefined => {
  const value = number(site, keyword)
  return value === undefined || (Number.isInteger(value) && value >= 0)
    ? value
    : invalid(site, keyword, "must be a whole number, 0 or more")
}

export const isNames = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((name) => typeof name === "string")

export const names = (site: Site, keyword: string): ReadonlyArray<string> | undefined => {
  const value = get(site, keyword)
  if (value === undefined) return undefined
  return isNames(value) ? value : invalid(site, keyword, "must be a list of names")
}

const object = (site: Site, keyword: string): JsonObject | undefined => {
  const value = get(site, keyword)
  if (value === undefined) return undefined
  return isObject(value) ? value : invalid(site, keyword, "must be an object")
}

/** The members of an object under a keyword. */
export const members = (site: Site, keyword: string): ReadonlyArray<readonly [string, unknown]> | undefined => {
  const value = object(site, keyword)
  return value === undefined ? undefined : Object.entries(value)
}

export const schema = (site: Site, keyword: string): Check | undefined => {
  const value = get(site, keyword)
  return value === undefined ? undefined : site.sub(value, keyword)
}

export const schemas = (site: Site, keyword: string): ReadonlyArray<Check> | undefined => {
  const value = get(site, keyword)
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length === 0) return invalid(site, keyword, "must be a list of schemas")
  site.expect(value.length)
  return value.map((one: unknown, index) => site.sub(one, keyword, index))
}

export const schemaMap = (site: Site, keyword: string): ReadonlyArray<readonly [string, Check]> | undefined => {
  const value = object(site, keyword)
  if (value === undefined) return undefined
  const all = Object.keys(value)
  site.expect(all.length)
  return all.map((name) => [name, site.sub(value[name], keyword, name)])
}

/** Whether an object has a member of its own; one that is undefined does not reach the wire. */
export const has = (value: JsonObject, name: string): boolean => Object.hasOwn(value, name) && value[name] !== undefined

/** How a message names a member. */
export const member = (name: string): string => `the member ${quote(name)}`
