import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { effectAi } from "../peers/effectAi.ts"
import { officialV1 } from "../peers/officialV1.ts"
import { officialV2 } from "../peers/officialV2.ts"
import { ours } from "../peers/ours.ts"
import type { Peer, Remote } from "../peers/Peer.ts"
import { calculatorServer, everythingServer, filesServer, type Program } from "../peers/Program.ts"

const legacy = "2025-11-25"
const modern = "2026-07-28"

/** Connects, asks, and closes; the server has ended when this has. */
const visit = <A>(peer: Peer, program: Program, of: (remote: Remote) => Effect.Effect<A, unknown>) =>
  Effect.scoped(Effect.flatMap(peer.connect(program), of))

/** What every client must get out of our server: a list, a structured result, a text, and failures as results. */
const files = (peer: Peer, revision: string) =>
  visit(peer, filesServer, (remote) =>
    Effect.gen(function* () {
      expect(remote).toMatchObject({ server: "files", revision })
      expect(yield* remote.tools).toEqual(["list", "search", "read"])

      const found = yield* remote.call("search", { text: "a tool is a value", limit: 1 })
      const match = { path: "tools.md", line: 3, text: expect.stringContaining("A tool is a value") }
      expect(found.isError).toBe(false)
      expect(found.structured).toMatchObject({ matches: [match], truncated: expect.any(Boolean) })
      expect(JSON.parse(found.text)).toEqual(found.structured)

      const read = yield* remote.call("read", { path: "tools.md" })
      expect(read).toMatchObject({ isError: false, structured: undefined })
      expect(read.text).toMatch(/^# Tools\n[^]*Tool\.make\(/)

      const refused = yield* remote.call("read", { path: "../package.json" })
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("has .. in it") })
      const wrong = yield* remote.call("search", { text: 1 })
      expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("text") })
    })
  )

describe("the official v2 client calls our server in both eras", () => {
  it.live("pinned to the modern one", () => files(officialV2({ pin: modern }), modern))
  it.live("finding out by itself that it is modern", () => files(officialV2("auto"), modern))
  it.live("by the handshake, which is its default", () => files(officialV2(), legacy))
})

it.live("the official v1 client calls our server", () => files(officialV1, legacy))

describe("the client of effect/ai calls our server in both eras", () => {
  it.live("modern", () => files(effectAi(modern), modern))
  it.live("legacy", () => files(effectAi(legacy), legacy))
})

describe("our client calls our server in both eras", () => {
  it.live("modern", () => files(ours("modern"), modern))
  it.live("legacy", () => files(ours("legacy"), legacy))
  it.live("finding out by itself that it is modern", () => files(ours("auto"), modern))

  it.live.each(["modern", "legacy"] as const)("and hears its progress: %s", (era) =>
    visit(ours(era), filesServer, (remote) =>
      Effect.map(remote.call("search", { text: "adds two numbers" }), ({ progress }) => {
        expect(progress).toBeGreaterThan(1)
      })
    )
  )
})

it.live("a tool that does not exist is an error to every client", () =>
  Effect.forEach([officialV2({ pin: modern }), officialV2(), officialV1, ours("modern"), ours("legacy")], (peer) =>
    visit(peer, filesServer, ({ call }) =>
      Effect.map(Effect.flip(call("nothing", {})), (error) => {
        expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("Unknown tool: nothing") })
      })
    )
  )
)

describe("our client calls the reference server", () => {
  it.live("and lists, calls, and hears progress, having found out that it is a legacy one", () =>
    visit(ours("auto"), everythingServer, (remote) =>
      Effect.gen(function* () {
        expect(remote).toMatchObject({ server: "mcp-servers/everything", revision: legacy })
        expect(yield* remote.tools).toEqual(expect.arrayContaining(["echo", "get-sum", "get-structured-content"]))
        const text = `"quotes", line\nbreaks, \u2028, 世界 🌍, ${"x".repeat(100_000)}`
        expect((yield* remote.call("echo", { message: text })).text).toBe(`Echo: ${text}`)
        expect((yield* remote.call("get-sum", { a: 19, b: 23 })).text).toBe("The sum of 19 and 23 is 42.")
        const weather = yield* remote.call("get-structured-content", { location: "Chicago" })
        expect(weather.structured).toEqual({ temperature: 36, conditions: "Light rain / drizzle", humidity: 82 })
        const slow = yield* remote.call("trigger-long-running-operation", { duration: 0.1, steps: 3 })
        expect(slow).toMatchObject({ isError: false, progress: 3 })
        expect((yield* remote.call("get-sum", { a: "no number", b: 1 })).isError).toBe(true)
      })
    )
  )

  it.live("also when told that it is legacy, and not when told that it is modern", () =>
    Effect.gen(function* () {
      const sum = visit(ours("legacy"), everythingServer, ({ call }) => call("get-sum", { a: 1, b: 2 }))
      expect((yield* sum).text).toContain("3")
      const error = yield* Effect.flip(visit(ours("modern"), everythingServer, () => Effect.void))
      expect(error).toMatchObject({ _tag: "NoCommonRevision" })
    })
  )
})

it.live("the server of ten lines adds", () =>
  Effect.forEach([ours("modern"), ours("legacy"), officialV2(), officialV1], (peer) =>
    visit(peer, calculatorServer, ({ call, tools }) =>
      Effect.gen(function* () {
        expect(yield* tools).toEqual(["add"])
        expect(yield* call("add", { a: 19, b: 23 })).toMatchObject({ text: "42", isError: false })
      })
    )
  )
)
