import { type Connection, type JsonRpc, listen, local, Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { cancelled, failedWith, progress, request, script, success, updated } from "./script.ts"

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)
const listening = request(1, "subscriptions/listen")

const listenTo = (connection: Connection, listening: JsonRpc.Request) => Stream.unwrap(listen(connection, listening))

describe("listen", () => {
  it.effect("is a stream that the response ends", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      const reading = yield* Effect.forkScoped(Stream.runCollect(listenTo(peer, listening)), { startImmediately: true })
      expect(yield* wire.next).toStrictEqual(listening)
      yield* wire.say(updated(1, 1), updated(1, 2))
      yield* wire.say(updated(1, 3), success(1, {}))
      expect(yield* Fiber.join(reading)).toStrictEqual([updated(1, 1), updated(1, 2), updated(1, 3)])
    })
  )

  it.effect("fails with its exchange, after what was heard", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      const heard: Array<JsonRpc.Notification> = []
      const reading = yield* listenTo(peer, listening).pipe(
        Stream.runForEach((said) => Effect.sync(() => heard.push(said))),
        Effect.exit,
        (effect) => Effect.forkScoped(effect, { startImmediately: true })
      )
      yield* wire.next
      yield* wire.say(updated(1, 1))
      yield* wire.end()
      expect(yield* Fiber.join(reading)).toMatchObject(failedWith({ _tag: "Closed" }))
      expect(heard).toStrictEqual([updated(1, 1)])
    })
  )

  it.effect("fails with an error response", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      const reading = yield* Effect.forkScoped(Effect.flip(Stream.runDrain(listenTo(peer, listening))), {
        startImmediately: true
      })
      yield* wire.next
      yield* wire.say({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } })
      expect(yield* Fiber.join(reading)).toMatchObject({ _tag: "RpcError", code: -32601 })
    })
  )

  it.effect("cancels when the stream is left", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      const reading = yield* Effect.forkScoped(Stream.runCollect(Stream.take(listenTo(peer, listening), 1)), {
        startImmediately: true
      })
      yield* wire.next
      yield* wire.say(updated(1, 1), updated(1, 2))
      expect(yield* Fiber.join(reading)).toStrictEqual([updated(1, 1)])
      expect(yield* wire.next).toStrictEqual(cancelled(1))
    })
  )

  it.effect("slows what is said to the pace of its reader", () =>
    Effect.gen(function* () {
      let said = 0
      const gate = yield* Deferred.make<void>()
      const peer = yield* local({
        exchange: ({ id }, say) =>
          Effect.forEach(
            numbers(1000),
            (n) => {
              said = n
              return say(progress(id, n))
            },
            { discard: true }
          ).pipe(Effect.as(success(id, {}))),
        notify: () => Effect.void
      })
      const reading = yield* listenTo(peer, request(1, "x")).pipe(
        Stream.mapEffect((heard) => Effect.as(Deferred.await(gate), heard)),
        Stream.runCollect,
        Effect.forkScoped
      )
      yield* Effect.forEach(numbers(100), () => Effect.yieldNow, { discard: true })
      expect(said).toBeLessThan(40)
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(reading)).toStrictEqual(numbers(1000).map((n) => progress(1, n)))
    })
  )

  it.effect("loses nothing of a burst that its reader only needs the processor for: 10,000 in one read", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex, { mailbox: 1024 })
      const reading = yield* Effect.forkScoped(Stream.runCollect(listenTo(peer, listening)), { startImmediately: true })
      yield* wire.next
      yield* wire.say(...numbers(10_000).map((n) => updated(1, n)), success(1, {}))
      const exit = yield* Fiber.await(reading)
      expect(Exit.isSuccess(exit) && exit.value.length).toBe(10_000)
    })
  )
})
