import { type Duplex, Frame, JsonRpc, Peer, TransportError } from "@effective-mcp/protocol"
import { Faults, pair, TransportContract } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

const said = (n: number): JsonRpc.Notification => JsonRpc.notification("x", { n })
const failed = (outcome: string) => ({
  cause: { reasons: [{ _tag: "Fail", error: { reason: { _tag: "Closed" }, outcome } }] }
})
const readAll = (duplex: Duplex) =>
  Effect.forkScoped(Stream.runCollect(Stream.fromPull(duplex.incoming)), { startImmediately: true })

/** The contract over a pair, both ends of which have faults that must not matter. */
const harmless: ReadonlyArray<
  readonly [name: string, Faults.Script, without?: ReadonlyArray<TransportContract.Ability>]
> = [
  ["no faults at all", {}],
  [
    "delays and changes of order across exchanges",
    { seed: 5, chances: { delay: 0.02, reorder: 0.02, delayMs: 3 } },
    // what is held back has been taken, whatever the wire behind has room for
    ["waiting"]
  ],
  ["answers that come twice", { rules: [{ when: { kind: "response" }, do: { _tag: "Duplicate" } }] }]
]

for (const [name, script, without] of harmless) {
  describe(`a transport with ${name} keeps the contract`, () => {
    const makePair: TransportContract.MakePair = Effect.fnUntraced(function* (fixture) {
      const ends = yield* pair()
      const [near, far] = yield* Effect.forEach(ends, Faults.make(script).wrap)
      yield* Effect.forkScoped(Effect.ignore(Peer.host(far!, fixture)))
      return { ...(yield* Peer.make(near!)), goAway: ends[1].close }
    })
    for (const { check, name } of TransportContract.cases(makePair, { without })) it.live(name, () => check)
  })
}

