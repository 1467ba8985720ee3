import { JsonRpc } from "@effective-mcp/protocol"
import { stalling } from "@effective-mcp/testkit/test/stalling"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { HttpServer, toFetch } from "../src/server/index.ts"
import * as Host from "./support/host.ts"

const headers = { accept: "*/*", "content-type": "application/json" }

describe("the bodies of all requests", () => {
  it.effect("have one bound: what goes over it is told to come back, small ones pass, and stalled ones make room", () =>
    Effect.gen(function* () {
      const fetch = toFetch(yield* HttpServer.make(yield* Host.make, { bodiesBytes: 200_000 }))
      const post = (body: string | ReadableStream<Uint8Array>) =>
        fetch(new Request("http://localhost/", { method: "POST", headers, body, duplex: "half" } as const))
      const echo = (size: number) => JSON.stringify(JsonRpc.request(1, "ping", { pad: "x".repeat(size) }))
      const streamed = (text: string) => new Blob([text]).stream() as ReadableStream<Uint8Array>
      const statusOf = (body: string | ReadableStream<Uint8Array>) =>
        Effect.map(
          Effect.promise(() => post(body)),
          ({ status }) => status
        )

      const { body, taken } = stalling(150_000)
      const stalled = post(body)
      yield* Effect.promise(() => taken)
      const refused = yield* Effect.promise(() => post(streamed(echo(150_000))))
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
      const said = yield* Effect.promise(() => refused.json())
      expect(said).toEqual({ jsonrpc: "2.0", error: { code: -32603, message: "Too many bodies at once" } })
      const answered = yield* statusOf(echo(1_000))
      expect(answered).not.toBe(503)

      yield* TestClock.adjust("1 second")
      expect(yield* statusOf(streamed(echo(150_000)))).toBe(answered)
      expect((yield* Effect.promise(() => stalled)).status).toBe(503)
      expect(yield* statusOf(streamed(echo(190_000)))).toBe(answered)
    })
  )
})
