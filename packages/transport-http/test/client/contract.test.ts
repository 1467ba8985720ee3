import { TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import { makePair, nowhere } from "./pairs.ts"

describe("Streamable HTTP, legacy", () => {
  for (const { check, name } of TransportContract.cases(makePair("legacy"), { nowhere: nowhere("legacy") }))
    it.live(name, () => check)
})

describe("Streamable HTTP, modern", () => {
  // what a modern request carries of itself is beside what the cases count
  const without = ["asking", "announcing", "limit"] as const
  for (const { check, name } of TransportContract.cases(makePair("modern"), { nowhere: nowhere("modern"), without }))
    it.live(name, () => check)
})
