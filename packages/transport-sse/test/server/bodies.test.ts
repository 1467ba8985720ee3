import { JsonRpc } from "@effective-mcp/protocol"
import { Fixture } from "@effective-mcp/testkit"
import { stalling } from "@effective-mcp/testkit/test/stalling"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { local } from "../support/local.ts"

describe("the bodies of all messages", () => {
  it.effect("have one bound: what goes over it is told to come back, small ones pass, and stalled ones make room", () =>
    Effect.gen(function* () {
      const { open, send } = yield* local(yield* Fixture.make, { bodiesBytes: 200_000 })
      const { leave, to } = yield* open()
      const headers = { "content-type": "application/json" }
      const post = (body: string | ReadableStream<Uint8Array>) =>
        send(to, { method: "POST", headers, body, duplex: "half" } as const)
      const echo = (size: number) =>
        new Blob([JSON.stringify(JsonRpc.request(size, "echo", { text: "x".repeat(size) }))])
      const streamed = (size: number) => echo(size).stream() as ReadableStream<Uint8Array>

      const { body, taken } = stalling(150_000)
      const stalled = yield* Effect.forkChild(post(body), { startImmediately: true })
      yield* Effect.promise(() => taken)
      const refused = yield* post(streamed(150_000))
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
      const said = yield* Effect.promise(() => refused.json())
      expect(said).toEqual({ jsonrpc: "2.0", error: { code: -32603, message: "Too many bodies at once" } })
      expect((yield* post(yield* Effect.promise(() => echo(1_000).text()))).status).toBe(202)

      yield* TestClock.adjust("1 second")
      expect((yield* post(streamed(150_000))).status).toBe(202)
      expect((yield* Fiber.join(stalled)).status).toBe(503)
      expect((yield* post(streamed(190_000))).status).toBe(202)
      yield* leave
    })
  )
})
