import { type Handler, type JsonRpc, Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import {
  cancelled,
  failure,
  frame,
  logged,
  notification,
  progress,
  request,
  script,
  settled,
  success
} from "../script.ts"

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)

/** A handler whose `wait` goes on until it is let, id by id, and that keeps what it has done. */
const makeHandler = Effect.gen(function* () {
  const done: Array<unknown> = []
  const gates = new Map<unknown, Deferred.Deferred<void>>()
  const gate = (id: unknown) => {
    const found = gates.get(id) ?? Deferred.makeUnsafe<void>()
    gates.set(id, found)
    return found
  }
  const note = (what: unknown) =>
    Effect.sync(() => {
      done.push(what)
    })
  const handler: Handler = {
    exchange: ({ id, method, params }, say) => {
      switch (method) {
        case "wait":
          return Effect.andThen(note(["begun", id]), Deferred.await(gate(id))).pipe(
            Effect.as(success(id, { id, ...params })),
            Effect.onInterrupt(() => note(["interrupted", id]))
          )
        case "report":
          return Effect.as(Effect.andThen(say(progress(id, 1)), say(progress(id, 2))), success(id, {}))
        case "ask":
          return Effect.as(say(request("q", "roots/list")), success(id, {}))
        case "crash":
          return Effect.die(new Error("SECRET-CANARY"))
        case "throw":
          throw new Error("SECRET-CANARY")
        case "unspeakable":
          return Effect.succeed(success(id, { big: 1n }))
        case "stop":
          return Effect.interrupt
        default:
          return Effect.as(note(method), success(id, {}))
      }
    },
    notify: ({ method }) => {
      if (method === "throw") throw new Error("SECRET-CANARY")
      if (method === "crash") return Effect.die(new Error("SECRET-CANARY"))
      return Effect.andThen(method === "wait" ? Deferred.await(gate("notified")) : Effect.void, note(method))
    }
  }
  return { done, handler, let: (id: unknown) => Effect.asVoid(Deferred.succeed(gate(id), undefined)) }
})

const setup = Effect.fnUntraced(function* (options: Peer.ServeOptions = {}) {
  const wire = yield* script
  const fixture = yield* makeHandler
  const client = yield* Peer.make(wire.duplex, { answerMalformed: true })
  yield* Effect.forkScoped(Peer.serve(client, fixture.handler, options), { startImmediately: true })
  return { wire, client, ...fixture }
})

