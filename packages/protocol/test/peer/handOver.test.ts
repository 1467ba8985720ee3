import { type Duplex, JsonRpc, Peer, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import { begin, cancelled, failedWith, request, script, success } from "../script.ts"

type Written = Parameters<Duplex["send"]>[0]

/** A pipe that takes at once what it is let; `sent` of the wire has what only `send` was given. */
const setup = (take: (message: Written) => boolean) =>
  Effect.gen(function* () {
    const wire = yield* script
    const now: Array<Written> = []
    const send = Object.assign((message: Written) => wire.duplex.send(message), {
      now: (message: Written) => {
        const isTaken = take(message)
        if (isTaken) now.push(message)
        return isTaken
      }
    })
    return { wire, now, duplex: { incoming: wire.duplex.incoming, send } }
  })

describe("a pipe that takes a message at once", () => {
  it.effect("is not sent it again, and its answer counts", () =>
    Effect.gen(function* () {
      const { duplex, now, wire } = yield* setup(() => true)
      const peer = yield* Peer.make(duplex)
      const call = yield* begin(peer, request(1, "x"))
      expect(now).toStrictEqual([request(1, "x")])
      yield* wire.say(success(1, { right: true }))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, { right: true })))
      yield* peer.send(JsonRpc.notification("y"))
      expect(now).toStrictEqual([request(1, "x"), JsonRpc.notification("y")])
      expect(wire.sent).toStrictEqual([])
    })
  )

  it.effect("is told that nobody waits for what it took any more", () =>
    Effect.gen(function* () {
      const { duplex, now } = yield* setup(() => true)
      const peer = yield* Peer.make(duplex)
      yield* Fiber.interrupt(yield* begin(peer, request(1, "x")))
      expect(now).toStrictEqual([request(1, "x"), cancelled(1)])
    })
  )

  it.effect("may answer at once, and may interrupt its sender", () =>
    Effect.gen(function* () {
      let onTaken = (): void => {}
      const { duplex, now, wire } = yield* setup((message) => {
        onTaken()
        return !Array.isArray(message)
      })
      const peer = yield* Peer.make(duplex)
      onTaken = () => Effect.runSync(wire.say(success(1, {})))
      const call = yield* begin(peer, request(1, "x"))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))

      let sender: Fiber.Fiber<unknown, unknown> | undefined
      onTaken = () => {
        onTaken = () => {}
        sender?.interruptUnsafe()
      }
      const exchange = Effect.withFiber((fiber) => {
        sender = fiber
        return peer.exchange(request(2, "x"), () => Effect.void)
      })
      yield* Fiber.await(yield* Effect.forkScoped(exchange, { startImmediately: true }))
      expect(now.at(-1)).toStrictEqual(cancelled(2))
      // nothing of it is open any more
      onTaken = () => Effect.runSync(wire.say(success(2, { again: true })))
      expect(yield* peer.exchange(request(2, "x"), () => Effect.void)).toStrictEqual(success(2, { again: true }))
    })
  )

  it.effect("is handed nothing once it has failed", () =>
    Effect.gen(function* () {
      const { duplex, now, wire } = yield* setup(() => true)
      const peer = yield* Peer.make(duplex)
      const call = yield* begin(peer, request(1, "x"))
      yield* wire.end()
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Closed" }, "Unknown"))
      expect(yield* Effect.exit(peer.exchange(request(2, "x"), () => Effect.void))).toMatchObject(
        failedWith({ _tag: "Closed" }, "NotSent")
      )
      expect(now).toStrictEqual([request(1, "x")])
    })
  )
})

it.effect("a pipe that fails at any moment has what it took, perhaps, and nothing else", () =>
  Effect.gen(function* () {
    const seen = new Set<string>()
    for (let ops = 3; ops < 40; ops++) {
      const { duplex, now, wire } = yield* setup(() => true)
      const peer = yield* Peer.make(duplex)
      const call = yield* begin(peer, request(1, "x")).pipe(Effect.provideService(References.MaxOpsBeforeYield, ops))
      yield* wire.end(TransportError.make({ _tag: "Closed" }))
      // an end that comes between two steps of the call is not missed
      const outcome = now.length === 0 ? "NotSent" : "Unknown"
      expect([ops, yield* Fiber.join(call)]).toMatchObject([ops, failedWith({ _tag: "Closed" }, outcome)])
      expect(now.length === 0 ? "NotSent" : "Unknown").toBe(outcome)
      seen.add(outcome)
    }
    expect(seen).toEqual(new Set(["NotSent", "Unknown"]))
  })
)

describe("what a pipe does not take at once", () => {
  it.effect("is sent, and not tried twice", () =>
    Effect.gen(function* () {
      const tried: Array<Written> = []
      const { duplex, now, wire } = yield* setup((message) => tried.push(message) === 0)
      const peer = yield* Peer.make(duplex)
      const call = yield* begin(peer, request(1, "x"))
      yield* wire.say(success(1, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(1, {})))
      yield* peer.send(JsonRpc.notification("y"))
      const all = [request(1, "x"), JsonRpc.notification("y")]
      expect([now, tried, wire.sent]).toStrictEqual([[], all, all])
    })
  )

  it.effect("is unsendable where it cannot be written, and harms nothing else", () =>
    Effect.gen(function* () {
      const { duplex, wire } = yield* setup((message) => JSON.stringify(message) !== "")
      wire.writing = (message) => Effect.sync(() => void JSON.stringify(message))
      const peer = yield* Peer.make(duplex)
      const exit = yield* Effect.exit(peer.exchange(request(1, "x", { n: 1n }), () => Effect.void))
      expect(exit).toMatchObject(failedWith({ _tag: "Unsendable" }, "NotSent"))
      const call = yield* begin(peer, request(2, "x"))
      yield* wire.say(success(2, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(2, {})))
    })
  )
})

it.effect("who wraps a send sees all that passes", () =>
  Effect.gen(function* () {
    const { duplex, now, wire } = yield* setup(() => true)
    const seen: Array<Written> = []
    const peer = yield* Peer.make({
      ...duplex,
      send: (message) =>
        Effect.suspend(() => {
          seen.push(message)
          return duplex.send(message)
        })
    })
    yield* peer.send(JsonRpc.notification("y"))
    expect([seen, now, wire.sent]).toStrictEqual([[JsonRpc.notification("y")], [], [JsonRpc.notification("y")]])
  })
)
