import { Client, Tools } from "@effective-mcp/client"
import { JsonRpc, type Listener, Peer } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { Faults, Fixture } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"

const { request, success } = JsonRpc
const deaf: Listener = () => Effect.void

/** A peer that reaches the fixture over a pair with these faults; its own end is the one that is wrapped. */
const reach = Effect.fnUntraced(function* (...rules: ReadonlyArray<Faults.Rule>) {
  const faults = Faults.make({ rules })
  const [near, far] = yield* faults.pair()
  const hosting = yield* Effect.forkScoped(Effect.exit(Peer.host(far, yield* Fixture.make)))
  return { faults, hosting, peer: yield* Peer.make(near) }
})

const begin = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkScoped(effect, { startImmediately: true })

/** Some turns of the scheduler: enough for all that waits for nothing but its turn. */
const turns = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

const echo = (peer: Effect.Success<ReturnType<typeof Peer.make>>, id: number) =>
  peer.exchange(request(id, "echo", { id }), deaf)

const failedWith = (reason: object, outcome: string) => ({
  _tag: "Failure",
  cause: { reasons: [{ _tag: "Fail", error: { _tag: "TransportError", reason, outcome } }] }
})

const add = Tool.make("add", {
  input: { a: Schema.Finite, b: Schema.Finite },
  run: ({ a, b }) => Effect.succeed(`${a + b}`)
})