/** What was written but for the barriers' own requests. */
const written = (sent: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  sent.filter((message) => !JSON.stringify(message).includes("barrier"))

describe("serve", () => {
  it.effect("answers each request with what was said because of it, in order", () =>
    Effect.gen(function* () {
      const { wire } = yield* setup()
      yield* wire.say(request(1, "report"), request("2", "x"))
      expect(wire.sent).toStrictEqual([progress(1, 1), progress(1, 2), success(1, {}), success("2", {})])
    })
  )

  it.effect('RPC-02 answers 1 and "1" each with its own id and result, whichever ends first', () =>
    Effect.gen(function* () {
      const { wire, ...fixture } = yield* setup()
      yield* wire.say(request(1, "wait", { n: "number" }), request("1", "wait", { n: "string" }))
      yield* fixture.let("1")
      expect(yield* wire.next).toStrictEqual(success("1", { id: "1", n: "string" }))
      yield* fixture.let(1)
      expect(yield* wire.next).toStrictEqual(success(1, { id: 1, n: "number" }))
    })
  )

  it.effect("RPC-01 a cancel interrupts the handler of id 0 and of the empty string, and neither is answered", () =>
    Effect.gen(function* () {
      const { client, done, wire } = yield* setup()
      for (const id of [0, "", 7]) yield* wire.say(request(id, "wait"), cancelled(id))
      yield* settled(client, wire)
      expect(done).toStrictEqual(
        [0, "", 7].flatMap((id) => [
          ["begun", id],
          ["interrupted", id]
        ])
      )
      expect(written(wire.sent)).toStrictEqual([])
    })
  )

  it.effect("lets a cancel of a subscription pass that has ended with its result", () =>
    Effect.gen(function* () {
      const { done, ...fixture } = yield* makeHandler
      const wire = yield* script
      const client = yield* Peer.make(wire.duplex)
      const handler: Handler = {
        notify: fixture.handler.notify,
        exchange: (asked, say) => fixture.handler.exchange({ ...asked, method: "wait" }, say)
      }
      yield* Effect.forkScoped(Peer.serve(client, handler), { startImmediately: true })
      yield* wire.say(request("s", "subscriptions/listen"))
      yield* fixture.let("s")
      // both ends say that it is over, and the two cross
      expect([yield* wire.next, yield* wire.next]).toStrictEqual([success("s", { id: "s" }), cancelled("s")])
      yield* wire.say(cancelled("s"), cancelled("s"), request(2, "x"))
      yield* fixture.let(2)
      expect(yield* wire.next).toStrictEqual(success(2, { id: 2 }))
      yield* settled(client, wire)
      expect(written(wire.sent)).toHaveLength(3)
      expect(done).toStrictEqual([
        ["begun", "s"],
        ["begun", 2]
      ])
    })
  )

  it.effect("withdraws an answer that a cancel finds unwritten, lets one pass that is too late, and goes on", () =>
    Effect.gen(function* () {
      const { client, done, wire } = yield* setup()
      const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      wire.writing = () => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(go))
      yield* wire.say(request(1, "x"))
      yield* Deferred.await(begun)
      yield* wire.say(cancelled(1))
      yield* Deferred.succeed(go, undefined)
      yield* wire.say(request(2, "y"), cancelled(2), request(3, "z"))
      yield* settled(client, wire)
      expect([written(wire.sent), done]).toStrictEqual([
        [success(2, {}), success(3, {})],
        ["x", "y", "z"]
      ])
    })
  )

  it.effect("RPC-01 says both of two notifications about id 0 that come in one tick", () =>
    Effect.gen(function* () {
      const { wire } = yield* setup()
      yield* wire.say(request(0, "report"))
      expect(wire.sent).toStrictEqual([progress(0, 1), progress(0, 2), success(0, {})])
    })
  )

  it.effect("lets a cancel pass that names nothing in flight", () =>
    Effect.gen(function* () {
      const { done, wire, ...fixture } = yield* setup()
      yield* wire.say(request(1, "wait"), cancelled("1"), cancelled(2), cancelled(null), cancelled(undefined))
      yield* wire.say(notification("notifications/cancelled"))
      yield* fixture.let(1)
      expect(yield* wire.next).toStrictEqual(success(1, { id: 1 }))
      expect(done).toStrictEqual([["begun", 1]])
    })
  )

  it.effect("RPC-07 an empty method is a request like any other: its handler answers it", () =>
    Effect.gen(function* () {
      const { wire } = yield* setup()
      yield* wire.say(frame(`{"jsonrpc":"2.0","id":7,"method":"","params":{}}`))
      expect(wire.sent).toStrictEqual([success(7, {})])
    })
  )

  it.effect("a handler that dies or throws is a -32603 without details, and the next request is answered", () =>
    Effect.gen(function* () {
      const [wire, log] = yield* logged(
        Effect.gen(function* () {
          const { wire } = yield* setup()
          yield* wire.say(request(1, "crash"), request(2, "throw"), notification("crash"), notification("throw"))
          yield* wire.say(request(3, "x"))
          return wire
        })
      )
      const error = { code: -32603, message: "Internal error" }
      expect(wire.sent).toStrictEqual([failure(1, error), failure(2, error), success(3, {})])
      expect(log.length).toBe(4)
      for (const line of log) expect(line).toContain("SECRET-CANARY")
    })
  )

  it.effect("a result that cannot be written as JSON is a -32603", () =>
    Effect.gen(function* () {
      const [wire] = yield* logged(
        Effect.gen(function* () {
          const { wire } = yield* setup()
          wire.writing = (message) => Effect.sync(() => void JSON.stringify(message))
          yield* wire.say(request(1, "unspeakable"), request(2, "x"))
          return wire
        })
      )
      expect(wire.sent).toStrictEqual([failure(1, { code: -32603, message: "Internal error" }), success(2, {})])
    })
  )

  it.effect("a handler that interrupts itself still answers", () =>
    Effect.gen(function* () {
      const [wire] = yield* logged(
        Effect.gen(function* () {
          const { wire } = yield* setup()
          yield* wire.say(request(1, "stop"), request(2, "x"))
          return wire
        })
      )
      expect(wire.sent).toStrictEqual([failure(1, { code: -32603, message: "Internal error" }), success(2, {})])
    })
  )

  it.effect("asks nothing through a listener: a pipe could not tell whom it is for", () =>
    Effect.gen(function* () {
      const { wire } = yield* setup()
      yield* wire.say(request(1, "ask"))
      expect(wire.sent).toStrictEqual([success(1, {})])
    })
  )

  it.effect("hands over notifications beside the requests that run", () =>
    Effect.gen(function* () {
      const { client, done, wire, ...fixture } = yield* setup()
      yield* wire.say(request(1, "wait"), notification("wait"), notification("a"), notification("b"))
      yield* settled(client, wire)
      expect(done).toStrictEqual([["begun", 1], "a", "b"])
      yield* fixture.let("notified")
      yield* settled(client, wire)
      expect(done).toStrictEqual([["begun", 1], "a", "b", "wait"])
    })
  )
})

