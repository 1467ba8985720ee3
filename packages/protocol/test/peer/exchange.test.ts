import { Peer, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  begin,
  cancelled,
  deaf,
  failedWith,
  failure,
  gated,
  notification,
  progress,
  request,
  script,
  success,
  updated
} from "../script.ts"

const setup = Effect.gen(function* () {
  const wire = yield* script
  return { wire, peer: yield* Peer.make(wire.duplex) }
})

it.effect("an exchange over a pipe whose scope had closed before fails at once, and nothing is sent", () =>
  Effect.gen(function* () {
    const wire = yield* script
    const scope = yield* Scope.make()
    yield* Scope.close(scope, Exit.void)
    const peer = yield* Scope.provide(Peer.make(wire.duplex), scope)
    expect(yield* Effect.exit(peer.exchange(request(1, "x"), deaf))).toMatchObject(
      failedWith({ _tag: "Closed" }, "NotSent")
    )
    expect(wire.sent).toStrictEqual([])
  })
)

describe("an answer", () => {
  it.effect("R-020 counts when it comes while its request is still being written", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const gate = yield* Deferred.make<void>()
      wire.writing = () => Deferred.await(gate)
      const call = yield* begin(peer, request(1, "x"))
      yield* wire.say(success(1, { early: true }))
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, { early: true })))
    })
  )

  it.effect("R-020 only awaited ids are accepted: late and unsolicited responses are dropped", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      yield* Fiber.interrupt(yield* begin(peer, request(1, "x")))
      const call = yield* begin(peer, request(2, "x"))
      yield* wire.say(success(1, {}), progress(1, 1), success(9, {}), failure(8, { code: 1, message: "" }))
      yield* wire.say(success(2, { right: true }), success(2, { twice: true }), request(7, "ping"))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(2, { right: true })))
      expect(yield* Stream.runCollect(Stream.take(Stream.fromPull(peer.incoming), 1))).toStrictEqual([
        request(7, "ping")
      ])
    })
  )

  it.effect("RPC-01 0 and the empty string are ids, of answers and of what is said before them", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      for (const id of [0, ""]) {
        const { heard, listener, open } = yield* gated
        yield* open
        const call = yield* begin(peer, request(id, "x"), listener)
        yield* wire.say(progress(id, 1), progress(id, 2))
        yield* wire.say(success(id, { id }))
        expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(id, { id })))
        expect(heard).toStrictEqual([progress(id, 1), progress(id, 2)])
      }
    })
  )

  it.effect('RPC-02 the reply to "1" never settles the call 1', () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const number = yield* begin(peer, request(1, "x"))
      yield* wire.say(success("1", { wrong: true }), failure("1", { code: 1, message: "wrong" }))
      expect(number.pollUnsafe()).toBe(undefined)
      const text = yield* begin(peer, request("1", "x"))
      yield* wire.say(success(1, { is: "number" }), success("1", { is: "string" }))
      expect(yield* Fiber.join(number)).toStrictEqual(Exit.succeed(success(1, { is: "number" })))
      expect(yield* Fiber.join(text)).toStrictEqual(Exit.succeed(success("1", { is: "string" })))
    })
  )

  it.effect("is an answer when it is an error", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "x"))
      const error = failure(1, { code: -32601, message: "Method not found", data: [1] })
      yield* wire.say(error)
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(error))
    })
  )

  it.effect("R-025 wins over an end that comes after it, however slow its listener", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(progress(1, 1), success(1, {}))
      yield* wire.end()
      yield* open
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(heard).toStrictEqual([progress(1, 1)])
    })
  )
})

describe("a request that does not get out", () => {
  it.effect("R-022 R-032 fails with the wire's own error when it cannot be written, and is forgotten", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const full = new TransportError({ reason: { _tag: "TooLarge", limit: 7 }, outcome: "NotSent" })
      wire.writing = () => Effect.fail(full)
      expect(yield* Effect.exit(peer.exchange(request(1, "x"), deaf))).toStrictEqual(Exit.fail(full))
      wire.writing = () => Effect.void
      const again = yield* begin(peer, request(1, "x"))
      yield* wire.say(success(1, {}))
      expect(yield* Fiber.join(again)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(wire.sent).toStrictEqual([request(1, "x")])
    })
  )

  it.effect("R-024 is forgotten when it is interrupted before it is written, and nothing is sent", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const gate = yield* Deferred.make<void>()
      wire.writing = () => Deferred.await(gate)
      yield* Fiber.interrupt(yield* begin(peer, request(1, "x")))
      yield* Deferred.succeed(gate, undefined)
      const again = yield* begin(peer, request(1, "x"))
      yield* wire.say(success(1, {}))
      expect(yield* Fiber.join(again)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(wire.sent).toStrictEqual([request(1, "x")])
    })
  )

  it.effect("an id in use is a defect of the caller, and the first exchange lives on", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "x"))
      const second = yield* Effect.exit(peer.exchange(request(1, "y"), deaf))
      expect(Exit.hasDies(second)).toBe(true)
      yield* wire.say(success(1, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(wire.sent).toStrictEqual([request(1, "x")])
    })
  )

  it.effect("R-031 a notification that cannot be written fails typed", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const error = new TransportError({ reason: { _tag: "Closed" }, outcome: "NotSent" })
      wire.writing = () => Effect.fail(error)
      expect(yield* Effect.exit(peer.send(notification("notifications/x")))).toStrictEqual(Exit.fail(error))
    })
  )
})

