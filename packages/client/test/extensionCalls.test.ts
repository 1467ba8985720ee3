import { Client, Extension } from "@effective-mcp/client"
import { connect as simple, NotOffered } from "@effective-mcp/client/promise"
import { type Connection, JsonRpc, Peer, type TransportError } from "@effective-mcp/protocol"
import { Extension as Served, Server } from "@effective-mcp/server"
import { recording } from "@effective-mcp/testkit/test/recording"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { failing, overHttp } from "./httpWire.ts"
import {
  type Act,
  begin,
  connect,
  death,
  discovered,
  info,
  initialized,
  legacy,
  modern,
  result,
  type Script,
  scripted,
  serverInfo,
  silence
} from "./scripted.ts"

const id = "com.example/weather"
const method = "weather/now"
// what could be taken for a tool's and a resource's
const params = { name: "safe", uri: "file:///secret" }
const now = { extension: id, method, params }
const capabilities = { extensions: { [id]: {} } }

const eras = {
  modern: (act: Act, more: Script = {}): Script =>
    modern({ "server/discover": discovered({ capabilities }), [method]: act, ...more }),
  legacy: (act: Act): Script => legacy({ initialize: initialized({ capabilities }), [method]: act })
}

const calls = (methods: ReadonlyArray<string>): number => methods.filter((one) => one === method).length

/** Up for long enough to be started again. */
const longer = TestClock.adjust("6 seconds")

for (const era of ["modern", "legacy"] as const) {
  describe(`a call of an extension's method, on ${era}`, () => {
    it.effect("is never sent again once a server had it: the error says that it may have run", () =>
      Effect.gen(function* () {
        const server = scripted(eras[era](death), eras[era](result({})))
        const client = yield* connect(server, { era })
        yield* longer
        expect(yield* Effect.flip(Extension.call(client, now))).toMatchObject({
          _tag: "TransportError",
          outcome: "Unknown"
        })
        expect(server.runs.map(({ methods }) => calls(methods))).toEqual([1])
      })
    )
    it.effect("is sent to the next process when the last one was gone before", () =>
      Effect.gen(function* () {
        const server = scripted(eras[era](death), eras[era](result({ celsius: 21 })))
        const client = yield* connect(server, { era })
        yield* longer
        server.run.die()
        yield* Effect.yieldNow
        expect(yield* Extension.call(client, now)).toEqual({ celsius: 21 })
        expect(server.runs.map(({ methods }) => calls(methods))).toEqual([0, 1])
      })
    )
    it.effect("says which it was when no next process begins in its time", () =>
      Effect.gen(function* () {
        const mute = { "server/discover": silence, initialize: silence }
        const server = scripted(eras[era](death), mute)
        const client = yield* connect(server, { era })
        yield* longer
        server.run.die()
        yield* Effect.yieldNow
        const calling = yield* begin(Effect.flip(Extension.call(client, now, { totalTimeout: "2 seconds" })))
        yield* TestClock.adjust("2 seconds")
        const failure = yield* Fiber.join(calling)
        expect(failure).toMatchObject({ reason: { _tag: "TimedOut", method }, outcome: "NotSent" })
      })
    )
    it.effect("is not sent to a next process that does not name its extension", () =>
      Effect.gen(function* () {
        const server = scripted(eras[era](death), era === "modern" ? modern() : legacy())
        const client = yield* connect(server, { era })
        yield* longer
        server.run.die()
        yield* Effect.yieldNow
        expect(yield* Effect.flip(Extension.call(client, now))).toMatchObject({ _tag: "NotOffered", capability: id })
        expect(server.runs.map(({ methods }) => calls(methods))).toEqual([0, 0])
      })
    )
    it.effect("has the deadlines of any request, and reports of progress start the first anew", () =>
      Effect.gen(function* () {
        const server = scripted(eras[era](silence))
        const client = yield* connect(server, { era })
        const heard: Array<number> = []
        const calling = yield* begin(
          Effect.flip(
            Extension.call(client, now, {
              timeout: "2 seconds",
              totalTimeout: "3 seconds",
              onProgress: ({ progress }) => void heard.push(progress)
            })
          )
        )
        const { id: asked } = server.run.last
        yield* TestClock.adjust("1900 millis")
        server.run.say(JsonRpc.notification("notifications/progress", { progressToken: asked, progress: 1 }))
        yield* TestClock.adjust("1000 millis")
        expect(calling.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("100 millis")
        const failure = yield* Fiber.join(calling)
        expect(failure).toMatchObject({ reason: { _tag: "TimedOut" }, outcome: "Unknown" })
        expect(failure.message).toContain(method)
        expect(heard).toEqual([1])
      })
    )
    it.effect("is cancelled when it is interrupted", () =>
      Effect.gen(function* () {
        const server = scripted(eras[era](silence))
        const client = yield* connect(server, { era })
        const calling = yield* begin(Extension.call(client, now))
        const { id: asked } = server.run.last
        yield* Fiber.interrupt(calling)
        yield* server.run.told("notifications/cancelled")
        expect(server.run.heard.at(-1)).toMatchObject({ params: { requestId: asked } })
      })
    )
  })
}

describe("a call of an extension's method over HTTP", () => {
  const script = (...answers: ReadonlyArray<Effect.Effect<JsonRpc.JsonObject, TransportError>>) => {
    let turn = 0
    const opened = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities, serverInfo }
    return overHttp({
      "server/discover": () => Effect.succeed(opened),
      [method]: () => Effect.suspend(() => answers[Math.min(turn++, answers.length - 1)]!)
    })
  }
  const run = (server: { readonly transport: Effect.Effect<Connection, TransportError, Scope.Scope> }) =>
    Effect.gen(function* () {
      // every tool may run twice; a method of an extension is none
      const client = yield* Client.connect(server.transport, info, { retry: { mayRepeat: () => true } })
      const calling = yield* Effect.forkChild(Effect.result(Extension.call(client, now)), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      return yield* Fiber.join(calling)
    })
  const unreachable = failing({ _tag: "Unreachable", what: "a server" }, "NotSent")
  const said = Effect.succeed({ celsius: 21 })

  it.effect("is sent again when it never left", () =>
    Effect.gen(function* () {
      const server = script(unreachable, said)
      expect(yield* run(server)).toMatchObject({ _tag: "Success", success: { celsius: 21 } })
      expect(calls(server.methods)).toBe(2)
    })
  )
  for (const [what, failed] of [
    ["503", failing({ _tag: "HttpStatus", status: 503 }, "Unknown")],
    ["429", failing({ _tag: "HttpStatus", status: 429 }, "Unknown")],
    ["a stream that broke", failing({ _tag: "Closed" }, "Unknown")],
    ["a session that has gone", failing({ _tag: "SessionExpired" }, "Rejected")]
  ] as const) {
    it.effect(`is not sent again after ${what}`, () =>
      Effect.gen(function* () {
        const server = script(failed, said)
        expect(yield* run(server)).toMatchObject({ _tag: "Failure", failure: { _tag: "TransportError" } })
        expect(calls(server.methods)).toBe(1)
      })
    )
  }
})

describe("the span of a call of an extension's method", () => {
  it.effect("has the method's name, and nothing of its params and its result", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recording()
      const server = scripted(eras.modern(result({ isError: true })))
      const client = yield* connect(server)
      yield* Extension.call(client, now).pipe(Effect.withTracer(tracer))
      expect(spans.map(({ name }) => name)).toEqual([method])
      expect(Object.fromEntries(spans[0]!.attributes)).toEqual({
        "mcp.method.name": method,
        "mcp.protocol.version": "2026-07-28"
      })
      expect(server.run.last.params).toMatchObject({ ...params, _meta: { traceparent: expect.any(String) } })
    })
  )
})