describe("the engine under a fault", () => {
  it.effect("loses a response: the caller's bound ends the call, and the next is answered", () =>
    Effect.gen(function* () {
      const faults = Faults.make({
        rules: [{ when: { direction: "in", method: "tools/call", nth: 2 }, do: { _tag: "Drop" } }]
      })
      const transport = Effect.gen(function* () {
        const [near, far] = yield* faults.pair()
        yield* Effect.forkScoped(Effect.ignore(Peer.host(far, Server.make({ name: "s", version: "1" }, [add]))))
        return yield* Peer.make(near)
      })
      const client = yield* Client.connect(transport, { name: "c", version: "1" }, { timeout: "3 seconds" })
      const call = Effect.map(Tools.call(client, "add", { a: 1, b: 2 }), Tools.text)
      expect(yield* call).toBe("3")
      const lost = yield* begin(Effect.exit(call))
      yield* turns
      expect(lost.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("3 seconds")
      expect(yield* Fiber.join(lost)).toMatchObject(
        failedWith({ _tag: "TimedOut", afterMs: 3000, method: "tools/call" }, "Unknown")
      )
      expect(yield* call).toBe("3")
      expect(faults.fired()).toMatchObject([{ direction: "in", kind: "response", method: "tools/call" }])
    })
  )

  it.effect("hears a response twice: the second is let pass", () =>
    Effect.gen(function* () {
      const { faults, peer } = yield* reach({
        when: { kind: "response" },
        do: { _tag: "Duplicate", copies: 3 }
      })
      for (const id of [1, 2, 3]) expect(yield* echo(peer, id)).toStrictEqual(success(id, { id }))
      expect(faults.fired().length).toBe(3)
    })
  )

  it.effect("hears answers in another order: each exchange gets its own", () =>
    Effect.gen(function* () {
      const { faults, peer } = yield* reach({
        when: { direction: "in", kind: "response", nth: 1 },
        do: { _tag: "Reorder", by: 2 }
      })
      const order: Array<number> = []
      const calls = yield* Effect.forEach([1, 2, 3], (id) =>
        begin(Effect.tap(echo(peer, id), () => Effect.sync(() => order.push(id))))
      )
      for (const [at, call] of calls.entries()) {
        expect(yield* Fiber.join(call)).toStrictEqual(success(at + 1, { id: at + 1 }))
      }
      expect(order).toStrictEqual([2, 3, 1])
      expect(faults.report()).toContain(`in 1: Reorder by=2 on a response of "echo"`)
    })
  )

  it.effect("never sees the order within one exchange change", () =>
    Effect.gen(function* () {
      const { peer } = yield* reach(
        { when: { direction: "in", method: "notifications/progress", nth: 2 }, do: { _tag: "Reorder", by: 3 } },
        { when: { direction: "in", method: "notifications/progress", nth: 4 }, do: { _tag: "Delay", ms: 500 } }
      )
      const heard: Array<unknown> = []
      const report = yield* begin(
        peer.exchange(request(1, "report", { n: 6 }), (said) => Effect.sync(() => heard.push(said.params?.progress)))
      )
      yield* turns
      expect(heard).toStrictEqual([1])
      for (const id of [2, 3, 4]) yield* echo(peer, id)
      yield* turns
      expect(heard).toStrictEqual([1, 2, 3])
      expect(report.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("500 millis")
      expect(yield* Fiber.join(report)).toStrictEqual(success(1, { id: 1 }))
      expect(heard).toStrictEqual([1, 2, 3, 4, 5, 6])
    })
  )

  it.effect("meets half a frame: it is reported, its own call waits, the others go on", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      yield* Effect.gen(function* () {
        const { peer } = yield* reach({ when: { kind: "response", nth: 1 }, do: { _tag: "Half" } })
        const cut = yield* begin(echo(peer, 1))
        expect(yield* echo(peer, 2)).toStrictEqual(success(2, { id: 2 }))
        expect(cut.pollUnsafe()).toBe(undefined)
        expect(lines).toMatchObject([expect.stringContaining("not JSON")])
      }).pipe(Effect.provide(log))
    })
  )

  it.effect("sends half a frame: the host answers with an error that names nobody, and goes on", () =>
    Effect.gen(function* () {
      const { peer } = yield* reach({ when: { direction: "out", nth: 1 }, do: { _tag: "Half" } })
      const cut = yield* begin(echo(peer, 1))
      expect(yield* echo(peer, 2)).toStrictEqual(success(2, { id: 2 }))
      expect(cut.pollUnsafe()).toBe(undefined)
    })
  )

  for (const [what, when] of [
    ["a request is sent", { direction: "out", nth: 3 }],
    ["a response is read", { direction: "in", nth: 1 }]
  ] as const) {
    it.effect(`is reset as ${what}: all that is open may have run, both ends fail, the next is not sent`, () =>
      Effect.gen(function* () {
        const { hosting, peer } = yield* reach({ when, do: { _tag: "Reset" } })
        const open = yield* Effect.forEach([1, 2], (id) =>
          begin(Effect.exit(peer.exchange(request(id, "linger"), deaf)))
        )
        const third = yield* begin(Effect.exit(echo(peer, 3)))
        for (const call of [...open, third]) {
          expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Closed" }, "Unknown"))
        }
        expect(yield* Effect.exit(echo(peer, 4))).toMatchObject(failedWith({ _tag: "Closed" }, "NotSent"))
        expect(yield* Fiber.join(hosting)).toMatchObject(failedWith({ _tag: "Closed" }, "Unknown"))
      })
    )
  }

  it.effect("falls into a black hole: nothing comes, nothing ends, and leaving takes no time", () =>
    Effect.gen(function* () {
      const { hosting, peer } = yield* reach({ when: { method: "echo" }, do: { _tag: "BlackHole" } })
      const calls = yield* Effect.forEach(
        Array.from({ length: 300 }, (_, i) => i),
        (id) => begin(echo(peer, id))
      )
      yield* turns
      yield* TestClock.adjust("1 hour")
      expect(calls.every((call) => call.pollUnsafe() === undefined)).toBe(true)
      expect(hosting.pollUnsafe()).toBe(undefined)
      yield* Fiber.interruptAll(calls)
    })
  )

  it.effect("faces a reader that has stopped: nobody waits for a farewell", () =>
    Effect.gen(function* () {
      const faults = Faults.make({
        capacity: 1,
        rules: [{ when: { direction: "out", nth: 2 }, do: { _tag: "SlowReader", everyMs: 60_000 } }]
      })
      const [near] = yield* faults.pair()
      const peer = yield* Peer.make(near)
      const calls = yield* Effect.forEach([1, 2, 3], (id) => begin(Effect.exit(echo(peer, id))))
      yield* Fiber.interruptAll(calls)
    })
  )

  it.effect("speaks to a slow reader: what it says arrives in its time, in order", () =>
    Effect.gen(function* () {
      const { peer } = yield* reach({ when: { direction: "in", nth: 1 }, do: { _tag: "SlowReader", everyMs: 100 } })
      const heard: Array<unknown> = []
      const report = yield* begin(
        peer.exchange(request(1, "report", { n: 3 }), (said) => Effect.sync(() => heard.push(said.params?.progress)))
      )
      for (const n of [1, 2, 3]) {
        yield* turns
        yield* TestClock.adjust("100 millis")
        expect(heard.length).toBe(n)
      }
      yield* turns
      yield* TestClock.adjust("100 millis")
      expect(yield* Fiber.join(report)).toStrictEqual(success(1, { id: 1 }))
      expect(heard).toStrictEqual([1, 2, 3])
    })
  )
})

