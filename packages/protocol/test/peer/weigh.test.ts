import { weigh } from "../../src/peer/weigh.ts"
import fc from "fast-check"
import { expect, it } from "vitest"

it("a value weighs at least a third of its JSON text, and at most a few times all of it", () => {
  const values = fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme-ascii" })
  fc.assert(
    fc.property(values, (value) => {
      const bytes = JSON.stringify(value).length
      expect(weigh(value)).toBeGreaterThanOrEqual(bytes / 3)
      expect(weigh(value)).toBeLessThanOrEqual(bytes * 5 + 8)
    }),
    { numRuns: 1000 }
  )
})
