import { type Handler, type Host, type JsonRpc, Peer, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { held } from "../memory.ts"
import { begin, deaf, frame, notification, progress, request, script, settled, success } from "../script.ts"

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)

const quiet: Handler = { exchange: ({ id }) => Effect.succeed(success(id, {})), notify: () => Effect.void }
const host: Host = {
  modern: quiet,
  converse: () => Effect.succeed({ on: () => quiet, snapshot: Effect.succeed({}) })
}

describe("what is owed for lines that are no messages", () => {
  const bad = frame(`{"jsonrpc":"2.0","id":4,"method":7}`)
  /** Hosts on a wire that nobody reads until the gate opens, and counts the sends that wait for it. */
  const stuck = Effect.gen(function* () {
    const wire = yield* script
    const gate = yield* Deferred.make<void>()
    const waiting = { now: 0, most: 0 }
    wire.writing = () =>
      Effect.suspend(() => {
        waiting.most = Math.max(waiting.most, ++waiting.now)
        return Effect.ensuring(
          Deferred.await(gate),
          Effect.sync(() => waiting.now--)
        )
      })
    yield* Effect.forkScoped(Peer.host(wire.duplex, host), { startImmediately: true })
    return { wire, waiting, open: Deferred.succeed(gate, undefined) }
  })

  it.effect("waits one at a time for a client that does not read, in one read or in many", () =>
    Effect.gen(function* () {
      for (const size of [1, 10_000]) {
        const { open, waiting, wire } = yield* stuck
        for (let said = 0; said < 10_000; said += size) yield* wire.say(...numbers(size).map(() => bad))
        yield* Effect.yieldNow
        expect(waiting).toStrictEqual({ now: 1, most: 1 })
        expect(wire.sent).toStrictEqual([])
        yield* open
        for (const _ of numbers(10_000)) expect(yield* wire.next).toMatchObject({ id: 4, error: { code: -32600 } })
        expect(waiting).toStrictEqual({ now: 0, most: 1 })
      }
    })
  )

  it.effect("is written before anything more is heard", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* stuck
      yield* wire.say(bad)
      yield* wire.say(request(1, "x"))
      expect(wire.sent).toStrictEqual([])
      yield* open
      expect(yield* wire.next).toMatchObject({ id: 4 })
      expect(yield* wire.next).toStrictEqual(success(1, {}))
    })
  )
})

describe("a listener that always lags a little", () => {
  /** Says `count` things to one exchange, whose listener has `lag` of them still to hear each time. */
  const lagging = Effect.fnUntraced(function* (
    count: number,
    lag: number,
    said: (n: number) => JsonRpc.Notification,
    options: Peer.Options
  ) {
    const wire = yield* script
    const peer = yield* Peer.make(wire.duplex, options)
    const permits = yield* Queue.unbounded<void>()
    const heard: Array<unknown> = []
    const call = yield* begin(peer, request(1, "x"), (message) =>
      Effect.andThen(
        Effect.sync(() => heard.push(message.params?.progress)),
        Queue.take(permits)
      )
    )
    for (const n of numbers(count)) {
      yield* wire.say(said(n))
      if (n <= lag) continue
      yield* Queue.offer(permits, undefined)
      // turns enough for the listener to hear one more
      while (heard.length < n - lag) yield* Effect.yieldNow
    }
    return { call, heard, peer, permits, wire }
  })

  it.effect("keeps nothing of what it has heard", () =>
    Effect.gen(function* () {
      const before = held()
      // an array of its own, 64 KiB of it, so that nothing is shared and all would add up to 128 MiB
      const bulky = (n: number) => {
        const message = progress(1, n)
        return { ...message, params: { ...message.params, bulk: Array<number>(8192).fill(n) } }
      }
      const { call, heard } = yield* lagging(2048, 3, bulky, { mailbox: 16 })
      expect(call.pollUnsafe()).toBe(undefined)
      expect(heard).toHaveLength(2045)
      expect(held() - before).toBeLessThan(12.8)
    })
  )

  it.effect("hears all of it once, in order, and the response last", () =>
    Effect.gen(function* () {
      for (const lag of [1, 2, 4, 7]) {
        const { call, heard, permits, wire } = yield* lagging(200, lag, (n) => progress(1, n), { mailbox: 8 })
        yield* wire.say(success(1, {}))
        for (const _ of numbers(lag)) yield* Queue.offer(permits, undefined)
        expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
        expect(heard).toStrictEqual(numbers(200))
      }
    })
  )

  it.effect("never runs into the bound by bytes, which counts only what it has yet to hear", () =>
    Effect.gen(function* () {
      // each heavier than the one before, so that it matters which of them is let go of
      const heavy = (n: number) =>
        notification("notifications/resources/updated", {
          progress: n,
          text: "x".repeat(2 * n),
          _meta: { "io.modelcontextprotocol/subscriptionId": 1 }
        })
      const { call, heard, peer, permits, wire } = yield* lagging(200, 2, heavy, { mailbox: 8, mailboxBytes: 2000 })
      yield* wire.say(success(1, {}))
      yield* settled(peer, wire)
      for (const _ of numbers(2)) yield* Queue.offer(permits, undefined)
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      expect(heard).toStrictEqual(numbers(200))
    })
  )
})

describe("what is sent after the wire has failed", () => {
  const reason = { _tag: "Closed", exit: { code: 3, signal: null }, stderr: "out of paper" } as const
  const message = notification("notifications/x")

  const expectNotSent = (exit: Exit.Exit<unknown, TransportError>): void => {
    expect(exit).toStrictEqual(Exit.fail(TransportError.make(reason, "NotSent")))
  }
  it.effect("fails as not sent, with the wire's own reason, and is not tried", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      let tried = 0
      wire.writing = () => Effect.sync(() => void tried++)
      yield* wire.end(TransportError.make(reason, "Unknown"))
      for (const said of [message, success(1, {})]) expectNotSent(yield* Effect.exit(peer.send(said)))
      expectNotSent(yield* Effect.exit(peer.exchange(request(1, "x"), deaf)))
      expect(tried).toBe(0)
      expect(wire.sent).toStrictEqual([])
    })
  )

  it.effect("fails so too when it waits for the wire as that fails", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      wire.writing = () => Effect.never
      const sends = yield* Effect.forEach([1, 2], () =>
        Effect.forkScoped(Effect.exit(peer.send(message)), { startImmediately: true })
      )
      const call = yield* begin(peer, request(1, "x"))
      yield* wire.end(TransportError.make(reason, "Unknown"))
      for (const send of sends) expectNotSent(yield* Fiber.join(send))
      expectNotSent(yield* Fiber.join(call))
      expectNotSent(yield* Effect.exit(peer.send(message)))
      expect(wire.sent).toStrictEqual([])
    })
  )

  it.effect("is still taken by a wire whose other side has only said its last word", () =>
    Effect.gen(function* () {
      const wire = yield* script
      const peer = yield* Peer.make(wire.duplex)
      yield* wire.end()
      yield* peer.send(success(1, {}))
      expect(wire.sent).toStrictEqual([success(1, {})])
    })
  )
})
