import { type Connection, type Handler, type JsonRpc, limits, Peer } from "@effective-mcp/protocol"
import { pair } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { begin, deaf, frame, logged, notification, request, script, success } from "../script.ts"

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)

const prompt: Handler = { exchange: ({ id }) => Effect.succeed(success(id, {})), notify: () => Effect.void }

/** Serves on a wire that takes nothing until it is opened. */
const stuck = Effect.fnUntraced(function* (handler: Handler = prompt) {
  const wire = yield* script
  const gate = yield* Deferred.make<void>()
  wire.writing = () => Deferred.await(gate)
  const client = yield* Peer.make(wire.duplex, { answerMalformed: true })
  const served = yield* Effect.forkScoped(Effect.exit(Peer.serve(client, handler)), { startImmediately: true })
  return { wire, client, served, open: Effect.asVoid(Deferred.succeed(gate, undefined)) }
})

/** Lets all go on that can. */
const turns = Effect.forEach(numbers(50), () => Effect.yieldNow, { discard: true })

describe("a burst of requests", () => {
  it.effect("of a client that reads a little later is answered whole, each request once", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* stuck()
      yield* wire.say(...numbers(20_000).map((id) => request(id, "x")))
      yield* turns
      yield* open
      const seen = new Set<unknown>()
      for (const _ of numbers(20_000)) seen.add(((yield* wire.next) as JsonRpc.Response).id)
      expect(seen.size).toBe(20_000)
      expect(wire.sent.length).toBe(20_000)
    })
  )

  it.effect("stops the reading from a client that reads nothing", () =>
    Effect.gen(function* () {
      const wire = yield* script
      wire.writing = () => Effect.never
      let taken = 0
      const counted = Stream.map(Stream.fromPull(wire.duplex.incoming), (frame) => {
        taken++
        return frame
      })
      const client = yield* Peer.make({ ...wire.duplex, incoming: Stream.toPull(counted) })
      const served = yield* Effect.forkScoped(Effect.exit(Peer.serve(client, prompt)), { startImmediately: true })
      for (const round of numbers(50)) {
        yield* wire.say(...numbers(1000).map((n) => request(round * 1000 + n, "x")))
        yield* turns
      }
      expect(taken).toBeLessThan(5_000)
      expect(served.pollUnsafe()).toBe(undefined)
    })
  )

  it.effect("of a client that reads much later is still answered whole, what is refused included", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* stuck()
      yield* wire.say(...numbers(20_000).map((id) => request(id, "x")))
      for (const _ of numbers(10)) yield* TestClock.adjust("1 second")
      yield* open
      const seen = new Set<unknown>()
      for (const _ of numbers(20_000)) seen.add(((yield* wire.next) as JsonRpc.Response).id)
      expect(seen.size).toBe(20_000)
    })
  )

  it.effect("on both sides at once is answered whole on both", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      const ends = [yield* Peer.make(near), yield* Peer.make(far)] as const
      for (const end of ends) yield* Effect.forkScoped(Peer.serve(end, prompt), { startImmediately: true })
      const ask = (end: Connection) =>
        Effect.forEach(numbers(3_000), (id) => end.exchange(request(id, "x"), deaf), { concurrency: "unbounded" })
      const all = yield* Effect.forkScoped(Effect.all(ends.map(ask), { concurrency: 2 }), { startImmediately: true })
      for (const _ of numbers(10)) {
        yield* turns
        yield* TestClock.adjust("1 second")
      }
      expect((yield* Fiber.join(all)).map((each) => each.length)).toStrictEqual([3_000, 3_000])
    })
  )

  it.effect("whose answers only wait for the wire is not refused within a second", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* stuck()
      yield* wire.say(...numbers(2_000).map((id) => request(id, "x")))
      yield* TestClock.adjust(limits.farewellMs - 1)
      yield* open
      for (const _ of numbers(2_000)) expect(yield* wire.next).toHaveProperty("result")
    })
  )

  it.effect("is left unanswered, beyond what is held, by a client that reads nothing at all", () =>
    Effect.gen(function* () {
      const { client, open, wire } = yield* stuck()
      for (const round of numbers(100)) {
        yield* wire.say(...numbers(1000).map((n) => request(round * 1000 + n, "x")))
        yield* TestClock.adjust("2 seconds")
      }
      yield* open
      for (const _ of numbers(60_000)) yield* wire.next
      yield* turns
      expect(wire.sent.length).toBeLessThan(75_000)
      const call = yield* begin(client, request("ours", "x"))
      yield* wire.say(success("ours", {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success("ours", {})))
    })
  )

  it.effect("of a client that reads nothing for a second leaves the last word to be heard", () =>
    Effect.gen(function* () {
      const { served, wire } = yield* stuck()
      yield* wire.say(...numbers(5_000).map((id) => request(id, "x")))
      yield* wire.say(...numbers(100).map(() => frame("{}")))
      yield* wire.end()
      yield* TestClock.adjust(2 * limits.farewellMs)
      yield* turns
      expect(served.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(2 * limits.drainMs)
      expect(yield* Fiber.join(served)).toStrictEqual(Exit.void)
    })
  )

  it.effect("does not keep a response from its exchange for longer than a second", () =>
    Effect.gen(function* () {
      const { client, open, wire } = yield* stuck()
      wire.writing = (message) => ("method" in message ? Effect.void : Effect.never)
      const call = yield* begin(client, request("ours", "x"))
      yield* wire.say(...numbers(20_000).map((id) => request(id, "ping")), success("ours", { right: true }))
      yield* TestClock.adjust(2 * limits.farewellMs)
      yield* turns
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success("ours", { right: true })))
      yield* open
    })
  )

  it.effect("is heard in order, and the room is seen that came while its reader had given up its turn", () =>
    Effect.gen(function* () {
      for (let ops = 3; ops < 80; ops++) {
        const wire = yield* script
        const gate = yield* Deferred.make<void>()
        wire.writing = () => Deferred.await(gate)
        const client = yield* Peer.make(wire.duplex)
        const handler: Handler = {
          ...prompt,
          exchange: (asked, say) => (asked.id === 2 ? Effect.never : prompt.exchange(asked, say))
        }
        yield* Peer.serve(client, handler, { handlers: 1, queued: 1 }).pipe(
          Effect.provideService(References.MaxOpsBeforeYield, ops),
          Effect.forkScoped({ startImmediately: true })
        )
        yield* wire.say(request(1, "x"))
        yield* turns
        // the third waits for the wire to take the first answer, and the fourth then for nothing
        yield* wire.say(request(2, "x"), request(3, "x"), request(4, "x"))
        yield* Deferred.succeed(gate, undefined)
        yield* turns
        const ids = wire.sent.map((said) => (said as JsonRpc.Response).id)
        expect([ops, ids]).toStrictEqual([ops, [1, 4]])
      }
    })
  )

  it.effect("that is heavy is refused beyond 64 MiB, and what was taken is answered", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const gate = yield* Deferred.make<void>()
      const slow: Handler = {
        ...prompt,
        exchange: ({ id }) => Effect.as(Deferred.await(gate), success(id, {}))
      }
      const client = yield* Peer.make(wire.duplex)
      yield* Effect.forkScoped(Peer.serve(client, slow), { startImmediately: true })
      const heavy = (id: number) =>
        frame(JSON.stringify(request(id, "x", { text: "x".repeat(4 * 1024 * 1024 - 1024) })))
      for (const id of numbers(20)) yield* wire.say(heavy(id))
      const tooMany = { code: -32603, message: "Too many requests" }
      expect(wire.sent).toMatchObject([17, 18, 19, 20].map((id) => ({ id, error: tooMany })))
      yield* wire.say(request(21, "ping"))
      yield* Deferred.succeed(gate, undefined)
      for (const _ of numbers(17)) yield* wire.next
      yield* wire.say(heavy(22))
      yield* turns
      expect(wire.sent.at(-1)).toStrictEqual(success(22, {}))
    })
  )
})

