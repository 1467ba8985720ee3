import { describe, expect, it } from "@effect/vitest"
import type { JsonRpc } from "@effective-mcp/protocol"
import { Invalid } from "../../src/revision/Revision.ts"

type JsonObject = JsonRpc.JsonObject
type Path = ReadonlyArray<string | number>

/** What no report may repeat. */
export const SECRET = "SECRET-CANARY"

/** One member of a value: what fits there, and what does not. */
export interface Member {
  /** Where it stands in the value. */
  readonly at: Path
  readonly fits: ReadonlyArray<unknown>
  /** Each with the place inside the member that is to be named, if that is not the member itself. */
  readonly unfit: ReadonlyArray<readonly [value: unknown, inside?: Path]>
  readonly isRequired?: true
  /** What is named instead, at least: of alternatives it is open which was meant. */
  readonly named?: Path
}

/** A kind of value, and how a result that holds one is decoded. */
export interface Kind {
  readonly name: string
  /** Every member of it. */
  readonly members: ReadonlyArray<Member>
  /** A value with none but the members that it must have. */
  readonly least: JsonObject
  readonly holder: Holder
}

export interface Holder {
  readonly decode: (wire: JsonObject) => unknown
  readonly wrap: (value: JsonObject) => JsonObject
  /** Where `wrap` puts it. */
  readonly at: Path
}

const put = (value: unknown, [key, ...rest]: Path, item: unknown): unknown => {
  if (key === undefined) return item
  if (Array.isArray(value)) return value.with(Number(key), put(value[Number(key)], rest, item))
  const object = value as JsonObject // cast: paths lead through objects and arrays
  return { ...object, [key]: put(object[key] ?? {}, rest, item) }
}

const without = (value: unknown, at: Path): unknown => {
  const [key, ...rest] = at as readonly [string | number, ...Path] // cast: no path is empty
  if (Array.isArray(value)) return value.with(Number(key), without(value[Number(key)], rest))
  const object = value as JsonObject // cast: paths lead through objects and arrays
  if (rest.length > 0) return { ...object, [key]: without(object[key], rest) }
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}

export const placeOf = (path: Path): string =>
  path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")

/** The very same object comes out, and nothing in it has changed. */
export const expectKept = (decode: Holder["decode"], wire: JsonObject): void => {
  const before = structuredClone(wire)
  expect(decode(wire)).toBe(wire)
  expect(wire).toStrictEqual(before)
}

/** Refused, with the place and nothing of what stands there. */
export const expectInvalid = (decode: Holder["decode"], wire: JsonObject, place: string, isOpen = false): void => {
  const found = decode(wire)
  expect(found).toBeInstanceOf(Invalid)
  const { detail } = found as Invalid // cast: just seen
  if (isOpen) expect(detail.slice(0, place.length)).toBe(place)
  else expect(detail).toBe(`${place} is not as the schema says`)
  expect(detail).not.toContain(SECRET)
}

/** Tests every member of a kind: alone beside those that must be there, and all together. */
export const testKind = ({ holder: { at, decode, wrap }, least, members, name }: Kind): void => {
  // cast: built of an object
  const wire = (value: unknown): JsonObject => wrap(value as JsonObject)
  const whole = members.reduce<unknown>((value, member) => put(value, member.at, member.fits[0]), least)

  describe(name, () => {
    it("is kept as it is with all its members, with the least of them, and with unknown ones", () => {
      expectKept(decode, wire(whole))
      expectKept(decode, wire(least))
      expectKept(decode, wire({ ...least, unknown: { to: ["everybody"] } }))
      for (const member of members) {
        const parent = member.at.slice(0, -1)
        if (typeof parent.at(-1) !== "string" || parent.length === 0) continue
        expectKept(decode, wire(put(whole, [...parent, "unknown"], 1)))
      }
    })

    for (const member of members) {
      const place = placeOf(member.at)
      it(`${place} may be what the schema says and nothing else`, () => {
        for (const value of member.fits) {
          expectKept(decode, wire(put(least, member.at, value)))
          expectKept(decode, wire(put(whole, member.at, value)))
        }
        for (const [value, inside = []] of member.unfit) {
          const named = placeOf([...at, ...(member.named ?? [...member.at, ...inside])])
          expectInvalid(decode, wire(put(least, member.at, value)), named, member.named !== undefined)
          expectInvalid(decode, wire(put(whole, member.at, value)), named, member.named !== undefined)
        }
      })
      const absent = wire(without(whole, member.at))
      if (member.isRequired === true) {
        const named = placeOf([...at, ...(member.named ?? member.at)])
        it(`${place} must be there`, () => expectInvalid(decode, absent, named, member.named !== undefined))
      } else {
        it(`${place} may be absent`, () => expectKept(decode, absent))
      }
    }
  })
}

/** Not a string, and not to be repeated. */
const noString: Member["unfit"] = [[{ SECRET }], [7], [null]]

export const string = (at: Path, isRequired?: true): Member => ({
  at,
  fits: ["some text", ""],
  unfit: noString,
  ...(isRequired && { isRequired })
})

export const boolean = (at: Path): Member => ({ at, fits: [true, false], unfit: [[SECRET], [0], [null]] })

export const oneOf = (at: Path, ...values: ReadonlyArray<string>): Member => ({
  at,
  fits: values,
  unfit: [[SECRET], [7], [null], [values]]
})

export const meta = (at: Path = ["_meta"]): Member => ({
  at,
  fits: [{ "example.com/x": [1, null, { a: "b" }] }, {}],
  unfit: [[SECRET], [[SECRET]], [null]]
})

export const icons = (at: Path = ["icons"]): ReadonlyArray<Member> => [
  {
    at,
    fits: [[{ src: "https://example.com/a.svg" }, { src: "data:" }], []],
    unfit: [[SECRET], [{}], [[{ src: "x" }, SECRET], [1]], [[{ theme: "dark" }], [0, "src"]]]
  },
  ...iconMembers.map((member) => ({
    at,
    fits: member.fits.map((value) => [{ src: "x", ...iconWith(member, value) }]),
    unfit: member.unfit.map(
      ([value, inside = []]) => [[{ src: "x", ...iconWith(member, value) }], [0, ...member.at, ...inside]] as const
    )
  }))
]

const iconWith = ({ at: [key] }: Member, value: unknown): JsonObject => ({ [String(key)]: value })

const iconMembers: ReadonlyArray<Member> = [
  string(["src"]),
  string(["mimeType"]),
  { at: ["sizes"], fits: [["48x48", "any"], []], unfit: [["48x48"], [["any", 48], [1]], [null]] },
  oneOf(["theme"], "light", "dark")
]
