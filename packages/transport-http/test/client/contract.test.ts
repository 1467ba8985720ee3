import { TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import { make as makeFetch } from "@effective-mcp/http/client/fetch"
import * as Effect from "effect/Effect"
import { makePair } from "./pairs.ts"

describe("Streamable HTTP, legacy", () => {
  for (const { check, name } of TransportContract.cases(makePair("legacy"))) it.live(name, () => check)
})

describe("Streamable HTTP, modern", () => {
  // what a modern request carries of itself is beside what the cases count
  const without = ["asking", "announcing", "limit"] as const
  for (const { check, name } of TransportContract.cases(makePair("modern"), { without })) it.live(name, () => check)
})

describe("Streamable HTTP, legacy, with fetch", () => {
  const makeWithFetch: TransportContract.MakePair = (fixture) =>
    Effect.flatMap(makeFetch(), (client) => makePair("legacy", { client })(fixture))
  for (const { check, name } of TransportContract.cases(makeWithFetch)) it.live(name, () => check)
})
