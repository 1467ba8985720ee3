import { JsonRpc } from "@effective-mcp/protocol"
import { isSame } from "../Mismatch.ts"
import { clip } from "./errors.ts"

/** The values that names stand for. */
export type Captures = ReadonlyMap<string, unknown>

/** An object that has this member may have others that are not written down. */
export const OTHERS = "..."

/** What is meant by a text: any value, the value of a name, or itself. A `$` before a `$` only says that the second is one. */
const NAME = /^\$([A-Za-z_][A-Za-z0-9_]*)$/
const ANY = "any"

const nameIn = (value: string): string | undefined => NAME.exec(value)?.[1]
const plain = (value: string): string => (value.startsWith("$$") ? value.slice(1) : value)

/** Writes a text so that it means itself. */
export const escape = (value: string): string => (value.startsWith("$") ? `$${value}` : value)

/** The names in a pattern, `any` among them; undefined when it is nested deeper than that many levels. */
export const namesIn = (pattern: unknown, levels: number): ReadonlyArray<string> | undefined => {
  if (typeof pattern === "string") return [nameIn(pattern) ?? []].flat()
  if (typeof pattern !== "object" || pattern === null) return []
  if (levels === 0) return undefined
  const all: Array<string> = []
  for (const value of Object.values(pattern)) {
    const names = namesIn(value, levels - 1)
    if (names === undefined) return undefined
    all.push(...names)
  }
  return all
}

export const isAny = (name: string): boolean => name === ANY

/** The value that a pattern without `$any` stands for. */
export const fill = (pattern: unknown, captures: Captures): unknown => {
  if (typeof pattern === "string") {
    const name = nameIn(pattern)
    return name === undefined ? plain(pattern) : captures.get(name)
  }
  if (Array.isArray(pattern)) return pattern.map((item) => fill(item, captures))
  if (!JsonRpc.isObject(pattern)) return pattern
  // entries, not assignment: a key called __proto__ is a key like any other
  return Object.fromEntries(Object.entries(pattern).map(([key, value]) => [key, fill(value, captures)]))
}

const member = (path: string, key: string): string => {
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${path}[${clip(key, 100)}]`
  return path === "" ? key : `${path}.${key}`
}

const differs = (path: string, expected: string, actual: unknown): string =>
  `${path === "" ? "the whole" : path}: ${expected} expected, ${actual === undefined ? "nothing" : clip(actual, 200)} found`

/**
 * Holds a value against a pattern; says where they first differ.
 *
 * @param captures gets the values of names that stand here for the first time
 * @param isPartial whether every object may have members that are not written down
 */
export const differenceOf = (
  pattern: unknown,
  actual: unknown,
  captures: Map<string, unknown>,
  isPartial: boolean,
  path = ""
): string | undefined => {
  if (typeof pattern === "string") {
    const name = nameIn(pattern)
    if (name === undefined)
      return actual === plain(pattern) ? undefined : differs(path, clip(plain(pattern), 200), actual)
    if (isAny(name)) return undefined
    if (!captures.has(name)) {
      captures.set(name, actual)
      return undefined
    }
    const known = captures.get(name)
    return isSame(known, actual) ? undefined : differs(path, `${clip(known, 200)} ($${name})`, actual)
  }
  if (Array.isArray(pattern)) {
    if (!Array.isArray(actual)) return differs(path, "an array", actual)
    for (const [i, item] of pattern.entries()) {
      if (i >= actual.length) return differs(`${path}[${i}]`, clip(item, 200), undefined)
      const difference = differenceOf(item, actual[i], captures, isPartial, `${path}[${i}]`)
      if (difference !== undefined) return difference
    }
    return actual.length > pattern.length
      ? differs(`${path}[${pattern.length}]`, "nothing", actual[pattern.length])
      : undefined
  }
  if (!JsonRpc.isObject(pattern))
    return Object.is(pattern, actual) ? undefined : differs(path, clip(pattern, 200), actual)
  if (!JsonRpc.isObject(actual)) return differs(path, "an object", actual)
  for (const [key, value] of Object.entries(pattern)) {
    if (key === OTHERS) continue
    if (!Object.hasOwn(actual, key)) return differs(member(path, key), clip(value, 200), undefined)
    const difference = differenceOf(value, actual[key], captures, isPartial, member(path, key))
    if (difference !== undefined) return difference
  }
  if (isPartial || Object.hasOwn(pattern, OTHERS)) return undefined
  const extra = Object.keys(actual).find((key) => !Object.hasOwn(pattern, key))
  return extra === undefined ? undefined : differs(member(path, extra), "nothing", actual[extra])
}