describe("a wire with faults", () => {
  it.effect("gives what it holds back before it ends", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [
        { when: { nth: 1 }, do: { _tag: "Reorder", by: 9, atMostMs: 60_000 } },
        { when: { nth: 2 }, do: { _tag: "Delay", ms: 100 } }
      ]
      const [far, near] = yield* Faults.make({ rules }).pair()
      yield* Effect.andThen(near.send(JsonRpc.success(1, {})), near.send(JsonRpc.success(2, {})))
      yield* near.close
      const read = yield* readAll(far)
      yield* TestClock.adjust("99 millis")
      expect(read.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(read)).toStrictEqual([1, 2].map((id) => JsonRpc.success(id, {})))
    })
  )

  it.effect("never changes the order within an exchange, whatever the seed", () =>
    Effect.gen(function* () {
      let overtaken = 0
      for (let seed = 0; seed < 30; seed++) {
        const chances = { delay: 0.3, reorder: 0.3, duplicate: 0.2 }
        const [near, far] = yield* Faults.make({ seed, chances }).pair({ capacity: 100 })
        const sent = Array.from({ length: 50 }, (_, n) => ({ id: n % 5, n }))
        const read = yield* readAll(far)
        const sending = yield* Effect.forkScoped(
          Effect.forEach(sent, ({ id, n }) => near.send(JsonRpc.notification("x", { progressToken: id, n }))),
          { startImmediately: true }
        )
        for (let turn = 0; turn < 20; turn++) yield* TestClock.adjust("1 second")
        yield* Fiber.join(sending)
        yield* near.close
        const heard = (yield* Fiber.join(read)).map((frame) => {
          const { n, progressToken } = "method" in frame ? (frame.params ?? {}) : {}
          return { id: Number(progressToken), n: Number(n) }
        })
        for (let id = 0; id < 5; id++) {
          const own = heard.filter((one) => one.id === id).map(({ n }) => n)
          expect([...new Set(own)]).toStrictEqual(sent.filter((one) => one.id === id).map(({ n }) => n))
          expect(own).toStrictEqual(own.toSorted((a, b) => a - b))
        }
        if (heard.some(({ n }, i) => i > 0 && n < heard[i - 1]!.n)) overtaken++
      }
      expect(overtaken).toBe(30)
    })
  )

  it.effect("lets nothing overtake in an exchange, however full it is and whoever sends", () =>
    Effect.gen(function* () {
      const delay: Faults.Fault = { _tag: "Delay", ms: 10 }
      const rules = [1, 2].map((nth): Faults.Rule => ({ when: { nth }, do: delay }))
      const [near, far] = yield* Faults.make({ capacity: 1, rules }).pair()
      const read = yield* readAll(far)
      const [a, x1, x2] = [JsonRpc.success("a", {}), said(1), said(2)]
      const sending = yield* Effect.forEach([a!, x1!, x2!], (message) =>
        Effect.forkScoped(near.send(message), { startImmediately: true })
      )
      for (let i = 0; i < 3; i++) yield* TestClock.adjust("10 millis")
      yield* Fiber.joinAll(sending)
      yield* near.close
      expect(yield* Fiber.join(read)).toStrictEqual([a, x1, x2])
    })
  )

  it.effect("counts only others as having overtaken", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [
        { when: { nth: 1 }, do: { _tag: "Delay", ms: 10 } },
        { when: { nth: 2 }, do: { _tag: "Reorder", by: 1, atMostMs: 60_000 } }
      ]
      const [near, far] = yield* Faults.make({ rules }).pair()
      const heard: Array<Frame.Frame> = []
      yield* Effect.forkScoped(
        Stream.runForEach(Stream.fromPull(far.incoming), (frame) => Effect.sync(() => heard.push(frame))),
        { startImmediately: true }
      )
      yield* Effect.andThen(near.send(said(1)), near.send(said(2)))
      yield* TestClock.adjust("10 millis")
      expect(heard).toStrictEqual([said(1)])
      yield* near.send(JsonRpc.success(1, {}))
      yield* TestClock.adjust("1 millis")
      expect(heard).toStrictEqual([said(1), JsonRpc.success(1, {}), said(2)])
    })
  )

  it.effect("keeps a cancel behind its request", () =>
    Effect.gen(function* () {
      const [near, far] = yield* Faults.make({ rules: [{ when: { nth: 1 }, do: { _tag: "Delay", ms: 10 } }] }).pair()
      const messages = [JsonRpc.request(1, "x"), JsonRpc.notification("notifications/cancelled", { requestId: 1 })]
      yield* Effect.forEach(messages, near.send)
      const read = yield* Effect.forkScoped(Stream.runCollect(Stream.take(Stream.fromPull(far.incoming), 2)), {
        startImmediately: true
      })
      yield* TestClock.adjust("10 millis")
      expect(yield* Fiber.join(read)).toStrictEqual(messages)
    })
  )

  it.effect("loses what the wire refuses later, and that alone", () =>
    Effect.gen(function* () {
      const sent: Array<unknown> = []
      const picky: Duplex = {
        incoming: Effect.succeed(Effect.never),
        send: (message) =>
          "id" in message && message.id === 1
            ? Effect.fail(TransportError.make({ _tag: "TooLarge", limit: 1 }, "NotSent"))
            : Effect.sync(() => sent.push(message))
      }
      const wrapped = yield* Faults.make({ rules: [{ when: {}, do: { _tag: "Delay", ms: 10 } }] }).wrap(picky)
      const messages = [1, 2, 3].map((id) => JsonRpc.success(id, {}))
      yield* Effect.forEach(messages, wrapped.send)
      yield* TestClock.adjust("10 millis")
      expect(sent).toStrictEqual(messages.slice(1))
    })
  )

  it.effect("gives nothing any more once it is a black hole, not even its end or what it held back", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [
        { when: { direction: "out" }, do: { _tag: "Delay", ms: 10 } },
        { when: { direction: "in" }, do: { _tag: "BlackHole" } }
      ]
      const faults = Faults.make({ rules })
      const [near, far] = yield* faults.pair()
      const [here, there] = [yield* readAll(near), yield* readAll(far)]
      yield* near.send(said(1))
      yield* Effect.forEach([1, 2, 3], (n) => far.send(said(n)))
      yield* TestClock.adjust("1 minute")
      yield* near.send(said(2))
      yield* far.close
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(there)).toStrictEqual([])
      expect(here.pollUnsafe()).toBe(undefined)
      expect(faults.fired().length).toBe(2)
    })
  )

  it.effect("knows what a response answers, whatever else is open", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [
        { when: { kind: "response", method: "a" }, do: { _tag: "Drop" } },
        { when: { kind: "response" }, do: { _tag: "Duplicate" } }
      ]
      const [near, far] = yield* Faults.make({ rules }).pair()
      yield* Effect.forEach(["a", "b"], (method) => near.send(JsonRpc.request(method, method)))
      yield* Effect.forEach(["a", "b"], (id) => far.send(JsonRpc.success(id, {})))
      yield* far.close
      const answer = JsonRpc.success("b", {})
      expect(yield* Stream.runCollect(Stream.fromPull(near.incoming))).toStrictEqual([answer, answer])
    })
  )

  it.effect("remembers a bounded number of requests", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [{ when: { kind: "response", method: "x" }, do: { _tag: "Drop" } }]
      const [near, far] = yield* Faults.make({ rules }).pair()
      yield* Effect.forkScoped(Stream.runDrain(Stream.fromPull(far.incoming)))
      for (let id = 0; id <= 1024; id++) yield* near.send(JsonRpc.request(id, "x"))
      for (const id of [1, 0]) yield* far.send(JsonRpc.success(id, {}))
      yield* far.close
      expect(yield* Stream.runCollect(Stream.fromPull(near.incoming))).toStrictEqual([JsonRpc.success(0, {})])
    })
  )

  it.effect("strikes its two directions by chances of their own", () =>
    Effect.gen(function* () {
      const faults = Faults.make({ chances: { drop: 0.5 } })
      const [near, far] = yield* faults.pair({ capacity: 100 })
      for (let n = 0; n < 50; n++) yield* Effect.andThen(near.send(said(n)), far.send(said(n)))
      yield* far.close
      yield* Stream.runDrain(Stream.fromPull(near.incoming))
      const struck = (way: string) => faults.fired().flatMap(({ at, direction }) => (direction === way ? at : []))
      expect(struck("in").length).toBeGreaterThan(10)
      expect(struck("in")).not.toStrictEqual(struck("out"))
    })
  )

  it.effect("keeps a bounded list of what struck", () =>
    Effect.gen(function* () {
      const faults = Faults.make({ rules: [{ when: {}, do: { _tag: "Drop" } }] })
      const [near] = yield* faults.pair()
      for (let n = 0; n < 1100; n++) yield* near.send(said(n))
      expect(faults.fired().length).toBe(1000)
      expect(faults.fired()[0]?.at).toBe(101)
    })
  )

  it.effect("waits no longer for others to pass than it says", () =>
    Effect.gen(function* () {
      const rule: Faults.Rule = { when: { nth: 1 }, do: { _tag: "Reorder", by: 9, atMostMs: 50 } }
      const [near, far] = yield* Faults.make({ rules: [rule] }).pair()
      yield* near.send(said(1))
      const read = yield* Effect.forkScoped(Stream.runHead(Stream.fromPull(far.incoming)), { startImmediately: true })
      yield* TestClock.adjust("49 millis")
      expect(read.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(read)).toMatchObject({ value: said(1) })
    })
  )

  it.effect("makes a sender wait once it holds too much; who stops waiting has sent nothing", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [{ when: {}, do: { _tag: "Delay", ms: 10 } }]
      const [near, far] = yield* Faults.make({ capacity: 2, rules }).pair()
      const read = yield* readAll(far)
      const sending = yield* Effect.forEach([1, 2, 3, 4], (n) =>
        Effect.forkScoped(near.send(said(n)), { startImmediately: true })
      )
      expect(sending.map((fiber) => fiber.pollUnsafe() !== undefined)).toStrictEqual([true, true, false, false])
      yield* Fiber.interrupt(sending[2]!)
      for (let i = 0; i < 3; i++) yield* TestClock.adjust("10 millis")
      yield* Fiber.join(sending[3]!)
      yield* near.close
      expect(yield* Fiber.join(read)).toStrictEqual([1, 2, 4].map(said))
    })
  )

  it.effect("fails both ends when it is reset, and lets go of who waits to send", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [{ when: { direction: "in", nth: 1 }, do: { _tag: "Reset" } }]
      const [near, far] = yield* Faults.make({ rules }).pair({ capacity: 1 })
      yield* near.send(said(1))
      const waiting = yield* Effect.forkScoped(Effect.exit(near.send(said(2))), { startImmediately: true })
      expect(waiting.pollUnsafe()).toBe(undefined)
      const reading = yield* Effect.forkScoped(Effect.exit(Stream.runDrain(Stream.fromPull(near.incoming))), {
        startImmediately: true
      })
      yield* far.send(said(3))
      expect(yield* Fiber.join(waiting)).toMatchObject(failed("NotSent"))
      expect(yield* Fiber.join(reading)).toMatchObject(failed("Unknown"))
      expect(yield* Effect.exit(Stream.runDrain(Stream.fromPull(far.incoming)))).toMatchObject(failed("Unknown"))
      for (const end of [near, far]) expect(yield* Effect.exit(end.send(said(4)))).toMatchObject(failed("NotSent"))
    })
  )

  it.effect("is read as malformed where a frame is cut, whichever end cuts it", () =>
    Effect.gen(function* () {
      for (const direction of ["in", "out"] as const) {
        const [near, far] = yield* Faults.make({
          rules: [{ when: { direction, nth: 1 }, do: { _tag: "Half" } }]
        }).pair()
        const [from, to] = direction === "in" ? [far, near] : [near, far]
        yield* Effect.andThen(from.send(JsonRpc.request(1, "x", { a: "b" })), from.send(said(2)))
        const read = yield* Stream.runCollect(Stream.take(Stream.fromPull(to.incoming), 2))
        expect(read[0]).toBeInstanceOf(Frame.Malformed)
        expect(read[1]).toStrictEqual(said(2))
      }
    })
  )

  it.effect("fails as the wire under it fails, after what came before", () =>
    Effect.gen(function* () {
      const lost = TransportError.make({ _tag: "Overflow", limit: 3 })
      const incoming = Stream.concat(Stream.make(said(1)), Stream.fail(lost))
      const wrapped = yield* Faults.make({}).wrap({ incoming: Stream.toPull(incoming), send: () => Effect.void })
      const read: Array<Frame.Frame> = []
      const exit = yield* Effect.exit(
        Stream.runForEach(Stream.fromPull(wrapped.incoming), (one) => Effect.sync(() => read.push(one)))
      )
      expect(read).toStrictEqual([said(1)])
      expect(exit).toMatchObject({ cause: { reasons: [{ error: { reason: { _tag: "Overflow" } } }] } })
    })
  )

  it.effect("ends with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const silent: Duplex = { incoming: Effect.succeed(Effect.never), send: () => Effect.never }
      const wrapped = yield* Scope.provide(Faults.make({}).wrap(silent), scope)
      const read = yield* readAll(wrapped)
      const waiting = yield* Effect.forkScoped(Effect.exit(wrapped.send(said(1))), { startImmediately: true })
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(read)).toStrictEqual([])
      expect(yield* Fiber.join(waiting)).toMatchObject(failed("NotSent"))
    })
  )

  it.effect("ends with its scope at once, whatever it holds back", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const faults = Faults.make({ rules: [{ when: {}, do: { _tag: "Delay", ms: 60_000 } }] })
      const over: Duplex = { incoming: Stream.toPull(Stream.make(said(1), said(2))), send: () => Effect.void }
      const wrapped = yield* Scope.provide(faults.wrap(over), scope)
      const read = yield* readAll(wrapped)
      yield* wrapped.send(said(3))
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(read)).toStrictEqual([])
    })
  )

  it.effect("takes batches and messages with strange ids as they are", () =>
    Effect.gen(function* () {
      const rules: ReadonlyArray<Faults.Rule> = [{ when: { kind: "batch" }, do: { _tag: "Delay", ms: 10 } }]
      const [near, far] = yield* Faults.make({ rules }).pair()
      const batch = [JsonRpc.success("__proto__", {}), JsonRpc.success(2, {})]
      const after = [JsonRpc.success("__proto__", { late: true }), JsonRpc.success("2", {})]
      yield* near.send(batch)
      for (const response of after) yield* near.send(response)
      const read = yield* Effect.forkScoped(Stream.runCollect(Stream.take(Stream.fromPull(far.incoming), 3)), {
        startImmediately: true
      })
      yield* TestClock.adjust("10 millis")
      expect(yield* Fiber.join(read)).toStrictEqual([after[1], batch, after[0]])
    })
  )
})