describe("a client of promises", () => {
  const weather = Served.make(id, {
    settings: { units: ["celsius"] },
    isRequired: true,
    methods: {
      [method]: (params) => Effect.succeed({ resultType: "com.example/now", params }),
      hang: () => Effect.never
    }
  })
  const server = Server.make({ name: "sky", version: "1.0.0" }, [weather])

  for (const era of ["modern", "legacy"] as const) {
    it(`R-163 declares extensions and calls their methods, on ${era}`, async () => {
      await using client = await simple(Peer.local(server), info, { era, extensions: { [id]: {} } })
      expect(await client.callExtension(now)).toMatchObject({ params })
      expect(client.extensionSettings(id)).toEqual({ units: ["celsius"] })
      expect(client.extensionSettings("com.example/other")).toBeUndefined()
      await expect(client.callExtension({ extension: "com.example/other", method: "x" })).rejects.toBeInstanceOf(
        NotOffered
      )
      const leaving = new AbortController()
      const hanging = client.callExtension({ extension: id, method: "hang" }, { signal: leaving.signal })
      leaving.abort(new Error("left"))
      await expect(hanging).rejects.toThrow("left")
    })
    it(`R-163 hears that it has not declared one, on ${era}`, async () => {
      await using client = await simple(Peer.local(server), info, { era })
      await expect(client.callExtension(now)).rejects.toMatchObject({ _tag: "RpcError", code: -32021 })
    })
  }
  it("R-163 is not made where what it declares is no extension", async () => {
    const connecting = simple(Peer.local(server), info, { extensions: { weather: {} } })
    await expect(connecting).rejects.toThrow("not the id of an extension")
  })
})
