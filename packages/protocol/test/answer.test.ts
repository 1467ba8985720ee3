import { answer, type Handler, type JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { deaf, failure, logged, progress, request, success } from "./script.ts"

const handler = (exchange: Handler["exchange"]): Handler => ({ exchange, notify: () => Effect.void })
const asked = request(1, "x")
const internal = failure(1, { code: -32603, message: "Internal error" })

describe("answer", () => {
  it.effect("is what the handler answers, after what it says", () =>
    Effect.gen(function* () {
      const said: Array<unknown> = []
      const speaking = handler(({ id }, say) => Effect.as(say(progress(id, 1)), success(id, {})))
      const response = yield* answer(speaking, asked, (heard) => Effect.sync(() => void said.push(heard)))
      expect([...said, response]).toStrictEqual([progress(1, 1), success(1, {})])
    })
  )

  it.effect("lets nothing be said after it, whoever still speaks", () =>
    Effect.gen(function* () {
      const said: Array<unknown> = []
      const late = yield* Deferred.make<void>()
      const leaving = (end: Effect.Effect<JsonRpc.Response>) =>
        handler(({ id }, say) =>
          Effect.andThen(Deferred.await(late), say(progress(id, 1))).pipe(Effect.forkDetach, Effect.andThen(end))
        )
      const hear = (heard: unknown) => Effect.sync(() => void said.push(heard))
      const [responses] = yield* logged(
        Effect.all([
          answer(leaving(Effect.succeed(success(1, {}))), asked, hear),
          answer(leaving(Effect.die("boom")), asked, hear)
        ])
      )
      yield* Deferred.succeed(late, undefined)
      yield* Effect.yieldNow
      expect(said).toStrictEqual([])
      expect(responses).toStrictEqual([success(1, {}), internal])
    })
  )

  it.effect("is -32603 without details for a handler that dies, throws or interrupts itself; the log has them", () =>
    Effect.gen(function* () {
      const boom = new Error("SECRET-CANARY")
      const dying = handler(() => Effect.die(boom))
      const throwing = handler(() => {
        throw boom
      })
      const both = handler(() => Effect.ensuring(Effect.interrupt, Effect.die(boom)))
      for (const one of [dying, throwing, both]) {
        const [response, log] = yield* logged(answer(one, asked, deaf))
        expect(response).toStrictEqual(internal)
        expect(log.join()).toContain("SECRET-CANARY")
      }
      const [response] = yield* logged(
        answer(
          handler(() => Effect.interrupt),
          asked,
          deaf
        )
      )
      expect(response).toStrictEqual(internal)
    })
  )

  it.effect("does not come when the exchange is abandoned", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const stuck = handler(() => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      const [exit, log] = yield* logged(
        Effect.gen(function* () {
          const fiber = yield* Effect.forkScoped(answer(stuck, asked, deaf))
          yield* Deferred.await(begun)
          yield* Fiber.interrupt(fiber)
          return yield* Fiber.await(fiber)
        })
      )
      expect(Exit.hasInterrupts(exit)).toBe(true)
      expect(log).toStrictEqual([])
    })
  )
})
