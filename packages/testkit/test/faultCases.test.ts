import { TransportContract } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import { overPair, without } from "./overPair.ts"

describe("T-01 a pair, when its wire fails it", () => {
  for (const { check, name } of TransportContract.faultCases(overPair, { without })) it.live(name, () => check)
})

it("a case about what a wire cannot suffer is there, and says that it does not apply", () => {
  const all = TransportContract.faultCases(overPair)
  const some = TransportContract.faultCases(overPair, { without })
  expect(all.every(({ applies }) => applies)).toBe(true)
  expect(some.length).toBe(all.length)
  const idle = some.filter(({ applies }) => !applies)
  expect(idle.length).toBe(3)
  expect(idle.every(({ name }) => /^does not apply \(no (expire|crash)\): /.test(name))).toBe(true)
  expect(new Set(some.map(({ name }) => name)).size).toBe(some.length)
})
