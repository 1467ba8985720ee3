import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { read } from "../server/options.ts"
import { start } from "./support/client.ts"

const bearer = (who: string) => ({ authorization: `Bearer ${who}` })
const inSession = (session: string | undefined, headers: { readonly [name: string]: string } = {}) => ({
  "mcp-session-id": session ?? "",
  ...headers
})

describe("FIXTURE_OPTIONS", () => {
  it("takes no name and no value that it does not know", () => {
    expect(() => read(`{"maxSession":1}`)).toThrow()
    expect(() => read(`{"maxSessions":"1"}`)).toThrow()
    expect(() => read(`{"eras":[]}`)).toThrow()
    expect(read("{}")).toEqual({})
  })

  it.live("bounds bodies by bytes and by depth", () =>
    Effect.gen(function* () {
      const { modern } = yield* start({ maxRequestBytes: 2_000, maxDepth: 8 })
      const echo = (text: unknown) => modern("tools/call", { name: "echo", arguments: { text } })
      expect((yield* echo("x".repeat(2_000))).status).toBe(413)
      expect((yield* echo([[[[[[[[]]]]]]]])).status).toBe(400)
      expect((yield* echo("x")).status).toBe(200)
    })
  )

  it.live("bounds sessions", () =>
    Effect.gen(function* () {
      const { initialize } = yield* start({ maxSessions: 1 })
      expect((yield* initialize()).status).toBe(200)
      expect((yield* initialize()).status).toBe(503)
    })
  )

  it.live("ends sessions that have idled for long", () =>
    Effect.gen(function* () {
      const { initialize, legacy } = yield* start({ sessionIdleMs: 40, reaperMs: 10, maxSessions: 1 })
      const { session } = yield* initialize()
      const known = Effect.map(legacy("tools/list", {}, inSession(session)), ({ status }) => status === 200)
      expect(yield* known).toBe(true)
      yield* Effect.repeat(Effect.andThen(Effect.sleep(60), known), { while: (isKnown) => isKnown, times: 50 })
      expect(yield* known).toBe(false)
      expect((yield* initialize()).status).toBe(200)
    })
  )

  it.live("bounds listen streams, and breaks their silence", () =>
    Effect.gen(function* () {
      const { listen } = yield* start({ maxListen: 1, keepAliveMs: 20 })
      const first = yield* listen
      expect(first.status).toBe(200)
      const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader()
      let said = ""
      while (!said.includes("\n:\n")) said += (yield* Effect.promise(() => reader.read())).value ?? ""
      expect(said).toContain("acknowledged")
      expect((yield* listen).status).toBe(503)
      yield* Effect.promise(() => reader.cancel())
    })
  )

  it.live("takes the hosts that it is told to", () =>
    Effect.gen(function* () {
      const own = yield* start({ allowedHosts: ["127.0.0.1"] })
      expect((yield* own.modern("server/discover")).status).toBe(200)
      const other = yield* start({ allowedHosts: ["mcp.example.com"] })
      expect((yield* other.modern("server/discover")).status).toBe(403)
    })
  )

  it.live("binds a session to the bearer token that opened it", () =>
    Effect.gen(function* () {
      const { initialize, legacy } = yield* start({ owner: true })
      const { session } = yield* initialize(bearer("ann"))
      const whoami = (who: string) =>
        legacy("tools/call", { name: "whoami", arguments: {} }, inSession(session, bearer(who)))
      expect((yield* whoami("ann")).text).toContain(`"ann"`)
      expect((yield* whoami("bob")).status).toBe(403)
    })
  )

  it.live("serves without sessions", () =>
    Effect.gen(function* () {
      const { initialize, legacy } = yield* start({ stateless: true })
      expect((yield* initialize()).session).toBeUndefined()
      expect((yield* legacy("tools/list")).status).toBe(200)
    })
  )

  it.live("answers legacy requests with one JSON text", () =>
    Effect.gen(function* () {
      const slow = { name: "sleep", arguments: { ms: 150 }, _meta: { progressToken: 1 } }
      const types = yield* Effect.forEach([true, false], (jsonResponse) =>
        Effect.gen(function* () {
          const { initialize, legacy } = yield* start({ jsonResponse })
          const { session } = yield* initialize()
          return (yield* legacy("tools/call", slow, inSession(session))).type
        })
      )
      expect(types).toEqual([expect.stringContaining("application/json"), expect.stringContaining("text/event-stream")])
    })
  )

  it.live("speaks the eras that it is told to", () =>
    Effect.gen(function* () {
      const modern = yield* start({ eras: ["modern"] })
      expect((yield* modern.initialize()).text).toContain(`"error"`)
      expect((yield* modern.modern("server/discover")).status).toBe(200)
      const legacy = yield* start({ eras: ["legacy"] })
      expect((yield* legacy.initialize()).status).toBe(200)
      expect((yield* legacy.modern("server/discover")).text).toContain(`"error"`)
    })
  )

  it.live("leaves out subscriptions", () =>
    Effect.gen(function* () {
      const { modern } = yield* start({ listen: false })
      const { status, text } = yield* modern("subscriptions/listen", { notifications: { toolsListChanged: true } })
      expect({ status, text }).toMatchObject({ status: 404, text: expect.stringContaining("-32601") })
      expect((yield* modern("server/discover")).text).not.toContain("listChanged")
    })
  )

  it.live("lets origins pass", () =>
    Effect.gen(function* () {
      const { modern } = yield* start({ allowedOrigins: ["https://app.example.com"] })
      const from = (origin: string) => Effect.map(modern("server/discover", {}, { origin }), ({ status }) => status)
      expect(yield* from("https://app.example.com")).toBe(200)
      expect(yield* from("https://evil.example.com")).toBe(403)
    })
  )

  it.live("adds tools and takes them away", () =>
    Effect.gen(function* () {
      const { modern } = yield* start()
      const call = (name: string, n: number) => modern("tools/call", { name, arguments: { n } })
      const added = Effect.map(modern("tools/list"), ({ text }) =>
        [...text.matchAll(/"name":"registered_(\d+)"/g)].map(([, at]) => at)
      )
      yield* call("register", 3)
      expect(yield* added).toEqual(["0", "1", "2"])
      yield* call("unregister", 0)
      expect(yield* added).toHaveLength(3)
      yield* call("unregister", 2)
      expect(yield* added).toEqual(["0"])
      yield* call("register", 1)
      expect(yield* added).toEqual(["0", "1"])
      yield* call("unregister", 100)
      expect(yield* added).toEqual([])
    })
  )
})
