import type { JsonRpc } from "@effective-mcp/protocol"
import type { Tape } from "./Tape.ts"

/** What no report may repeat. */
export const SECRET = "SECRET-CANARY"

/** Names that objects inherit, names that look like others, and plain ones. */
export const names: readonly [string, ...ReadonlyArray<string>] = [
  "a",
  "b",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "x-vendor/y",
  "é🦜",
  "Name",
  "prototype"
]

const scalars: readonly [unknown, ...ReadonlyArray<unknown>] = [
  null,
  true,
  false,
  0,
  -1,
  7.5,
  -0.5,
  1e300,
  2 ** 53 - 1,
  "",
  SECRET,
  "a",
  "\u2028\u0000\ud800",
  "__proto__"
]

/** An object with these members, `__proto__` one like the others. */
export const objectOf = (members: ReadonlyArray<readonly [string, unknown]>): JsonRpc.JsonObject =>
  Object.fromEntries(members)

/** The same JSON value, the members of its objects in the other order. */
export const turned = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(turned)
  return objectOf(
    Object.entries(value)
      .map(([name, held]) => [name, turned(held)] as const)
      .reverse()
  )
}

/** Any JSON value, at most `depth` deep. */
export const json = (tape: Tape, depth = 3): unknown => {
  const choice = depth === 0 ? 0 : tape.below(6)
  if (choice === 4) {
    const items = tape.list(3, () => json(tape, depth - 1))
    return tape.once(4) ? [...items, ...items.map(turned)] : items
  }
  if (choice === 5) return objectOf(tape.list(3, () => [tape.pick(names), json(tape, depth - 1)]))
  return tape.pick(scalars)
}

/** Fails when the prototype of all objects has been changed. */
export const expectNoPollution = (): void => {
  for (const name in {}) throw new Error(`Object.prototype has ${name}`)
}
