import { type Duplex, Frame, JsonRpc } from "@effective-mcp/protocol"
import { Faults } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"

const said = (n: number): JsonRpc.Notification => JsonRpc.notification("x", { n })

/** What comes, and how it ends. */
const readAll = Effect.fnUntraced(function* (duplex: Duplex) {
  const read: Array<Frame.Frame> = []
  const exit = yield* Effect.exit(
    Stream.runForEach(Stream.fromPull(duplex.incoming), (frame) => Effect.sync(() => read.push(frame)))
  )
  return { exit, read }
})

describe("a wire in use", () => {
  it.effect("is struck by the next message that a new rule is about, once", () =>
    Effect.gen(function* () {
      const faults = Faults.make({ rules: [{ when: { nth: 3 }, do: { _tag: "Drop" } }] })
      const [near, far] = yield* faults.pair()
      yield* near.send(said(1))
      faults.strike({ _tag: "Duplicate" }, { direction: "out" })
      for (const n of [2, 3, 4]) yield* near.send(said(n))
      yield* near.close
      expect((yield* readAll(far)).read).toStrictEqual([1, 2, 2, 4].map(said))
      expect(faults.fired().map(({ at, fault }) => [at, fault._tag])).toEqual([
        [2, "Duplicate"],
        [3, "Drop"]
      ])
    })
  )
  it("takes no rule that means nothing", () => {
    expect(() => Faults.make({}).strike({ _tag: "Delay", ms: -1 })).toThrow("ms is no time")
    expect(() => Faults.make({}).strike({ _tag: "Drop" }, { nth: 0 })).toThrow("nth is no count")
  })
  it.effect("is struck by no chance once it is calm, and by rules as before", () =>
    Effect.gen(function* () {
      const faults = Faults.make({ chances: { drop: 1 } })
      const [near, far] = yield* faults.pair()
      yield* near.send(said(1))
      faults.calm()
      faults.strike({ _tag: "Drop" }, { nth: 2 })
      for (const n of [2, 3, 4]) yield* near.send(said(n))
      yield* near.close
      expect((yield* readAll(far)).read).toStrictEqual([2, 4].map(said))
    })
  )
  for (const direction of ["in", "out"] as const) {
    it.effect(`ends with half a message, which nobody takes for one: ${direction}`, () =>
      Effect.gen(function* () {
        const faults = Faults.make({ rules: [{ when: { nth: 2 }, do: { _tag: "Half", last: true } }] })
        const [near, far] = yield* faults.pair()
        const [from, to] = direction === "in" ? [far, near] : [near, far]
        yield* Effect.forEach([1, 2, 3], (n) => Effect.exit(from.send(said(n))))
        const { exit, read } = yield* readAll(to)
        expect(read.filter((frame) => !(frame instanceof Frame.Malformed))).toStrictEqual([said(1)])
        expect(read.length).toBeLessThanOrEqual(2)
        expect(Exit.isFailure(exit)).toBe(true)
      })
    )
  }
})
