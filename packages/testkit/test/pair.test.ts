import { Frame, JsonRpc } from "@effective-mcp/protocol"
import { pair } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

const said = (n: number): JsonRpc.Notification => JsonRpc.notification("x", { n })
const closed = { cause: { reasons: [{ error: { reason: { _tag: "Closed" }, outcome: "NotSent" } }] } }
const tooLarge = { cause: { reasons: [{ error: { reason: { _tag: "TooLarge", limit: 100 } } }] } }

describe("a pair", () => {
  it.effect("carries both ways, each message a copy of its own", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      const message = JsonRpc.request(1, "x", { deep: [{}], none: undefined })
      yield* near.send(message)
      yield* far.send([JsonRpc.success(1, {}), JsonRpc.success(2, {})])
      const [there] = yield* Stream.runCollect(Stream.take(Stream.fromPull(far.incoming), 1))
      expect(there).toStrictEqual(JsonRpc.request(1, "x", { deep: [{}] }))
      const [back] = yield* Stream.runCollect(Stream.take(Stream.fromPull(near.incoming), 1))
      expect(back).toStrictEqual([JsonRpc.success(1, {}), JsonRpc.success(2, {})])
    })
  )

  it.effect("makes a sender wait when it is full; who stops waiting has sent nothing", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair({ capacity: 2 })
      yield* Effect.andThen(near.send(said(1)), near.send(said(2)))
      const given = yield* Effect.forkScoped(near.send(said(3)), { startImmediately: true })
      const waiting = yield* Effect.forkScoped(near.send(said(4)), { startImmediately: true })
      expect(given.pollUnsafe()).toBe(undefined)
      yield* Fiber.interrupt(given)
      const read = yield* Stream.runCollect(Stream.take(Stream.fromPull(far.incoming), 3))
      yield* Fiber.join(waiting)
      expect(read).toStrictEqual([1, 2, 4].map(said))
    })
  )

  it.effect("lets the other end read what was sent before one end closed, and send no more", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      yield* near.send(said(1))
      yield* far.send(said(2))
      yield* Effect.andThen(near.close, near.close)
      expect(yield* Stream.runCollect(Stream.fromPull(far.incoming))).toStrictEqual([said(1)])
      expect(yield* Stream.runCollect(Stream.fromPull(near.incoming))).toStrictEqual([])
      for (const end of [near, far]) expect(yield* Effect.exit(end.send(said(3)))).toMatchObject(closed)
    })
  )

  it.effect("lets a sender go that waits when the other end closes", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair({ capacity: 1 })
      yield* near.send(said(1))
      const waiting = yield* Effect.forkScoped(Effect.exit(near.send(said(2))), { startImmediately: true })
      const reading = yield* Effect.forkScoped(Stream.runDrain(Stream.fromPull(near.incoming)), {
        startImmediately: true
      })
      yield* far.close
      yield* Fiber.join(waiting)
      yield* Fiber.join(reading)
    })
  )

  it.effect("sends no message over the limit, and goes on", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair({ messageBytes: 100 })
      const room = 100 - JSON.stringify(JsonRpc.notification("é", { n: "" })).length - 1
      const longest = JsonRpc.notification("é", { n: "x".repeat(room) })
      const refused = yield* Effect.exit(near.send(JsonRpc.notification("é", { n: "x".repeat(room + 1) })))
      expect(refused).toMatchObject(tooLarge)
      yield* near.send(longest)
      expect(yield* Stream.runCollect(Stream.take(Stream.fromPull(far.incoming), 1))).toStrictEqual([longest])
    })
  )

  it.effect("reads as any other wire: what is no message is malformed", () =>
    Effect.gen(function* () {
      const [near, far] = yield* pair()
      yield* near.send(JsonRpc.request(1.5, "x"))
      const [read] = yield* Stream.runCollect(Stream.take(Stream.fromPull(far.incoming), 1))
      expect(read).toBeInstanceOf(Frame.Malformed)
    })
  )

  it.effect("ends with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const [near, far] = yield* Scope.provide(pair(), scope)
      const reading = yield* Effect.forEach([near, far], ({ incoming }) =>
        Effect.forkScoped(Stream.runCollect(Stream.fromPull(incoming)))
      )
      yield* Scope.close(scope, Exit.void)
      expect(yield* Effect.forEach(reading, Fiber.join)).toStrictEqual([[], []])
      for (const end of [near, far]) expect(yield* Effect.exit(end.send(said(1)))).toMatchObject(closed)
    })
  )
})
