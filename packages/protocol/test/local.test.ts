import { type Handler, JsonRpc, local } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { begin, deaf, logged, notification, progress, request, success } from "./script.ts"

class Name extends Context.Service<Name, string>()("test/Name") {}

const speaking: Handler = {
  exchange: ({ id }, say) => Effect.as(say(progress(id, 1)), success(id, {})),
  notify: () => Effect.void
}

describe("local", () => {
  it.effect("gives its handler the services it needs, for requests and for notifications", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const handler: Handler<Name> = {
        exchange: ({ id }) => Effect.map(Name, (name) => success(id, { name })),
        notify: () => Effect.map(Name, (name) => void heard.push(name))
      }
      const peer = yield* Effect.provideService(local(handler), Name, "it")
      expect(yield* peer.exchange(request(1, "x"), deaf)).toStrictEqual(success(1, { name: "it" }))
      yield* peer.send(notification("notifications/x"))
      yield* peer.send(success(7, {}))
      expect(heard).toStrictEqual(["it"])
    })
  )

  it.effect("a listener that dies fails its exchange, and what it listens to is interrupted", () =>
    Effect.gen(function* () {
      const mine = new Error("mine")
      const left = yield* Deferred.make<void>()
      const peer = yield* local({
        ...speaking,
        exchange: ({ id }, say) =>
          Effect.andThen(Effect.ignoreCause(say(progress(id, 1))), Effect.never).pipe(
            Effect.ensuring(Deferred.succeed(left, undefined))
          )
      })
      const [exits, log] = yield* logged(
        Effect.gen(function* () {
          const dying = yield* begin(peer, request(1, "x"), () => Effect.die(mine))
          const throwing = yield* begin(peer, request(2, "x"), () => {
            throw mine
          })
          return [yield* Fiber.join(dying), yield* Fiber.join(throwing)]
        })
      )
      expect(exits).toStrictEqual([Exit.die(mine), Exit.die(mine)])
      expect(log).toStrictEqual([])
      yield* Deferred.await(left)
    })
  )

  it.effect("interrupting an exchange interrupts its handler before it returns", () =>
    Effect.gen(function* () {
      let interrupted = false
      const peer = yield* local({
        ...speaking,
        exchange: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (interrupted = true)))
      })
      yield* Fiber.interrupt(yield* begin(peer, request(1, "x")))
      expect(interrupted).toBe(true)
    })
  )

  it.effect("carries what a handler asks through its listener", () =>
    Effect.gen(function* () {
      const peer = yield* local({
        ...speaking,
        exchange: ({ id }, say) => Effect.as(say(request("q", "roots/list")), success(id, {}))
      })
      const heard: Array<unknown> = []
      yield* peer.exchange(request(1, "x"), (said) => Effect.sync(() => void heard.push(JsonRpc.isRequest(said))))
      expect(heard).toStrictEqual([true])
    })
  )
})

it.effect("a handler says nothing more once its exchange is abandoned, and a notification that dies harms nobody", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const heard: Array<unknown> = []
    const peer = yield* local({
      notify: () => Effect.die("mine"),
      exchange: ({ id }, say) =>
        Deferred.succeed(begun, undefined).pipe(Effect.andThen(Effect.never), Effect.ensuring(say(progress(id, 1))))
    })
    const listener = (said: unknown) => Effect.sync(() => void heard.push(said))
    const call = yield* begin(peer, request(1, "x"), listener)
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(call)
    expect(heard).toStrictEqual([])
    const [, lines] = yield* logged(peer.send(notification("notifications/x")))
    expect(lines.join()).toContain("mine")
  })
)
