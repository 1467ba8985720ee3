import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { line, parseReplay, target } from "./Target.ts"

const small = target("small", fc.nat(), (input) => {
  if (input > 1_000) throw new Error(`more than 1000: ${input}`)
})
const endless = target("endless", fc.nat(), () => {})

describe("a target", () => {
  it("that fails says the smallest input, and how to see just that again", () => {
    const { failure = "" } = small.run({ inputs: 1_000, seed: 7 })
    expect(failure).toContain("more than 1000: 1001")
    const replay = /FUZZ_REPLAY=(\S+),/.exec(failure)?.[1] ?? ""
    const { name, path, seed } = parseReplay(replay)
    expect([name, seed]).toStrictEqual(["small", 7])
    const again = small.run({ inputs: 1_000, seed, path })
    expect(again.inputs).toBe(1)
    expect(again.failure).toContain("more than 1000: 1001")
  })

  it("is no failure for having run out of time", () => {
    const report = endless.run({ inputs: 1_000_000_000, ms: 20, seed: 1 })
    expect(report.failure).toBeUndefined()
    expect(report.inputs).toBeLessThan(1_000_000_000)
    expect(line(report)).toContain("seed 1")
  })

  it("has the same inputs for the same seed", () => {
    const seen: Array<ReadonlyArray<number>> = []
    const kept = target("kept", fc.array(fc.nat()), (input) => void seen.push(input))
    kept.run({ inputs: 50, seed: 3 })
    kept.run({ inputs: 50, seed: 3 })
    expect(seen.slice(50)).toStrictEqual(seen.slice(0, 50))
  })
})
