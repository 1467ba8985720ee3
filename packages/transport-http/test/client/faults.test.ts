import { TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import { makeWire } from "./pairs.ts"

describe("Streamable HTTP, legacy, when its wire fails it", () => {
  for (const { check, name } of TransportContract.faultCases(makeWire("legacy"))) it.live(name, () => check)
})

describe("Streamable HTTP, modern, when its wire fails it", () => {
  // each request stands alone
  const without = ["expire"] as const
  for (const { check, name } of TransportContract.faultCases(makeWire("modern"), { without }))
    it.live(name, () => check)
})
