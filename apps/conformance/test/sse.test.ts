import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LEGACY, start } from "./support/client.ts"
import { openSse } from "./support/sse.ts"

const bearer = (who: string) => ({ authorization: `Bearer ${who}` })
const initialize = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } }
}
const call = (id: number, name: string, args: object = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args }
})

/** The stream of a server with some options. */
const open = (options: object, headers?: { readonly [name: string]: string }) =>
  Effect.flatMap(start(options), ({ sse = "" }) =>
    Effect.map(openSse(sse, headers), (session) => ({ ...session, sse }))
  )

describe("HTTP+SSE beside /mcp", () => {
  it.live("has the same tools, and knows who calls", () =>
    Effect.gen(function* () {
      const { sse = "", url } = yield* start()
      expect(new URL(sse).origin).toBe(new URL(url).origin)
      const { post, status, until } = yield* openSse(sse, bearer("ann"))
      expect(status).toBe(200)
      expect(yield* post(initialize)).toBe(202)
      expect(yield* until((said) => said.includes("serverInfo"))).toContain("everything")
      yield* post({ method: "notifications/initialized" })
      yield* post(call(1, "echo", { text: "over the stream" }))
      yield* until((said) => said.includes("over the stream"))
      yield* post(call(2, "whoami"))
      yield* until((said) => said.includes("ann"))
      yield* post(call(3, "fail"))
      expect(yield* until((said) => said.includes(`"id":3`))).not.toContain("SECRET-CANARY")
    })
  )

  it.live("bounds messages by bytes and by depth", () =>
    Effect.gen(function* () {
      const { post } = yield* open({ maxRequestBytes: 2_000, maxDepth: 8 })
      expect(yield* post(call(1, "echo", { text: "x".repeat(2_000) }))).toBe(413)
      expect(yield* post(call(1, "echo", { text: [[[[[[[[]]]]]]]] }))).toBe(400)
      expect(yield* post(initialize)).toBe(202)
    })
  )

  it.live("bounds sessions, and ends those that have idled for long", () =>
    Effect.gen(function* () {
      const { sse, until } = yield* open({ maxSessions: 1, sessionIdleMs: 40, reaperMs: 10 })
      expect((yield* openSse(sse)).status).toBe(503)
      expect(yield* until(() => false)).toContain("(end)")
      expect((yield* openSse(sse)).status).toBe(200)
    })
  )

  it.live("breaks the silence of a stream", () =>
    Effect.gen(function* () {
      const { until } = yield* open({ keepAliveMs: 20 })
      expect(yield* until((said) => /\n:/.test(said))).toContain("endpoint")
    })
  )

  it.live("binds a session to the bearer token that opened it", () =>
    Effect.gen(function* () {
      const { post } = yield* open({ owner: true }, bearer("ann"))
      expect(yield* post(initialize)).toBe(202)
      expect(yield* post(call(1, "whoami"), bearer("bob"))).toBe(403)
    })
  )

  it.live("is guarded as /mcp is", () =>
    Effect.gen(function* () {
      const { status } = yield* open({ allowedHosts: ["mcp.example.com"] })
      expect(status).toBe(403)
      const options = { allowedOrigins: ["https://app.example.com"] }
      expect((yield* open(options, { origin: "https://app.example.com" })).status).toBe(200)
      expect((yield* open(options, { origin: "https://evil.example.com" })).status).toBe(403)
    })
  )

  it.live("is there where the legacy era is, whatever becomes of sessions at /mcp", () =>
    Effect.gen(function* () {
      const { sse, url } = yield* start({ eras: ["modern"] })
      expect(sse).toBeUndefined()
      expect((yield* openSse(new URL("/sse", url).href)).status).toBe(404)
      expect((yield* open({ eras: ["legacy"], stateless: true })).status).toBe(200)
    })
  )
})
