import { type JsonRpc, Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { held } from "../memory.ts"
import {
  begin,
  cancelled,
  failedWith,
  gated,
  notification,
  progress,
  request,
  script,
  settled,
  success,
  updated
} from "../script.ts"

const setup = Effect.fnUntraced(function* (options: Peer.Options = {}) {
  const wire = yield* script
  return { wire, peer: yield* Peer.make(wire.duplex, options) }
})

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)

/** Something that takes about so many bytes and may not be lost. */
const heavy = (id: JsonRpc.RequestId, n: number, bytes: number): JsonRpc.Notification => {
  const { params, ...rest } = updated(id, n)
  return { ...rest, params: { ...params, padding: "x".repeat(bytes) } }
}

const numberOf = ({ params }: JsonRpc.Notification | JsonRpc.Request): unknown => params?.progress ?? params?.uri

describe("what is said during an exchange", () => {
  it.effect("is heard in order, before the response, however it is cut into reads", () =>
    Effect.gen(function* () {
      for (const size of [1, 2, 7, 100]) {
        const { peer, wire } = yield* setup()
        const { heard, listener, open } = yield* gated
        yield* open
        const call = yield* begin(peer, request(1, "x"), listener)
        const all = [...numbers(100).map((n) => progress(1, n)), success(1, {})]
        for (let at = 0; at < all.length; at += size) yield* wire.say(...all.slice(at, at + size))
        expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
        expect(heard).toStrictEqual(all.slice(0, -1))
      }
    })
  )

  it.effect("belongs to the exchange that it names, and to none when that is over", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const first = yield* gated
      const second = yield* gated
      yield* Effect.andThen(first.open, second.open)
      const call = yield* begin(peer, request(1, "x"), first.listener)
      const listening = yield* begin(peer, request("1", "subscriptions/listen"), second.listener)
      yield* wire.say(progress("1", 1), progress(1, 2), updated("1", 3), success(1, {}), progress(1, 4), progress(7, 5))
      yield* wire.say(success("1", {}), request(9, "ping"))
      yield* Effect.andThen(Fiber.join(call), Fiber.join(listening))
      expect(first.heard).toStrictEqual([progress(1, 2)])
      expect(second.heard).toStrictEqual([progress("1", 1), updated("1", 3)])
      expect(yield* Stream.runCollect(Stream.take(Stream.fromPull(peer.incoming), 1))).toStrictEqual([
        request(9, "ping")
      ])
    })
  )

  it.effect("names nothing with a token that is no id", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const { heard, listener, open } = yield* gated
      yield* open
      const call = yield* begin(peer, request(1, "x"), listener)
      for (const progressToken of [true, 1.5, ["1"], { id: 1 }]) {
        yield* wire.say(notification("notifications/progress", { progressToken, progress: 1 }))
      }
      yield* wire.say(notification("notifications/x", { _meta: null }), success(1, {}))
      yield* Fiber.join(call)
      expect(heard).toStrictEqual([])
      expect(yield* Stream.runCollect(Stream.take(Stream.fromPull(peer.incoming), 1))).toStrictEqual([
        notification("notifications/x", { _meta: null })
      ])
    })
  )

  it.effect("delays no other exchange when its listener waits", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailbox: 64 })
      const stuck = yield* begin(peer, request(1, "x"), () => Effect.never)
      const quick = yield* begin(peer, request(2, "x"))
      yield* wire.say(...numbers(1000).map((n) => progress(1, n)), success(2, {}))
      expect(yield* Fiber.join(quick)).toStrictEqual(Exit.succeed(success(2, {})))
      expect(stuck.pollUnsafe()).toBe(undefined)
    })
  )
})

