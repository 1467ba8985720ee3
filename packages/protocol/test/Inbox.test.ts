import { Inbox } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import * as Stream from "effect/Stream"

/** Reads on, and keeps each chunk. */
const reading = Effect.fnUntraced(function* <A, E>(stream: Stream.Stream<A, E>) {
  const chunks: Array<ReadonlyArray<A>> = []
  const fiber = yield* Stream.runForEachArray(stream, (chunk) => Effect.sync(() => chunks.push(chunk))).pipe(
    Effect.exit,
    (effect) => Effect.forkScoped(effect, { startImmediately: true })
  )
  return { chunks, fiber }
})

/** An effect that begins when its fiber has done so many steps: it gives up its turn after some of them. */
const after = <A, E>(steps: number, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  steps === 0 ? effect : Effect.flatMap(Effect.void, () => after(steps - 1, effect))

describe("an inbox", () => {
  it.effect("hands over what was pushed, one chunk a flush", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make<number>()
      inbox.push(1)
      inbox.push(2)
      const { chunks } = yield* reading(Stream.fromPull(inbox.incoming))
      expect(chunks).toStrictEqual([[1, 2]])
      inbox.push(3)
      inbox.push(4)
      expect(chunks).toStrictEqual([[1, 2]])
      inbox.flush()
      inbox.flush()
      expect(chunks).toStrictEqual([
        [1, 2],
        [3, 4]
      ])
    })
  )

  it.effect("hands over what is pushed while its reader gives up its turn between two steps", () =>
    Effect.gen(function* () {
      for (let steps = 0; steps < 20; steps++) {
        const inbox = Inbox.make<number>()
        const pull = yield* inbox.incoming
        const reader = yield* Effect.forkChild(after(steps, pull), { startImmediately: true }).pipe(
          Effect.provideService(References.MaxOpsBeforeYield, 10)
        )
        inbox.push(1)
        inbox.flush()
        for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
        expect([steps, reader.pollUnsafe()]).toStrictEqual([steps, Exit.succeed([1])])
      }
    })
  )

  it.effect("holds what nobody has read, and tells how much that is", () =>
    Effect.sync(() => {
      const inbox = Inbox.make<number>()
      for (const n of [1, 2, 3]) inbox.push(n)
      inbox.flush()
      expect(inbox.size()).toBe(3)
      expect(inbox.drop((n) => n > 1)).toBe(true)
      expect(inbox.drop((n) => n > 9)).toBe(false)
      expect(inbox.size()).toBe(2)
    })
  )

  it.effect("ends after what was pushed before, and takes nothing more", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make<number>()
      inbox.push(1)
      inbox.end()
      inbox.push(2)
      expect(yield* Stream.runCollect(Stream.fromPull(inbox.incoming))).toStrictEqual([1])
      expect(yield* Stream.runCollect(Stream.fromPull(inbox.incoming))).toStrictEqual([])
    })
  )

  it.effect("fails after what was pushed before; only the first end counts", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make<number, string>()
      inbox.push(1)
      inbox.end("first")
      inbox.end("second")
      inbox.end()
      const { chunks, fiber } = yield* reading(Stream.fromPull(inbox.incoming))
      expect(yield* Fiber.join(fiber)).toStrictEqual(Exit.fail("first"))
      expect(chunks).toStrictEqual([[1]])
    })
  )

  it.effect("wakes a reader that waits when it ends", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make<number>()
      const { fiber } = yield* reading(Stream.fromPull(inbox.incoming))
      inbox.end()
      expect(yield* Fiber.join(fiber)).toStrictEqual(Exit.void)
    })
  )

  it.effect("tells when its reader has taken all there is", () =>
    Effect.gen(function* () {
      let pulls = 0
      const inbox = Inbox.make<number>(() => pulls++)
      yield* reading(Stream.fromPull(inbox.incoming))
      expect(pulls).toBe(1)
      inbox.push(1)
      inbox.flush()
      expect(pulls).toBe(2)
    })
  )

  it.effect("keeps what comes after a reader was interrupted for the next one", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make<number>()
      const first = yield* reading(Stream.fromPull(inbox.incoming))
      yield* Fiber.interrupt(first.fiber)
      inbox.push(1)
      inbox.flush()
      const second = yield* reading(Stream.fromPull(inbox.incoming))
      expect([first.chunks, second.chunks]).toStrictEqual([[], [[1]]])
    })
  )

  it.effect("may be pushed to while its reader is at work", () =>
    Effect.gen(function* () {
      const inbox = Inbox.make<number>()
      const seen: Array<number> = []
      yield* Stream.fromPull(inbox.incoming).pipe(
        Stream.runForEach((n) =>
          Effect.sync(() => {
            seen.push(n)
            if (n < 5) inbox.push(n + 1)
            inbox.flush()
          })
        ),
        (effect) => Effect.forkScoped(effect, { startImmediately: true })
      )
      inbox.push(1)
      inbox.flush()
      expect(seen).toStrictEqual([1, 2, 3, 4, 5])
    })
  )
})
