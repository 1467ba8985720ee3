import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { detect } from "../src/index.ts"
import { corpus, replay, sentOf } from "./support/replay.ts"

const PING = "POST ping"
const DISCOVER = "POST server/discover"
const INITIALIZE = "POST initialize"
const LEFT = "DELETE"
const GET = "GET"

/** What is there, or why nobody can tell; and what is sent to find out. */
const rows: Record<string, readonly [found: string, ...sent: ReadonlyArray<string>]> = {
  "official-v1-stateful": ["streamable-http", PING, DISCOVER, INITIALIZE, LEFT],
  "official-v1-stateless": ["streamable-http", PING],
  "official-v1-sse": ["sse", PING, GET],
  "official-v2-stateful": ["streamable-http", PING, DISCOVER],
  "official-v2-stateless": ["streamable-http", PING],
  "official-v2-modern": ["streamable-http", PING],
  "effect-ai-both": ["streamable-http", PING, DISCOVER],
  "effect-ai-modern": ["streamable-http", PING],
  "effect-ai-legacy": ["streamable-http", PING, DISCOVER],
  "everything-http": ["streamable-http", PING, DISCOVER, INITIALIZE, LEFT],
  "everything-sse": ["sse", PING, GET],
  "fastmcp-http": ["streamable-http", PING, DISCOVER, INITIALIZE, LEFT],
  "fastmcp-stateless": ["streamable-http", PING],
  "fastmcp-sse": ["sse", PING, GET],
  "ours-both": ["streamable-http", PING, DISCOVER],
  "ours-modern": ["streamable-http", PING],
  "ours-legacy": ["streamable-http", PING, DISCOVER, INITIALIZE, LEFT],
  "ours-stateless": ["streamable-http", PING],
  "json-rpc": ["streamable-http", PING],
  "json-rpc-404": ["streamable-http", PING],
  "json-rpc-400": ["plain", PING, DISCOVER, INITIALIZE, GET],
  "json-400": ["plain", PING, INITIALIZE, GET],
  "empty-400": ["plain", PING, INITIALIZE, GET],
  "json-200": ["plain", PING, GET],
  "html-200": ["NothingHere", PING, GET],
  "html-400": ["NothingHere", PING, GET],
  "html-404": ["NothingHere", PING, GET],
  "html-get-only": ["NothingHere", PING, GET],
  "json-404": ["NothingHere", PING, GET],
  "empty-200": ["NothingHere", PING, GET],
  "empty-204": ["NothingHere", PING, GET],
  "text-200": ["NothingHere", PING, GET],
  "redirect-here": ["streamable-http", PING],
  "redirect-away": ["Redirected", PING],
  "redirect-sign-in": ["Redirected", PING],
  "status-401-challenge": ["NeedsAuth", PING],
  "status-401-bare": ["NeedsAuth", PING],
  "status-401-get": ["NeedsAuth", PING, GET],
  "status-403": ["NeedsAuth", PING],
  "status-429": ["Unavailable", PING],
  "status-500": ["Unavailable", PING],
  "status-501": ["Unavailable", PING],
  "status-503": ["Unavailable", PING],
  silent: ["TimedOut", PING],
  slow: ["TimedOut", PING],
  closing: ["Broken", PING]
}

const ids: Record<string, string> = {
  "streamable-http": "T-61 ",
  sse: "T-62 ",
  plain: "T-63 ",
  NothingHere: "T-63 ",
  NeedsAuth: "T-67 ",
  TimedOut: "T-64 "
}

describe("an address that answers as it was recorded", () => {
  it("is one of those that are known here", () => {
    expect(Object.keys(rows).toSorted()).toEqual(corpus.map(({ name }) => name).toSorted())
  })

  for (const entry of corpus) {
    const [found = "", ...sent] = rows[entry.name] ?? []
    it.effect(`${ids[found] ?? ""}${entry.name}: ${found}`, () =>
      Effect.gen(function* () {
        const { client, held, seen } = replay(entry)
        const detecting = yield* Effect.forkChild(
          Effect.match(detect("http://127.0.0.1/mcp?key=secret", { client }), {
            onFailure: ({ evidence, reason }) => ({ found: reason._tag as string, evidence }),
            onSuccess: ({ evidence, kind }) => ({ found: kind as string, evidence })
          }),
          { startImmediately: true }
        )
        yield* TestClock.adjust("10 seconds")
        const got = yield* Fiber.join(detecting)
        expect(got.found).toBe(found)
        expect(seen.map(sentOf)).toEqual(sent)
        expect(got.evidence.map(({ sent }) => sent)).toEqual(sent)
        expect(seen.every(({ url }) => url === "http://127.0.0.1/mcp?key=secret")).toBe(true)
        expect(held.count).toBe(0)
      })
    )
  }
})