describe("a full mailbox", () => {
  it.effect("loses its oldest progress and log messages, never the response", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailbox: 4 })
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(progress(1, 0))
      yield* wire.say(...numbers(100).map((n) => progress(1, n)), success(1, {}))
      yield* settled(peer, wire)
      yield* open
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(heard.map(numberOf)).toStrictEqual([0, 97, 98, 99, 100])
    })
  )

  it.effect("loses those that a newer one makes up for before it gives up on the others", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailbox: 4 })
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(progress(1, 0))
      yield* wire.say(updated(1, 1), progress(1, 2), updated(1, 3), progress(1, 4), updated(1, 5), updated(1, 6))
      yield* wire.say(success(1, {}))
      yield* settled(peer, wire)
      yield* open
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(heard.map(numberOf)).toStrictEqual([0, "x:1", "x:3", "x:5", "x:6"])
    })
  )

  it.effect("of what may not be lost fails the exchange after what was heard, and cancels it", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailbox: 4 })
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "subscriptions/listen"), listener)
      yield* wire.say(updated(1, 0))
      yield* wire.say(...numbers(6).map((n) => updated(1, n)), success(1, { late: true }))
      yield* settled(peer, wire)
      yield* open
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Overflow", limit: 4 }, "Unknown"))
      expect(heard.map(numberOf)).toStrictEqual(["x:0", "x:1", "x:2", "x:3", "x:4"])
    })
  )

  it.effect("is told to the peer, unless it has answered meanwhile", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailbox: 2 })
      for (const answers of [true, false]) {
        const { listener, open } = yield* gated
        const id = String(answers)
        const call = yield* begin(peer, request(id, "x"), listener)
        yield* wire.say(...numbers(9).map((n) => updated(id, n)), ...(answers ? [success(id, {})] : []))
        yield* settled(peer, wire)
        yield* open
        expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Overflow" }))
      }
      expect(wire.sent).toContainEqual(cancelled("false"))
      expect(wire.sent).not.toContainEqual(cancelled("true"))
    })
  )

  it.effect("is full by bytes, too: progress gives way", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailboxBytes: 1000 })
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(progress(1, 0))
      yield* wire.say(...numbers(50).map((n) => progress(1, n)), heavy(1, 51, 700), success(1, {}))
      yield* settled(peer, wire)
      yield* open
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      const all = heard.map(numberOf)
      expect([all[0], all.at(-1)]).toStrictEqual([0, "x:51"])
      expect(all.length).toBeLessThan(5)
    })
  )

  it.effect("is full by bytes, too: of what may not be lost it fails", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailboxBytes: 1000 })
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(heavy(1, 0, 10))
      yield* wire.say(heavy(1, 1, 600), heavy(1, 2, 600), success(1, {}))
      yield* settled(peer, wire)
      yield* open
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Overflow", limit: 1000 }))
      expect(heard.map(numberOf)).toStrictEqual(["x:0", "x:1"])
    })
  )

  it.effect("takes a single message that is over the bytes, when nothing else waits", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailboxBytes: 1000 })
      const { heard, listener, open } = yield* gated
      const call = yield* begin(peer, request(1, "x"), listener)
      yield* wire.say(heavy(1, 1, 5000))
      yield* open
      yield* wire.say(heavy(1, 2, 5000))
      yield* wire.say(success(1, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(heard.map(numberOf)).toStrictEqual(["x:1", "x:2"])
    })
  )

  it.effect("never fills when the listener only needs the processor: 10,000 in one read, 20 steps each", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailbox: 1024 })
      let heard = 0
      const steps = Effect.forEach(numbers(20), () => Effect.sync(() => {}), { discard: true })
      const call = yield* begin(peer, request(1, "x"), () =>
        Effect.andThen(
          steps,
          Effect.sync(() => {
            heard++
          })
        )
      )
      yield* wire.say(...numbers(10_000).map((n) => updated(1, n)), success(1, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(heard).toBe(10_000)
    })
  )

  it.effect("never fills when the listener gives way each time: 10,000 in one read", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ mailbox: 1024 })
      let heard = 0
      const call = yield* begin(peer, request(1, "x"), () =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => {
            heard++
          })
        )
      )
      yield* wire.say(...numbers(10_000).map((n) => updated(1, n)), success(1, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(heard).toBe(10_000)
    })
  )

  it.effect("holds what a stuck listener is sent within its bytes, and goes on serving the others", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const stuck = yield* begin(peer, request(1, "x"), () => Effect.never)
      const before = held()
      for (const round of numbers(200)) {
        const bulk = numbers(16).map((n) => {
          const said = progress(1, round * n)
          // an array of its own, so that nothing is shared and all would add up
          return { ...said, params: { ...said.params, message: "x".repeat(65_536), bulk: Array(8192).fill(n) } }
        })
        yield* wire.say(...bulk)
        const quick = yield* begin(peer, request(`q${round}`, "x"))
        yield* wire.say(success(`q${round}`, {}))
        yield* Fiber.join(quick)
      }
      expect(held() - before).toBeLessThan(16)
      expect(stuck.pollUnsafe()).toBe(undefined)
    })
  )
})