describe("messages outside any exchange", () => {
  const changed = (n: number) => notification("notifications/x", { n })

  it.effect("wait for a reader that is busy, and none is lost", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex, { unread: 8 })
      const gate = yield* Deferred.make<void>()
      const read: Array<unknown> = []
      yield* Stream.fromPull(peer.incoming).pipe(
        Stream.runForEach((said) =>
          Effect.andThen(
            Deferred.await(gate),
            Effect.sync(() => void read.push(said))
          )
        ),
        Effect.forkScoped({ startImmediately: true })
      )
      yield* wire.say(...numbers(100).map(changed))
      yield* TestClock.adjust("1 minute")
      yield* Deferred.succeed(gate, undefined)
      yield* turns
      expect(read).toStrictEqual(numbers(100).map(changed))
    })
  )

  it.effect("are dropped, and reported ever less often, when their reader holds up an exchange for a second", () =>
    Effect.gen(function* () {
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const wire = yield* script
          const peer = yield* Peer.make(wire.duplex, { unread: 8 })
          yield* Stream.fromPull(peer.incoming).pipe(
            Stream.runForEach(() => Effect.never),
            Effect.forkScoped({ startImmediately: true })
          )
          const call = yield* begin(peer, request(1, "x"))
          yield* wire.say(...numbers(1000).map(changed), success(1, {}))
          expect(call.pollUnsafe()).toBe(undefined)
          yield* TestClock.adjust(limits.farewellMs)
          expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
        })
      )
      expect(log[0]).toContain("1 so far")
      expect(log.length).toBeLessThan(20)
    })
  )

  it.effect("are bounded by their bytes, too", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      const heavy = frame(JSON.stringify(notification("notifications/x", { text: "x".repeat(1024 * 1024) })))
      yield* wire.say(...numbers(6).map(() => heavy))
      const read = yield* Effect.exit(Stream.runCollect(Stream.fromPull(peer.incoming)))
      expect(read).toMatchObject({ cause: { reasons: [{ error: { reason: { _tag: "Overflow" } } }] } })
    })
  )
})