describe("abandoning", () => {
  it.effect("R-027 tells the peer, once the request has been written", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      for (const id of [1, 0, ""]) yield* Fiber.interrupt(yield* begin(peer, request(id, "x")))
      expect(wire.sent).toStrictEqual(
        [1, 0, ""].flatMap((id) => [request(id, "x"), notification("notifications/cancelled", { requestId: id })])
      )
    })
  )

  it.effect("R-027 does not wait for the farewell to be written, which leaves when the wire has room", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "x"))
      const gate = yield* Deferred.make<void>()
      wire.writing = () => Deferred.await(gate)
      yield* Fiber.interrupt(call)
      expect(wire.sent).toStrictEqual([request(1, "x")])
      yield* TestClock.adjust("1 minute")
      yield* Deferred.succeed(gate, undefined)
      yield* wire.next
      expect(yield* wire.next).toStrictEqual(cancelled(1))
    })
  )

  it.effect("R-027 swallows a farewell that cannot be written", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "x"))
      wire.writing = () => Effect.fail(new TransportError({ reason: { _tag: "Closed" }, outcome: "NotSent" }))
      yield* Fiber.interrupt(call)
      const exit = yield* Fiber.await(call)
      expect(Exit.hasInterrupts(exit) && !Exit.hasFails(exit)).toBe(true)
    })
  )

  it.effect("R-028 never cancels initialize", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      yield* Fiber.interrupt(yield* begin(peer, request(1, "initialize")))
      expect(wire.sent).toStrictEqual([request(1, "initialize")])
    })
  )

  it.effect("says nothing once the response is there, even if its listener is still busy", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "x"), () => Effect.never)
      yield* wire.say(progress(1, 1), success(1, {}))
      yield* Fiber.interrupt(call)
      expect(wire.sent).toStrictEqual([request(1, "x")])
    })
  )

  it.effect("a listener's defect fails its own exchange, and cancels it", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const mine = new Error("mine")
      const bad = yield* begin(peer, request(1, "x"), () => Effect.die(mine))
      const thrown = yield* begin(peer, request(2, "x"), () => {
        throw mine
      })
      const good = yield* begin(peer, request(3, "x"))
      yield* wire.say(progress(1, 1), progress(2, 1), success(3, {}))
      expect(yield* Fiber.join(good)).toStrictEqual(Exit.succeed(success(3, {})))
      expect(yield* Fiber.join(bad)).toStrictEqual(Exit.die(mine))
      expect(yield* Fiber.join(thrown)).toStrictEqual(Exit.die(mine))
      expect(wire.sent.slice(3)).toStrictEqual([1, 2].map(cancelled))
    })
  )
})

describe("the end of the wire", () => {
  it.effect(
    "R-026 fails at once what was sent, as one that may have run, and what was not, as one that never left",
    () =>
      Effect.gen(function* () {
        const { peer, wire } = yield* setup
        const sent = yield* begin(peer, request(1, "x"))
        wire.writing = () => Effect.never
        const unsent = yield* begin(peer, request(2, "x"))
        yield* wire.end()
        expect(yield* Fiber.join(sent)).toMatchObject(failedWith({ _tag: "Closed" }, "Unknown"))
        expect(yield* Fiber.join(unsent)).toMatchObject(failedWith({ _tag: "Closed" }, "NotSent"))
        expect(yield* Effect.exit(peer.exchange(request(3, "x"), deaf))).toMatchObject(
          failedWith({ _tag: "Closed" }, "NotSent")
        )
        expect(yield* Effect.exit(Stream.runDrain(Stream.fromPull(peer.incoming)))).toStrictEqual(Exit.void)
      })
  )

  it.effect("a failure of the wire is what everybody sees", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "x"))
      const reason = { _tag: "Closed", exit: { code: 3, signal: null }, stderr: "boom" } as const
      yield* wire.end(new TransportError({ reason, outcome: "Unknown" }))
      expect(yield* Fiber.join(call)).toMatchObject(failedWith(reason, "Unknown"))
      expect(yield* Effect.exit(peer.exchange(request(2, "x"), deaf))).toMatchObject(failedWith(reason, "NotSent"))
      expect(yield* Effect.exit(Stream.runDrain(Stream.fromPull(peer.incoming)))).toMatchObject(failedWith(reason))
    })
  )

  it.effect("delivers what was heard before it, then the failure", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(updated(1, 1), updated(1, 2))
      yield* wire.say(updated(1, 3))
      yield* wire.end()
      expect(call.pollUnsafe()).toBe(undefined)
      yield* open
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Closed" }, "Unknown"))
      expect(heard).toStrictEqual([updated(1, 1), updated(1, 2), updated(1, 3)])
    })
  )

  it.effect("closing our own end fails what is open, and cancels nothing", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const scope = yield* Scope.make()
      const peer = yield* Scope.provide(Peer.make(wire.duplex), scope)
      const call = yield* begin(peer, request(1, "x"))
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Closed" }, "Unknown"))
      expect(yield* Effect.exit(Stream.runDrain(Stream.fromPull(peer.incoming)))).toMatchObject(
        failedWith({ _tag: "Closed" })
      )
      expect(wire.sent).toStrictEqual([request(1, "x")])
    })
  )
})

