import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { faultAt, placeOf } from "../src/config/faultAt.ts"

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("the place where a text stops being JSON", () => {
  it.each([
    ["", 1, 1],
    ["{", 1, 2],
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3],
    ['{"a" 1}', 1, 6],
    ['{"a": 1 "b": 2}', 1, 9],
    ["[1, 2", 1, 6],
    ["[1 2]", 1, 4],
    ["[1,]", 1, 4],
    ["{} {}", 1, 4],
    ["[}", 1, 2],
    ["01", 1, 2],
    ['["a\\x"]', 1, 4],
    ['{\r\n"a": "no end\r\n}', 2, 13],
    ['["no end', 1, 2]
  ])("of %j is line %d, column %d", (text, line, column) => {
    expect(isJson(text)).toBe(false)
    expect(placeOf(text)).toBe(`line ${line}, column ${column}`)
  })
  it("is its end, where it is JSON", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(faultAt(` ${text}\n`)).toBe(text.length + 2)
      })
    )
  })
  it("is somewhere else, where a piece of it is not", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string(), (text, at, put) => {
        const place = at % (text.length + 1)
        const changed = text.slice(0, place) + put + text.slice(place + 1)
        const fault = faultAt(changed)
        if (isJson(changed)) expect(fault).toBe(changed.length)
        else {
          // what stands before it may go on as JSON, and what is there may not
          expect(fault).toBeGreaterThanOrEqual(0)
          expect(fault).toBeLessThanOrEqual(changed.length)
        }
      })
    )
  })
  it("is found in what is nested too deep for a parser", () => {
    const deep = "[".repeat(400_000)
    expect(faultAt(deep)).toBe(deep.length)
  })
})
