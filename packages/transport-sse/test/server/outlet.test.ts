import type { HttpResponse } from "@effective-mcp/http"
import { JsonRpc, limits, type TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import { Outlet } from "../../src/server/Outlet.ts"

const note = (n: number) => JsonRpc.notification("note", { n })

/** An effect that begins when its fiber has done so many steps: it gives up its turn after some of them. */
const after = <A, E>(steps: number, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  steps === 0 ? effect : Effect.flatMap(Effect.void, () => after(steps - 1, effect))

/** A reader that takes one part whenever it is told to. */
const makeReader = () => {
  const written: Array<unknown> = []
  let taken = Deferred.makeUnsafe<void>()
  const response: HttpResponse = {
    whole: () => {},
    head: () => {},
    offer: () => {},
    end: () => {},
    write: (text) =>
      Effect.suspend(() => {
        written.push(JSON.parse(/data: (.*)\n/.exec(text)?.[1] ?? "null").params?.n)
        return Deferred.await(taken)
      })
  }
  const take = Effect.suspend(() => {
    const before = taken
    taken = Deferred.makeUnsafe()
    return Deferred.succeed(before, undefined)
  })
  const overflows: Array<TransportError> = []
  const outlet = new Outlet(response, {
    messageBytes: 1_000,
    stalled: { add: () => {}, remove: () => {}, close: () => {} },
    run: Effect.runFork,
    onSend: () => {},
    onOverflow: (error) => void overflows.push(error)
  })
  return { outlet, overflows, take, written }
}

describe("What is written on a stream", () => {
  it.effect("waits for its reader, in the order in which it came", () =>
    Effect.gen(function* () {
      const { outlet, take, written } = makeReader()
      const sent = yield* Effect.forEach([1, 2, 3], (n) =>
        Effect.forkChild(outlet.send(note(n)), { startImmediately: true })
      )
      expect(written).toEqual([1])
      yield* take
      expect(written).toEqual([1, 2])
      yield* take
      yield* Effect.forEach(sent, Fiber.join)
      expect(written).toEqual([1, 2, 3])
    })
  )

  it.effect("goes on when its reader takes something between two steps of its sender", () =>
    Effect.gen(function* () {
      for (let steps = 0; steps < 20; steps++) {
        const { outlet, take, written } = makeReader()
        yield* outlet.send(note(1))
        yield* Effect.forkChild(after(steps, outlet.send(note(2))), { startImmediately: true }).pipe(
          Effect.provideService(References.MaxOpsBeforeYield, 10)
        )
        yield* take
        for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
        expect([steps, written]).toEqual([steps, [1, 2]])
      }
    })
  )

  it.effect("is not there at all when its sender no longer wants it before it was written", () =>
    Effect.gen(function* () {
      const { outlet, take, written } = makeReader()
      yield* outlet.send(note(1))
      const [second, third] = [
        yield* Effect.forkChild(outlet.send(note(2)), { startImmediately: true }),
        yield* Effect.forkChild(outlet.send(note(3)), { startImmediately: true })
      ]
      yield* Fiber.interrupt(second)
      yield* take
      yield* Fiber.join(third)
      expect(written).toEqual([1, 3])
    })
  )

  it.effect("is bounded: with too much waiting, all of it fails as not sent", () =>
    Effect.gen(function* () {
      const { outlet, overflows, written } = makeReader()
      yield* outlet.send(note(0))
      const waiting = yield* Effect.forEach(
        Array.from({ length: limits.mailbox }, (_, i) => i + 1),
        (n) => Effect.forkChild(outlet.send(note(n)), { startImmediately: true })
      )
      expect(overflows).toEqual([])
      const last = yield* Effect.exit(outlet.send(note(-1)))
      expect(overflows.map(({ reason }) => reason)).toEqual([{ _tag: "Overflow", limit: limits.mailbox }])
      expect(Exit.isFailure(last)).toBe(true)
      for (const fiber of waiting) {
        const error = yield* Effect.flip(Fiber.join(fiber))
        expect([error.reason._tag, error.outcome]).toEqual(["Overflow", "NotSent"])
      }
      expect(written).toEqual([0])
    })
  )

  it.effect("is no longer than it may be, and JSON", () =>
    Effect.gen(function* () {
      const { outlet, written } = makeReader()
      const long = yield* Effect.flip(outlet.send(JsonRpc.notification("note", { text: "x".repeat(1_000) })))
      expect([long.reason, long.outcome]).toEqual([{ _tag: "TooLarge", limit: 1_000 }, "NotSent"])
      // cast: what no JSON can say
      const none = yield* Effect.flip(
        outlet.send(JsonRpc.notification("note", { n: 1n } as unknown as JsonRpc.JsonObject))
      )
      expect([none.reason._tag, none.outcome]).toEqual(["Unsendable", "NotSent"])
      expect(written).toEqual([])
    })
  )
})
