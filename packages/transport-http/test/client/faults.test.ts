import { TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import { EventStore } from "../../src/server/index.ts"
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

describe("T-01 Streamable HTTP, legacy, whose streams are resumed, when its wire fails it", () => {
  const reconnect = { delayMs: 20, floorMs: 20 }
  const resuming: TransportContract.MakeWire = (fixture) =>
    makeWire("legacy", { reconnect }, { events: EventStore.memory(), retryMs: 20 })(fixture)
  // silence is no reason to come back: the other cases are those above
  const cases = TransportContract.faultCases(resuming, { resumes: true })
  for (const { check, name } of cases.filter(({ name }) => /reset|half|dies|crash/.test(name)))
    it.live(name, () => check)
})
