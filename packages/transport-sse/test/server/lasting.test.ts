import { JsonRpc } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { Fixture } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { connect } from "../../src/client/index.ts"
import { serve } from "../../src/server/index.ts"
import { ask as exchange, failureOf, reach } from "../support/asking.ts"
import { local, turn } from "../support/local.ts"

const comment = { event: undefined, data: undefined }

describe("A stream over HTTP+SSE", () => {
  it.effect("is kept alive by a comment every 15 s", () =>
    Effect.gen(function* () {
      const { open } = yield* local(yield* Fixture.make)
      const stream = yield* open()
      for (let i = 0; i < 3; i++) {
        const next = yield* Effect.forkChild(stream.next, { startImmediately: true })
        yield* TestClock.adjust("14 seconds")
        yield* turn
        expect(next.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("1 seconds")
        expect(yield* Fiber.join(next)).toEqual(comment)
      }
      yield* stream.leave
    })
  )

  it.effect("holds back what nobody reads, and is closed when that lasts: nothing piles up", () =>
    Effect.gen(function* () {
      let said = 0
      const flood = Tool.make("flood", {
        run: () =>
          Effect.suspend(() => {
            said++
            return Effect.succeed("x".repeat(100_000))
          })
      })
      const { ask, open } = yield* local(Server.make({ name: "s", version: "1" }, [flood]))
      const stream = yield* open()
      let refused = 0
      for (let id = 0; id < 3_000 && refused === 0; id++) {
        const { status } = yield* ask(stream.to, JsonRpc.request(id, "tools/call", { name: "flood" }))
        if (status !== 202) refused = status
      }
      expect(said).toBeLessThan(400)
      yield* TestClock.adjust("59 seconds")
      expect((yield* ask(stream.to, JsonRpc.notification("x"))).status).not.toBe(404)
      yield* TestClock.adjust("61 seconds")
      expect((yield* ask(stream.to, JsonRpc.notification("x"))).status).toBe(404)
      yield* stream.leave
    })
  )

  it.effect("is closed when it is not read for as long as stallMs says", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* local(yield* Fixture.make, { stallMs: 2_000, keepAliveMs: 500 })
      const [silent, stuck] = [yield* open(), yield* open()]
      for (let id = 0; id < 20; id++) yield* ask(stuck.to, JsonRpc.request(id, "blob", { length: 10_000 }))
      yield* turn
      yield* TestClock.adjust("1 seconds")
      expect((yield* ask(stuck.to, JsonRpc.notification("x"))).status).toBe(202)
      yield* TestClock.adjust("1 seconds")
      yield* turn
      expect((yield* ask(stuck.to, JsonRpc.notification("x"))).status).toBe(404)
      // nothing waits for this one
      expect((yield* ask(silent.to, JsonRpc.notification("x"))).status).toBe(202)
    })
  )

  it.effect("goes on as soon as it is read again", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* local(yield* Fixture.make)
      const stream = yield* open()
      for (let id = 0; id < 200; id++) yield* ask(stream.to, JsonRpc.request(id, "blob", { length: 10_000 }))
      yield* TestClock.adjust("59 seconds")
      const seen = new Set<unknown>()
      while (seen.size < 200) seen.add((yield* stream.message).id)
      yield* TestClock.adjust("200 seconds")
      expect((yield* ask(stream.to, JsonRpc.notification("x"))).status).toBe(202)
      yield* stream.leave
    })
  )

  it.live("leaves nothing behind when its client does, over a socket", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(Server.make({ name: "s", version: "1" }, []), { sessions: { most: 2 } })
      const patient = { reconnect: { attempts: 1_000, delayMs: 1, floorMs: 1 } }
      const stays = yield* reach(url)
      for (let i = 0; i < 20; i++) {
        yield* Effect.scoped(Effect.flatMap(reach(url, patient), (leaves) => exchange(leaves, i)))
      }
      expect(yield* exchange(stays, 1)).toEqual(JsonRpc.success(1, {}))
    })
  )
})

describe("The end of an HTTP+SSE endpoint", () => {
  it.live("lets what runs come to an end, and takes nothing new", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const begun = yield* Deferred.make<void>()
      const fixture = yield* Fixture.make
      const { url } = yield* Scope.provide(serve(fixture), scope)
      const [runs, idles] = [yield* reach(url), yield* reach(url)]
      const listener = () => Effect.asVoid(Deferred.succeed(begun, undefined))
      const running = yield* Effect.forkChild(runs.exchange(JsonRpc.request(1, "pause"), listener))
      yield* Deferred.await(begun)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      expect((yield* failureOf(exchange(idles, 1, "linger"))).reason._tag).not.toBe("TimedOut")
      expect(closing.pollUnsafe()).toBeUndefined()
      yield* fixture.exchange(JsonRpc.request(2, "release"), () => Effect.void)
      expect(yield* Fiber.join(running)).toEqual(JsonRpc.success(1, { id: 1 }))
      yield* Fiber.join(closing)
      yield* failureOf(Effect.scoped(connect(url, { notices: false, reconnect: { delayMs: 1 } })))
    })
  )

  it.live("interrupts what does not end in time", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const begun = yield* Deferred.make<void>()
      const fixture = yield* Fixture.make
      const { url } = yield* Scope.provide(serve(fixture, { drainMs: 20 }), scope)
      const connection = yield* reach(url)
      const listener = () => Effect.asVoid(Deferred.succeed(begun, undefined))
      const running = yield* Effect.forkChild(failureOf(connection.exchange(JsonRpc.request(1, "linger"), listener)))
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      yield* fixture.exchange(JsonRpc.request(2, "abandoned"), () => Effect.void)
      expect((yield* Fiber.join(running)).reason._tag).toBe("Closed")
    })
  )

  it.live("an address that is taken fails typed", () =>
    Effect.gen(function* () {
      const { port } = yield* serve(yield* Fixture.make)
      const error = yield* Effect.flip(serve(yield* Fixture.make, { port }))
      expect([error._tag, error.reason._tag, error.outcome]).toEqual(["TransportError", "Unreachable", "NotSent"])
    })
  )
})