describe("chance", () => {
  const chances = { drop: 0.1, delay: 0.1, duplicate: 0.1, reorder: 0.1, delayMs: 50 }

  /** A hundred exchanges, one after the other, and what struck them. */
  const strike = Effect.fnUntraced(function* (script: Faults.Script) {
    const faults = Faults.make(script)
    const [near, far] = yield* faults.pair()
    yield* Effect.forkScoped(Effect.ignore(Peer.host(far, yield* Fixture.make)))
    const peer = yield* Peer.make(near)
    const answered: Array<boolean> = []
    for (let id = 0; id < 100; id++) {
      const call = yield* begin(Effect.timeoutOption(echo(peer, id), 1000))
      yield* turns
      yield* TestClock.adjust("2 seconds")
      answered.push((yield* Fiber.join(call))._tag === "Some")
    }
    return { answered, report: faults.report(), fired: faults.fired() }
  })

  it.effect("is the same for the same seed, and another for another", () =>
    Effect.gen(function* () {
      const [first, again, other] = yield* Effect.forEach([7, 7, 8], (seed) => strike({ seed, chances }))
      expect(again).toStrictEqual(first)
      expect(other?.report).not.toBe(first?.report)
      expect(new Set(first?.fired.map(({ fault }) => fault._tag))).toStrictEqual(
        new Set(["Drop", "Delay", "Duplicate", "Reorder"])
      )
      const delays = first?.fired.flatMap(({ fault }) => (fault._tag === "Delay" ? fault.ms : [])) ?? []
      expect(new Set(delays).size).toBeGreaterThan(3)
      expect(delays.every((ms) => ms >= 0 && ms <= 50)).toBe(true)
      const struck = (way: string) => first?.fired.filter(({ direction }) => direction === way).map(({ at }) => at)
      expect(struck("in")).not.toStrictEqual(struck("out"))
      expect(first?.answered).toContain(true)
      expect(first?.answered).toContain(false)
      expect(first?.report).toContain("seed 7")
    })
  )

  it.effect("strikes about as often as it says, and only what it may", () =>
    Effect.gen(function* () {
      const { fired } = yield* strike({ seed: 3, chances: { duplicate: 0.5, among: { direction: "in" } } })
      expect(fired.length).toBeGreaterThan(30)
      expect(fired.length).toBeLessThan(70)
      expect(fired.every(({ direction }) => direction === "in")).toBe(true)
    })
  )
})

describe("a script of faults", () => {
  it("that means nothing is refused", () => {
    const rule = (fault: Faults.Fault, when: Faults.When = {}): Faults.Script => ({ rules: [{ when, do: fault }] })
    const wrong: ReadonlyArray<Faults.Script> = [
      rule({ _tag: "Drop" }, { nth: 0 }),
      rule({ _tag: "Delay", ms: Infinity }),
      rule({ _tag: "SlowReader", everyMs: -1 }),
      rule({ _tag: "Duplicate", copies: 0 }),
      rule({ _tag: "Reorder", by: 1.5 }),
      rule({ _tag: "Reorder", atMostMs: NaN }),
      { chances: { drop: 0.6, half: 0.6 } },
      { chances: { drop: NaN } },
      { capacity: 0 }
    ]
    for (const script of wrong) expect(() => Faults.make(script)).toThrow("a script of faults is wrong")
  })

  it.effect("counts over the wires of a client that comes back", () =>
    Effect.gen(function* () {
      const faults = Faults.make({
        rules: [{ when: { method: "echo", kind: "request", nth: 2 }, do: { _tag: "Reset" } }]
      })
      const outcomes: Array<string> = []
      for (let round = 0; round < 3; round++) {
        const [near, far] = yield* faults.pair()
        yield* Effect.forkScoped(Effect.ignore(Peer.host(far, yield* Fixture.make)))
        const exit = yield* Effect.exit(echo(yield* Peer.make(near), 1))
        outcomes.push(exit._tag)
      }
      expect(outcomes).toStrictEqual(["Success", "Failure", "Success"])
    })
  )

  it.effect("tells which rules have met nothing, or not enough", () =>
    Effect.gen(function* () {
      const { faults, peer } = yield* reach(
        { when: { method: "ecko" }, do: { _tag: "Drop" } },
        { when: { kind: "response", nth: 2 }, do: { _tag: "Drop" } },
        { when: { kind: "request" }, do: { _tag: "Delay", ms: 0 } }
      )
      yield* begin(echo(peer, 1))
      expect(
        faults
          .report()
          .split("\n  ")
          .slice(1)
          .filter((line) => line.startsWith("rule"))
      ).toStrictEqual(["rule 1 has met nothing", "rule 2 has met nothing"])
    })
  )

  it.effect("tells what it did when something fails, and nothing else", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const { faults, peer } = yield* reach({ when: { direction: "in" }, do: { _tag: "Reset" } })
      const call = faults.explain(peer.exchange(request(1, "echo", { secret: "SECRET" }), deaf))
      expect(Exit.isFailure(yield* Effect.provide(Effect.exit(call), log))).toBe(true)
      expect(lines).toStrictEqual([`seed 0, faults:\n  in 1: Reset on a response of "echo"`])
      yield* Effect.provide(faults.explain(Effect.void), log)
      expect(lines.length).toBe(1)
    })
  )
})
