import { methodTable } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { omit } from "../../src/revision/project.ts"
import { cases, isInvalid } from "./cases.ts"

/** What travels with a request beside its parameters. */
const beside = ["_meta", "task", "inputResponses", "requestState"]

/** Nested deeper than any stack, where anything may stand. */
const deep = (depth: number): unknown => {
  let value: unknown = 1
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { a: value }
  return value
}

const hostile = () => ({
  ...JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null}'
  ),
  Id: 1,
  METHOD: "tools/call",
  Name: 5,
  "name ": 5,
  Cursor: 5,
  "x-vendor": deep(100_000)
})

const expectClean = (value: unknown): void => {
  expect(Object.getPrototypeOf({})).not.toHaveProperty("polluted")
  expect(Reflect.get(Object(value), "polluted")).toBeUndefined()
  expect(Object.getPrototypeOf(Object(value))).toBe(Object.prototype)
}

for (const { method, params, result, version } of cases) {
  describe(`${method} of ${version}`, () => {
    it("has parameters that are read, and written as they were but for what travels with every request", () => {
      for (const sample of params.samples) {
        const before = JSON.stringify(sample)
        const read = params.decode(sample)
        expect(isInvalid(read)).toBe(false)
        if (result !== undefined)
          expect(Object.keys(Object(read))).not.toEqual(expect.arrayContaining([expect.toBeOneOf(beside)]))
        expect(omit(Object(params.encode(read)), beside)).toEqual(omit(sample, beside))
        expect(JSON.stringify(sample)).toBe(before)
      }
    })

    it("reads the same with strange members beside, and passes them on as what they are or not at all", () => {
      for (const sample of params.samples.slice(0, 3)) {
        const read = params.decode({ ...sample, ...hostile() })
        expect(isInvalid(read)).toBe(false)
        expectClean(read)
        expectClean(params.encode(read))
        expect(read).toMatchObject(Object(params.decode(sample)))
      }
    })

    it("takes the name of a member in no other case", () => {
      const [sample = {}] = params.samples
      for (const name of params.required.filter((name) => !beside.includes(name))) {
        const { [name]: held, ...others } = sample
        expect(isInvalid(params.decode(others))).toBe(true)
        for (const other of [name.toUpperCase(), `${name} `, `_${name}`]) {
          expect(isInvalid(params.decode({ ...others, [other]: held }))).toBe(true)
        }
      }
    })

    it("takes the last of members with the same name, as JSON has it", () => {
      const [sample = {}] = params.samples
      const twice = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`
      const members = Object.entries(sample).flatMap(([name, value]) => [twice(name, 5), twice(name, value)])
      expect(isInvalid(params.decode(JSON.parse(`{${members.join()}}`)))).toBe(false)
    })

    if (result === undefined) return
    it("has results that are kept as they are, with what nobody here knows, and written as they were", () => {
      for (const sample of result.samples) {
        const before = JSON.stringify(sample)
        expect(result.decode(sample)).toBe(sample)
        expect(result.encode(sample)).toMatchObject(sample)
        expect(JSON.stringify(sample)).toBe(before)
      }
      for (const sample of result.samples.slice(0, 3)) {
        const strange = { ...sample, ...hostile() }
        const keys = Object.keys(strange)
        expect(result.decode(strange)).toBe(strange)
        expect(Object.keys(strange)).toEqual(keys)
        const written = result.encode(strange)
        expectClean(written)
        expect(Object.keys(Object(written))).toEqual(expect.arrayContaining(["x-vendor", "__proto__"]))
      }
    })
  })
}

describe("what is tested here", () => {
  it("is all that the table of methods has", () => {
    const rows = Object.values(methodTable()).flatMap(({ revisions }) => Object.values(revisions).flat())
    expect(cases.length).toBe(rows.length)
  })
})
