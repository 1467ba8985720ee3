import { type Definitions, type JsonSchema, nameOf, resolve } from "../revision/fixtures.ts"
import type { Tape } from "./Tape.ts"
import { json, names, objectOf } from "./values.ts"

const texts: readonly [string, ...ReadonlyArray<string>] = ["a", "", "é🦜\u2028", "https://example.com/a", "__proto__"]
const integers: readonly [number, ...ReadonlyArray<number>] = [0, 1, -1, 2 ** 53 - 1, 7]
const fractions: readonly [number, ...ReadonlyArray<number>] = [0, 1, 0.5, 0.1]
const numbers: readonly [number, ...ReadonlyArray<number>] = [0, 1, -1, 0.5, 1e300]

/** Members that nobody defines. */
const unknown: readonly [string, ...ReadonlyArray<string>] = [
  "x-vendor/y",
  "__proto__",
  "constructor",
  "toString",
  "é🦜",
  "Name"
]

/** Makes what one definition allows. */
export type Make = (tape: Tape, depth: number) => unknown

/** Definitions as makers of values: each is looked at once. */
export const makers = (definitions: Definitions): ((schema: JsonSchema) => Make) => {
  const named = new Map<string, Make>()

  const ofObject = ({ additionalProperties, properties = {}, required = [] }: JsonSchema): Make => {
    const members = Object.entries(properties).map(([name, part]) => ({
      name,
      make: of(part),
      isRequired: required.includes(name)
    }))
    const rest = typeof additionalProperties === "object" ? of(additionalProperties) : undefined
    return (tape, depth) => {
      const held: Array<readonly [string, unknown]> = []
      // beyond the depth only what must be there, and most often not all of what may
      const often = depth <= 0 ? 0 : 2 + tape.below(3)
      for (const { isRequired, make, name } of members) {
        if (isRequired || (often > 0 && tape.once(often))) held.push([name, make(tape, depth - 1)])
      }
      if (depth > 0 && rest !== undefined)
        held.push(...tape.list(2, () => [tape.pick(names), rest(tape, depth - 1)] as const))
      else if (depth > 0 && tape.once(6)) held.push([tape.pick(unknown), json(tape, 2)])
      return objectOf(held)
    }
  }

  const made = (schema: JsonSchema): Make => {
    const found = resolve(definitions, schema)
    if (found.const !== undefined) return () => found.const
    if (found.enum !== undefined) return (tape) => tape.pick(found.enum ?? [])
    if (found.anyOf !== undefined) return choice(found.anyOf.map(of))
    if (Array.isArray(found.type)) return choice(found.type.map((type) => of({ ...found, type })))
    switch (found.type) {
      case "string":
        return (tape) => tape.pick(texts)
      case "integer":
        return (tape) => tape.pick(integers)
      case "number":
        return found.maximum === 1 ? (tape) => tape.pick(fractions) : (tape) => tape.pick(numbers)
      case "boolean":
        return (tape) => tape.once(2)
      case "null":
        return () => null
      case "array": {
        const item = of(found.items ?? {})
        return (tape, depth) => (depth <= 0 ? [] : tape.list(3, () => item(tape, depth - 1)))
      }
      case "object":
        return ofObject(found)
      default:
        return (tape) => json(tape, 2)
    }
  }

  const choice =
    (alternatives: ReadonlyArray<Make>): Make =>
    (tape, depth) =>
      alternatives[depth < -3 ? 0 : tape.below(alternatives.length)]?.(tape, depth)

  const of = (schema: JsonSchema): Make => {
    if (schema.$ref === undefined) return made(schema)
    const name = nameOf(schema.$ref)
    const known = named.get(name)
    if (known !== undefined) return known
    // a definition may hold itself
    let make: Make | undefined
    const later: Make = (tape, depth) => (make ??= made(schema))(tape, depth)
    named.set(name, later)
    return later
  }
  return of
}

type Path = ReadonlyArray<string | number>

const pathsOf = (value: unknown, path: Path, found: Array<Path>): void => {
  found.push(path)
  if (typeof value !== "object" || value === null) return
  for (const [key, held] of Object.entries(value))
    pathsOf(held, [...path, Array.isArray(value) ? Number(key) : key], found)
}

/** The value with what stands at a place changed; no `undefined` is left. */
const change = (value: unknown, [key, ...rest]: Path, by: (held: unknown) => unknown): unknown => {
  if (key === undefined) return by(value)
  if (Array.isArray(value)) {
    const held = change(value[Number(key)], rest, by)
    return held === undefined ? value.toSpliced(Number(key), 1) : value.with(Number(key), held)
  }
  return objectOf(
    Object.entries(Object(value)).flatMap(([name, old]): ReadonlyArray<readonly [string, unknown]> => {
      const held = name === key ? change(old, rest, by) : old
      return held === undefined ? [] : [[name, held]]
    })
  )
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value with one thing about it changed: what comes of it may be as good as before. */
export const mutated = (tape: Tape, value: unknown): unknown => {
  const paths: Array<Path> = []
  pathsOf(value, [], paths)
  const path = paths[(tape.byte() * 256 + tape.byte()) % paths.length] ?? []
  const junk = json(tape, 2)
  switch (tape.below(7)) {
    case 0:
      return change(value, path, () => junk)
    case 1:
      return path.length === 0 ? value : change(value, path, () => undefined)
    case 2:
      return change(value, path, (held) =>
        isObject(held) ? objectOf([...Object.entries(held), ["__proto__", junk]]) : junk
      )
    case 3: {
      const name = tape.pick(unknown)
      return change(value, path, (held) =>
        isObject(held) ? objectOf([...Object.entries(held), [name, junk]]) : [held]
      )
    }
    case 4:
      return change(value, path, (held) => (Array.isArray(held) ? [...held, junk, ...held] : [held]))
    case 5:
      return change(value, path, (held) => (typeof held === "string" ? held.toUpperCase() : JSON.stringify(held)))
    default:
      return change(value, path, (held) => (typeof held === "number" ? held + 0.5 : { type: held }))
  }
}