describe("an id that is in use", () => {
  it.effect("is refused without an id, and the request that rightly has it is answered", () =>
    Effect.gen(function* () {
      const { client, done, wire, ...fixture } = yield* setup({ handlers: 1 })
      yield* wire.say(request(1, "wait"), request(2, "x"), request(1, "x"), request(2, "y"))
      yield* settled(client, wire)
      const refusals = written(wire.sent)
      expect(refusals.length).toBe(2)
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ error: { code: -32600 } })
        expect(refusal).not.toHaveProperty("id")
      }
      yield* fixture.let(1)
      yield* settled(client, wire)
      expect(written(wire.sent).slice(2)).toStrictEqual([success(1, { id: 1 }), success(2, {})])
      expect(done).toStrictEqual([["begun", 1], "x"])
    })
  )
})

describe("requests in flight", () => {
  const tooMany = { code: -32603, message: "Too many requests" }

  it.effect("are 256 at once and 1,024 that wait; the next is refused", () =>
    Effect.gen(function* () {
      const { client, done, wire } = yield* setup()
      yield* wire.say(...numbers(256 + 1024 + 2).map((id) => request(id, "wait")))
      yield* settled(client, wire)
      expect(done.length).toBe(256)
      expect(written(wire.sent)).toStrictEqual([1281, 1282].map((id) => failure(id, tooMany)))
    })
  )

  it.effect("get their turn in order, all of them, whether they end at once or later", () =>
    Effect.gen(function* () {
      const { client, done, wire, ...fixture } = yield* setup({ handlers: 2, queued: 8 })
      yield* wire.say(request(1, "wait"), request(2, "wait"))
      yield* wire.say(request(3, "a"), request(4, "b"), request(5, "wait"), request(6, "c"), request(7, "wait"))
      yield* wire.say(request(8, "d"))
      yield* settled(client, wire)
      expect(done).toStrictEqual([
        ["begun", 1],
        ["begun", 2]
      ])
      yield* fixture.let(1)
      yield* settled(client, wire)
      expect(done.slice(2)).toStrictEqual(["a", "b", ["begun", 5]])
      yield* fixture.let(5)
      yield* settled(client, wire)
      expect(done.slice(5)).toStrictEqual(["c", ["begun", 7]])
      yield* Effect.andThen(fixture.let(7), fixture.let(2))
      yield* settled(client, wire)
      expect(done.slice(7)).toStrictEqual(["d"])
      const ids = written(wire.sent).map((message) => (message as JsonRpc.Success).id)
      expect(ids).toStrictEqual([1, 3, 4, 5, 6, 7, 8, 2])
    })
  )

  it.effect("that wait are forgotten when they are cancelled", () =>
    Effect.gen(function* () {
      const { client, done, wire, ...fixture } = yield* setup({ handlers: 1, queued: 1 })
      yield* wire.say(request(1, "wait"), request(2, "a"), cancelled(2), request(3, "b"))
      yield* fixture.let(1)
      yield* settled(client, wire)
      expect(done).toStrictEqual([["begun", 1], "b"])
      expect(written(wire.sent)).toStrictEqual([success(1, { id: 1 }), success(3, {})])
    })
  )

  it.effect("make room when one is cancelled", () =>
    Effect.gen(function* () {
      const { client, done, wire } = yield* setup({ handlers: 1, queued: 8 })
      yield* wire.say(request(1, "wait"), request(2, "a"), request(3, "b"), cancelled(1))
      yield* settled(client, wire)
      expect(done).toStrictEqual([["begun", 1], ["interrupted", 1], "a", "b"])
    })
  )

  it.effect("let a ping pass, however many wait", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* setup({ handlers: 2, queued: 1 })
      yield* wire.say(...numbers(4).map((id) => request(id, "wait")), request("p", "ping"))
      yield* settled(client, wire)
      expect(written(wire.sent)).toStrictEqual([failure(4, tooMany), success("p", {})])
    })
  )

  it.effect("are bounded where they are notifications, too: the next read waits", () =>
    Effect.gen(function* () {
      const { client, done, wire, ...fixture } = yield* setup({ handlers: 4 })
      yield* wire.say(...numbers(6).map(() => notification("wait")), notification("last"))
      yield* settled(client, wire)
      expect(done).toStrictEqual([])
      yield* fixture.let("notified")
      yield* settled(client, wire)
      expect(done.toSorted()).toStrictEqual(["last", ...numbers(6).map(() => "wait")])
    })
  )
})

