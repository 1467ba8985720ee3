import { TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import { makeWire } from "./pairs.ts"

describe("T-01 T-34 Streamable HTTP, legacy, when its wire fails it", () => {
  for (const { check, name } of TransportContract.faultCases(makeWire("legacy"))) it.live(name, () => check)
})

describe("T-01 Streamable HTTP, modern, when its wire fails it", () => {
  // each request stands alone
  const without = ["expire"] as const
  for (const { check, name } of TransportContract.faultCases(makeWire("modern"), { without }))
    it.live(name, () => check)
})