describe("ending an exchange from outside", () => {
  const late: TransportError = new TransportError({ reason: { _tag: "TimedOut", afterMs: 7 }, outcome: "Unknown" })

  it.effect("R-027 fails it with the error given, and tells the peer why", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      for (const id of [1, 0, ""]) {
        const call = yield* begin(peer, request(id, "x"))
        peer.abandon?.(id, late)
        expect(yield* Fiber.join(call)).toStrictEqual(Exit.fail(late))
        expect(wire.sent.at(-1)).toStrictEqual(
          notification("notifications/cancelled", { requestId: id, reason: late.message })
        )
      }
    })
  )

  it.effect("interrupts what its listener has in hand, and drops the rest and a late response", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(progress(1, 1), progress(1, 2))
      peer.abandon?.(1, late)
      yield* wire.say(success(1, { late: true }))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.fail(late))
      yield* open
      expect(heard).toStrictEqual([])
    })
  )

  it.effect(
    "gives the answer that has come, or the end of the wire, when its listener has not heard all before it",
    () =>
      Effect.gen(function* () {
        const stuck = (said: unknown) =>
          Effect.asVoid(
            Effect.andThen(
              Effect.sync(() => said),
              Effect.never
            )
          )
        const { peer, wire } = yield* setup
        const answered = yield* begin(peer, request(1, "x"), stuck)
        const cut = yield* begin(peer, request(2, "x"), stuck)
        yield* wire.say(progress(1, 1), progress(1, 2), progress(2, 1), success(1, { right: true }))
        peer.abandon?.(1, late)
        expect(yield* Fiber.join(answered)).toStrictEqual(Exit.succeed(success(1, { right: true })))
        yield* wire.end()
        peer.abandon?.(2, late)
        expect(yield* Fiber.join(cut)).toMatchObject(failedWith({ _tag: "Closed" }, "Unknown"))
        expect(wire.sent).toStrictEqual([request(1, "x"), request(2, "x")])
      })
  )

  it.effect("does not wait for a listener that cannot be interrupted", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "x"), () => Effect.uninterruptible(Effect.never))
      yield* wire.say(progress(1, 1))
      peer.abandon?.(1, late)
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.fail(late))
    })
  )

  it.effect("lets go of a request that cannot be written, as one that never left, and sends nothing", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      wire.writing = () => Effect.never
      const call = yield* begin(peer, request(1, "x"))
      peer.abandon?.(1, late)
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "TimedOut" }, "NotSent"))
      expect(wire.sent).toStrictEqual([])
    })
  )

  it.effect("never cancels initialize, and passes over what is not open", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "initialize"))
      peer.abandon?.("1", late)
      peer.abandon?.(2, late)
      peer.abandon?.(1, late)
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.fail(late))
      peer.abandon?.(1, late)
      expect(wire.sent).toStrictEqual([request(1, "initialize")])
    })
  )
})

describe("a cancel from the peer", () => {
  it.effect("ends an open listen of ours, after what was heard", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const { heard, listener, open } = yield* gated
      const listening = yield* begin(peer, request(1, "subscriptions/listen"), listener)
      yield* wire.say(updated(1, 1), cancelled(1))
      yield* open
      expect(yield* Fiber.join(listening)).toMatchObject(failedWith({ _tag: "Closed" }))
      expect(heard).toStrictEqual([updated(1, 1)])
      expect(wire.sent).toStrictEqual([request(1, "subscriptions/listen")])
    })
  )

  it.effect("names a request of theirs in every other case", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup
      const call = yield* begin(peer, request(1, "tools/call"))
      yield* begin(peer, request(2, "subscriptions/listen"))
      yield* wire.say(cancelled(1), cancelled("2"), cancelled(undefined))
      expect(call.pollUnsafe()).toBe(undefined)
      expect(yield* Stream.runCollect(Stream.take(Stream.fromPull(peer.incoming), 3))).toStrictEqual([
        cancelled(1),
        cancelled("2"),
        cancelled(undefined)
      ])
    })
  )
})