it.effect("says nothing more of a cancelled request, not even what its handler says on its way out", () =>
  Effect.gen(function* () {
    const wire = yield* script
    const left = yield* Deferred.make<void>()
    const client = yield* Peer.make(wire.duplex)
    const handler: Handler = {
      notify: () => Effect.void,
      exchange: ({ id }, say) =>
        Effect.uninterruptible(Effect.andThen(Effect.yieldNow, say(progress(id, 1)))).pipe(
          Effect.andThen(Effect.never),
          Effect.ensuring(Effect.andThen(say(progress(id, 2)), Deferred.succeed(left, undefined)))
        )
    }
    yield* Effect.forkScoped(Effect.ignore(Peer.serve(client, handler)), { startImmediately: true })
    yield* wire.say(request(1, "x"), cancelled(1))
    yield* Deferred.await(left)
    expect(wire.sent).toStrictEqual([])
  })
)

it.effect("logs why a request is cancelled, cut, for those who debug", () =>
  Effect.gen(function* () {
    const [, lines] = yield* logged(
      Effect.gen(function* () {
        const wire = yield* script
        const { handler } = yield* makeHandler
        const client = yield* Peer.make(wire.duplex)
        yield* Effect.forkScoped(Effect.ignore(Peer.serve(client, handler)), { startImmediately: true })
        yield* wire.say(
          request(1, "wait"),
          notification("notifications/cancelled", { requestId: 1, reason: `tired\n${"x".repeat(999)}` })
        )
      }).pipe(Effect.provideService(References.MinimumLogLevel, "Debug"))
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("tired\\\\n")
    expect(lines[0]!.length).toBeLessThan(300)
  })
)

it.effect("a bound that is no count is a mistake of the author, found at once", () =>
  Effect.gen(function* () {
    const client = yield* Peer.make((yield* script).duplex)
    const { handler } = yield* makeHandler
    for (const handlers of [0, -1, 1.5, NaN]) {
      expect(Exit.hasDies(yield* Effect.exit(Peer.serve(client, handler, { handlers })))).toBe(true)
    }
  })
)
