import { type JsonRpc, Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { held } from "../memory.ts"
import { begin, deaf, failedWith, failure, logged, notification, request, script, settled, success } from "../script.ts"

const setup = Effect.fnUntraced(function* (options: Peer.Options = {}) {
  const wire = yield* script
  return { wire, peer: yield* Peer.make(wire.duplex, options) }
})

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)
const log = (n: number): JsonRpc.Notification => notification("notifications/message", { level: "info", data: n })
const changed = (n: number): JsonRpc.Notification => notification("notifications/tools/list_changed", { n })

describe("what is said outside any exchange", () => {
  it.effect("is read in order: requests, notifications, logs and cancels", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const said = [
        request(0, "ping"),
        changed(1),
        log(2),
        request("", "x", {}),
        notification("notifications/cancelled")
      ]
      yield* wire.say(...said.slice(0, 2))
      yield* wire.say(...said.slice(2))
      yield* wire.end()
      expect(yield* Stream.runCollect(Stream.fromPull(peer.incoming))).toStrictEqual(said)
    })
  )

  it.effect("is read one read at a time", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const chunks: Array<number> = []
      const reading = yield* Stream.fromPull(peer.incoming).pipe(
        Stream.runForEachArray((chunk) => Effect.sync(() => chunks.push(chunk.length))),
        (effect) => Effect.forkScoped(effect, { startImmediately: true })
      )
      yield* wire.say(changed(1), changed(2), changed(3))
      yield* wire.say(changed(4))
      yield* wire.end()
      yield* Fiber.join(reading)
      expect(chunks).toStrictEqual([3, 1])
    })
  )

  it.effect("loses its oldest progress and logs when nobody reads", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ unread: 4 })
      yield* wire.say(changed(0), ...numbers(9).map(log))
      yield* settled(peer, wire)
      yield* wire.end()
      expect(yield* Stream.runCollect(Stream.fromPull(peer.incoming))).toStrictEqual([
        changed(0),
        log(7),
        log(8),
        log(9)
      ])
    })
  )

  it.effect("closes the connection when nobody reads what may not be lost; what was there can still be read", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ unread: 4 })
      const call = yield* begin(peer, request(1, "x"))
      yield* wire.say(...numbers(3).map(changed), log(1), changed(4), changed(5), success(1, {}))
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Overflow", limit: 4 }, "Unknown"))
      const read: Array<unknown> = []
      const end = yield* Effect.exit(
        Stream.runForEach(Stream.fromPull(peer.incoming), (said) =>
          Effect.sync(() => {
            read.push(said)
          })
        )
      )
      expect(end).toMatchObject(failedWith({ _tag: "Overflow", limit: 4 }))
      expect(read).toStrictEqual(numbers(4).map(changed))
      const next = yield* Effect.exit(peer.exchange(request(2, "x"), deaf))
      // it overflowed for who had asked before, and is closed for who asks afterwards
      expect(next).toMatchObject(failedWith({ _tag: "Closed" }, "NotSent"))
    })
  )

  it.effect("keeps 1,024 by default", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      yield* wire.say(...numbers(1024).map(changed))
      yield* settled(peer, wire)
      yield* wire.say(changed(1025))
      yield* settled(peer, wire)
      const end = yield* Effect.exit(Stream.runDrain(Stream.fromPull(peer.incoming)))
      expect(end).toMatchObject(failedWith({ _tag: "Overflow", limit: 1024 }))
    })
  )

  it.effect("never overruns a reader that only needs the processor: 10,000 in one read, 20 steps each", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup({ unread: 64 })
      let read = 0
      const steps = Effect.forEach(numbers(20), () => Effect.sync(() => {}), { discard: true })
      const reading = yield* Stream.fromPull(peer.incoming).pipe(
        Stream.runForEach(() =>
          Effect.andThen(
            steps,
            Effect.sync(() => {
              read++
            })
          )
        ),
        Effect.forkScoped
      )
      yield* wire.say(...numbers(10_000).map((id) => request(id, "x")))
      yield* settled(peer, wire)
      yield* wire.end()
      yield* Fiber.join(reading)
      expect(read).toBe(10_000)
    })
  )

  it.effect("RPC-09 unsolicited responses are not kept: 100,000 of them, and the real call resolves", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const call = yield* begin(peer, request(1, "x"))
      const before = held()
      for (const round of numbers(100)) {
        // each holds 4 KiB of its own: kept, they would take 400 MiB
        yield* wire.say(...numbers(1000).map((n) => success(1e6 + round * 1000 + n, { bulk: Array(512).fill(n) })))
      }
      yield* wire.say(success(1, { right: true }))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, { right: true })))
      expect(held() - before).toBeLessThan(40)
      yield* wire.end()
      expect(yield* Stream.runCollect(Stream.fromPull(peer.incoming))).toStrictEqual([])
    })
  )

  it.effect(
    "an error that names no request belongs to nobody, and is reported ever less often, without its words",
    () =>
      Effect.gen(function* () {
        const [call, log] = yield* logged(
          Effect.gen(function* () {
            const { peer, wire } = yield* setup()
            const call = yield* begin(peer, request(1, "x"))
            const error = { code: -32700, message: "SECRET-CANARY" }
            const stray = [failure(undefined, error), { jsonrpc: "2.0", id: null, error } as const]
            for (let i = 0; i < 500; i++) yield* wire.say(...stray, failure(7, error), success(8, {}))
            yield* settled(peer, wire)
            yield* wire.say(success(1, {}))
            yield* wire.end()
            expect(yield* Stream.runCollect(Stream.fromPull(peer.incoming))).toStrictEqual([])
            return call
          })
        )
        expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
        expect(log[0]).toContain("-32700; 1 so far")
        expect(log.length).toBeLessThan(20)
        expect(log.join()).not.toContain("SECRET")
      })
  )
})
