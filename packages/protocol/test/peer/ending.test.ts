import { type Connection, type Handler, Peer, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { deaf, failedWith, notification, request, script, success } from "../script.ts"

/** Serves one handler for every request; `served` is how that ends. */
const setup = Effect.fnUntraced(function* (
  exchange: (client: Connection) => Handler["exchange"],
  options: Peer.ServeOptions = {}
) {
  const wire = yield* script
  const client = yield* Peer.make(wire.duplex)
  const handler = { exchange: exchange(client), notify: () => Effect.never }
  const served = yield* Effect.forkScoped(Effect.exit(Peer.serve(client, handler, options)), { startImmediately: true })
  return { wire, served }
})

/** A handler that notes how it is interrupted. */
const lingering =
  (seen: Array<unknown>): Handler["exchange"] =>
  ({ id }) =>
    Effect.onInterrupt(Effect.never, () => Effect.sync(() => seen.push(id)))

const broken: TransportError = TransportError.make({ _tag: "Unreachable", what: "the network" })

describe("the last word of the peer", () => {
  it.effect("ends the serving at once when nothing runs", () =>
    Effect.gen(function* () {
      const { served, wire } = yield* setup(
        () =>
          ({ id }) =>
            Effect.succeed(success(id, {}))
      )
      yield* wire.say(request(1, "x"))
      yield* wire.end()
      expect(yield* Fiber.join(served)).toStrictEqual(Exit.void)
      expect(wire.sent).toStrictEqual([success(1, {})])
    })
  )

  it.effect("lets what runs, and what waits behind it, be answered for 2 s", () =>
    Effect.gen(function* () {
      const { served, wire } = yield* setup(
        () =>
          ({ id }) =>
            Effect.delay(Effect.succeed(success(id, {})), 600),
        {
          handlers: 1
        }
      )
      yield* wire.say(...[1, 2, 3, 4].map((id) => request(id, "x")))
      yield* wire.end()
      yield* TestClock.adjust(1800)
      expect(wire.sent).toStrictEqual([1, 2, 3].map((id) => success(id, {})))
      expect(served.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(200)
      expect(yield* Fiber.join(served)).toStrictEqual(Exit.void)
      expect(wire.sent.length).toBe(3)
    })
  )

  it.effect("interrupts what still runs after that, notifications too", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { served, wire } = yield* setup(() => lingering(seen))
      yield* wire.say(request(1, "x"), request(2, "x"), notification("x"))
      yield* wire.end()
      yield* TestClock.adjust(1999)
      expect(seen).toStrictEqual([])
      expect(served.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(served)).toStrictEqual(Exit.void)
      expect(seen).toStrictEqual([1, 2])
      expect(wire.sent).toStrictEqual([])
    })
  )

  it.effect("ends its subscriptions at once, while the rest may go on", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { served, wire } = yield* setup(
        () => (asked, listener) =>
          asked.method === "x"
            ? Effect.delay(Effect.succeed(success(asked.id, {})), 600)
            : lingering(seen)(asked, listener)
      )
      yield* wire.say(request(1, "subscriptions/listen"), request(2, "x"))
      yield* wire.end()
      yield* TestClock.adjust(1)
      expect(seen).toStrictEqual([1])
      yield* TestClock.adjust(599)
      expect(yield* Fiber.join(served)).toStrictEqual(Exit.void)
      expect(wire.sent).toStrictEqual([success(2, {})])
    })
  )

  it.effect("waits 2 s more, and no longer, for what handlers do on their way out", () =>
    Effect.gen(function* () {
      const { served, wire } = yield* setup(() => () => Effect.ensuring(Effect.never, Effect.never))
      yield* wire.say(request(1, "x"))
      yield* wire.end()
      yield* TestClock.adjust(3999)
      expect(served.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(served)).toStrictEqual(Exit.void)
    })
  )

  it.effect("fails open questions at once", () =>
    Effect.gen(function* () {
      const { served, wire } = yield* setup(
        (client) =>
          ({ id }) =>
            client.exchange(request("q", "roots/list"), deaf).pipe(
              Effect.match({
                onSuccess: () => success(id, { asked: true }),
                onFailure: ({ outcome, reason }) => success(id, { reason: reason._tag, outcome })
              })
            )
      )
      yield* wire.say(request(1, "x"))
      yield* wire.end()
      expect(yield* Fiber.join(served)).toStrictEqual(Exit.void)
      expect(wire.sent).toStrictEqual([
        request("q", "roots/list"),
        success(1, { reason: "Closed", outcome: "Unknown" })
      ])
    })
  )
})

describe("the failure of the wire", () => {
  it.effect("interrupts what runs at once, forgets what waits, and is how the serving ends", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { served, wire } = yield* setup(() => lingering(seen), { handlers: 2 })
      yield* wire.say(request(1, "x"), request(2, "x"), request(3, "x"), notification("x"))
      yield* wire.end(broken)
      expect(yield* Fiber.join(served)).toMatchObject(failedWith({ _tag: "Unreachable" }))
      expect(seen).toStrictEqual([1, 2])
    })
  )

  it.effect("interrupts at once what is being drained, when the serving itself is interrupted", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { served, wire } = yield* setup(() => lingering(seen))
      yield* wire.say(request(1, "x"))
      yield* wire.end()
      expect(seen).toStrictEqual([])
      yield* Fiber.interrupt(served)
      expect(seen).toStrictEqual([1])
    })
  )
})
