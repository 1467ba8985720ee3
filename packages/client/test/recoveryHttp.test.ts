import { Client, Tools } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type Act, failing, initialized, overHttp, status } from "./httpWire.ts"
import { begin, info, pass } from "./scripted.ts"

const expired = failing({ _tag: "SessionExpired" }, "Rejected")
const broken = failing({ _tag: "Closed" })
const listed = Effect.succeed({ tools: [] })
const done = Effect.succeed({ content: [] })

/** Does one thing on the first session, another on every later one. */
const then =
  (first: ReturnType<Act>, later: ReturnType<Act>): Act =>
  (_request, session) =>
    session === 1 ? first : later

const connect = (wire: ReturnType<typeof overHttp>, options: Client.Options = {}) =>
  Client.connect(wire.transport, info, { era: "legacy", ...options })

describe("a session that has expired", () => {
  it.effect("C-19 T-34 is dropped, another is begun, and what can do no harm twice is sent again", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/list": then(expired, listed) })
      const client = yield* connect(wire)
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
      expect(wire.methods).toEqual(["initialize", "tools/list", "initialize", "tools/list"])
      expect(client.connected).toBe(true)
    })
  )
  it.effect("is begun anew once for all who wait", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/list": then(expired, listed) })
      const client = yield* connect(wire)
      yield* Effect.all(
        Array.from({ length: 50 }, () => Tools.list(client)),
        { concurrency: 50 }
      )
      expect(wire.starts).toBe(2)
      expect(wire.methods.filter((method) => method === "initialize").length).toBe(2)
    })
  )
  it.effect("FEA-04 never has a call sent again, whatever the server says of it", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/call": then(expired, done) })
      const client = yield* connect(wire)
      const call = Tools.call(client, "add")
      expect(yield* Effect.flip(call)).toMatchObject({ reason: { _tag: "SessionExpired" }, outcome: "Rejected" })
      expect(client.connected).toBe(false)
      expect(yield* call).toEqual({ content: [] })
      expect(wire.methods).toEqual(["initialize", "tools/call", "initialize", "tools/call"])
    })
  )
  it.effect("that expires again at once fails typed, after one more", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/list": () => expired })
      const client = yield* connect(wire)
      expect(yield* Effect.flip(Tools.list(client))).toMatchObject({ reason: { _tag: "SessionExpired" } })
      expect(wire.starts).toBe(2)
    })
  )
  it.effect("is not begun anew without leave", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/list": then(expired, listed) })
      const client = yield* connect(wire, { recover: false })
      expect(yield* Effect.flip(Tools.list(client))).toMatchObject({ reason: { _tag: "SessionExpired" } })
      expect(wire.starts).toBe(1)
      yield* client.connect
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
    })
  )
  it.effect("is told again what it had been told", () =>
    Effect.gen(function* () {
      const nothing = () => Effect.succeed({})
      const wire = overHttp({
        initialize: initialized,
        "tools/list": then(expired, listed),
        "logging/setLevel": nothing,
        "resources/subscribe": nothing
      })
      const client = yield* connect(wire)
      yield* client.request("logging/setLevel", { level: "debug" })
      yield* client.request("resources/subscribe", { uri: "a:1" })
      yield* Tools.list(client)
      expect(wire.methods.slice(4)).toEqual(["initialize", "logging/setLevel", "resources/subscribe", "tools/list"])
    })
  )
  it.effect("is waited for while the server comes back, within bounds", () =>
    Effect.gen(function* () {
      let isDown = true
      const wire = overHttp({
        initialize: (request, session) => (session > 1 && isDown ? status(503) : initialized(request, session)),
        "tools/list": then(expired, listed)
      })
      const client = yield* connect(wire)
      const listing = yield* begin(Tools.list(client))
      yield* pass(1)
      isDown = false
      yield* pass(5)
      expect(yield* Fiber.join(listing)).toEqual({ tools: [] })
    })
  )
  it.effect("fails all who wait with what keeps it from being begun, when that lasts", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        initialize: (request, session) => (session > 1 ? status(503) : initialized(request, session)),
        "tools/list": then(expired, listed)
      })
      const client = yield* connect(wire, { recover: { attempts: 3 } })
      const listing = yield* begin(Effect.flip(Tools.list(client)))
      yield* pass(30)
      expect(yield* Fiber.join(listing)).toMatchObject({
        reason: { _tag: "HttpStatus", status: 503 },
        outcome: "Rejected"
      })
      expect(wire.methods.filter((method) => method === "initialize").length).toBe(4)
    })
  )
  it.effect("takes nobody with it who has left", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const wire = overHttp({
        initialize: (request, session) =>
          session === 1
            ? initialized(request, session)
            : Effect.andThen(Deferred.await(go), initialized(request, session)),
        "tools/list": then(expired, listed)
      })
      const client = yield* connect(wire)
      const [left, stays] = [yield* begin(Tools.list(client)), yield* begin(Tools.list(client))]
      yield* Effect.yieldNow
      yield* Fiber.interrupt(left)
      yield* Deferred.succeed(go, undefined)
      expect(yield* Fiber.join(stays)).toEqual({ tools: [] })
      expect(wire.starts).toBe(2)
    })
  )
})

describe("an exchange that breaks", () => {
  const once = (): Act => {
    let turn = 0
    return () => (turn++ === 0 ? broken : listed)
  }
  it.effect("R-172 is sent once more after a moment, with a new id, on the same session", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/list": once() })
      const client = yield* connect(wire)
      const listing = yield* begin(Tools.list(client))
      expect(wire.methods).toEqual(["initialize", "tools/list"])
      yield* pass(1)
      expect(yield* Fiber.join(listing)).toEqual({ tools: [] })
      expect(wire.methods).toEqual(["initialize", "tools/list", "tools/list"])
      expect(new Set(wire.heard.map(({ id }) => id)).size).toBe(3)
    })
  )
  it.effect("R-172 is not sent a third time", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/list": () => broken })
      const client = yield* connect(wire)
      const listing = yield* begin(Effect.flip(Tools.list(client)))
      yield* pass(5)
      expect(yield* Fiber.join(listing)).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
      expect(wire.methods).toEqual(["initialize", "tools/list", "tools/list"])
    })
  )
  it.effect("FEA-04 is not sent again when it is a call", () =>
    Effect.gen(function* () {
      const wire = overHttp({ initialize: initialized, "tools/call": () => broken })
      const client = yield* connect(wire)
      expect(yield* Effect.flip(Tools.call(client, "inc"))).toMatchObject({ outcome: "Unknown" })
      expect(wire.methods).toEqual(["initialize", "tools/call"])
      expect(client.connected).toBe(true)
    })
  )
  for (const [name, act] of [
    ["a 502", () => status(502)],
    ["silence", () => Effect.never]
  ] as ReadonlyArray<readonly [string, Act]>) {
    it.effect(`FEA-04 ${name} is not taken for a loss, and no call is sent again`, () =>
      Effect.gen(function* () {
        const wire = overHttp({ initialize: initialized, "tools/call": act })
        const client = yield* connect(wire, { timeout: "1 seconds" })
        const call = yield* begin(Effect.flip(Tools.call(client, "inc")))
        yield* pass(1)
        expect(yield* Fiber.join(call)).toMatchObject({ outcome: "Unknown" })
        expect(wire.methods).toEqual(["initialize", "tools/call"])
      })
    )
  }
})
