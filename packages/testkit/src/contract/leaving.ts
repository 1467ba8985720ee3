import { type Connection, JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { equal, transportErrorOf } from "../Mismatch.ts"
import { begin, type Clause, deaf, expectResult } from "./Clause.ts"

const { request } = JsonRpc

/** Begins a request that never ends by itself, and waits until the other side works on it. */
const linger = Effect.fnUntraced(function* (peer: Connection) {
  const call = yield* begin(peer, request(1, "linger"))
  yield* expectResult(peer, request("lingering", "lingering"), {})
  return call
})

/** An exchange that was under way fails, as one that may have run; the next fails, as one that never left. */
const expectEnd = Effect.fnUntraced(function* (peer: Connection, call: Fiber.Fiber<JsonRpc.Response, unknown>) {
  const broken = yield* transportErrorOf(yield* Fiber.await(call), "the exchange under way")
  yield* equal(broken.outcome, "Unknown", "the outcome of the exchange under way")
  const refused = yield* transportErrorOf(
    yield* Effect.exit(peer.exchange(request(2, "echo"), deaf)),
    "the next exchange"
  )
  yield* equal(refused.outcome, "NotSent", "the outcome of the next exchange")
})

/** Nothing can be said any more. */
const expectSilence = Effect.fnUntraced(function* (peer: Connection) {
  const unsaid = yield* transportErrorOf(
    yield* Effect.exit(peer.send(JsonRpc.notification("note"))),
    "the next message"
  )
  yield* equal(unsaid.outcome, "NotSent", "the outcome of the next message")
})

/** Over the limit in bytes, and well under it in characters. */
const tooLong = (messageBytes: number): string => "\u00e9".repeat(Math.ceil(messageBytes / 2))

const expectTooLarge = Effect.fnUntraced(function* (sending: Effect.Effect<unknown, unknown>, what: string) {
  const { outcome, reason } = yield* transportErrorOf(yield* Effect.exit(sending), what)
  yield* equal([reason._tag, outcome], ["TooLarge", "NotSent"], `how ${what} fails`)
})

/** Over the limit, an exchange fails or is answered with an error; it never hangs, dies or succeeds. */
const expectRefusal = Effect.fnUntraced(function* (peer: Connection, tooLong: JsonRpc.Request) {
  const exit = yield* Effect.exit(peer.exchange(tooLong, deaf))
  if (Exit.isSuccess(exit) && !JsonRpc.isSuccess(exit.value)) return
  yield* transportErrorOf(exit, `${tooLong.method} over the limit`)
})

/** Exchanges and wires end in more ways than one, and each end is seen by the other side. */
export const leaving: ReadonlyArray<Clause> = [
  {
    name: "tells the other side that an exchange is abandoned",
    check: Effect.fnUntraced(function* ({ peer }) {
      yield* Fiber.interrupt(yield* linger(peer))
      yield* expectResult(peer, request(2, "abandoned"), {})
    })
  },
  {
    name: "abandons an exchange whose listener is busy",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const begun = yield* Deferred.make<void>()
      const busy = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const call = yield* begin(peer, request(1, "linger"), busy)
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(call)
      yield* expectResult(peer, request(2, "abandoned"), {})
    })
  },
  {
    name: "ends an exchange from outside as interrupting it does, where it offers to",
    check: Effect.fnUntraced(function* ({ peer }) {
      if (peer.abandon === undefined) return
      const call = yield* linger(peer)
      const late = new TransportError({ reason: { _tag: "TimedOut", afterMs: 1 }, outcome: "Unknown" })
      peer.abandon(2, late)
      peer.abandon(1, late)
      const error = yield* transportErrorOf(yield* Fiber.await(call), "the exchange")
      yield* equal(error.reason._tag, "TimedOut", "what the exchange fails with")
      yield* expectResult(peer, request(2, "abandoned"), {})
    })
  },
  {
    name: "a listener that dies fails its exchange, and abandons it",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const call = yield* begin(peer, request(1, "linger"), () => Effect.die("the listener"))
      const exit = yield* Fiber.await(call)
      yield* equal(Exit.isFailure(exit) && Exit.hasDies(exit), true, "whether the exchange dies")
      yield* expectResult(peer, request(2, "abandoned"), {})
    })
  },
  {
    name: "a request over the limit fails its exchange",
    needs: "limit",
    check: ({ messageBytes, peer }) =>
      Effect.suspend(() => expectRefusal(peer, request(1, "echo", { text: "x".repeat(messageBytes) })))
  },
  {
    name: "a message too long to send is NotSent, and the wire goes on",
    needs: "limit",
    check: Effect.fnUntraced(function* ({ messageBytes, peer }) {
      const text = tooLong(messageBytes)
      const open = yield* begin(peer, request(1, "pause"))
      yield* expectTooLarge(peer.exchange(request(2, "echo", { text }), deaf), "a request over the limit")
      yield* expectTooLarge(peer.send(JsonRpc.notification("note", { text })), "a notification over the limit")
      yield* expectResult(peer, request(3, "release"), {})
      yield* equal(yield* Fiber.join(open), JsonRpc.success(1, { id: 1 }), "the answer to what was open meanwhile")
    })
  },
  {
    name: "an answer over the limit fails its exchange",
    needs: "limit",
    check: ({ messageBytes, peer }) => expectRefusal(peer, request(1, "blob", { length: messageBytes }))
  },
  {
    name: "the other side going away fails what is open",
    needs: "goingAway",
    check: Effect.fnUntraced(function* ({ goAway, peer }) {
      const call = yield* linger(peer)
      yield* goAway
      yield* expectEnd(peer, call)
    })
  },
  {
    name: "closing the scope releases the wire, and twice does no harm",
    needs: "releasing",
    check: Effect.fnUntraced(function* ({ peer, release }) {
      const call = yield* linger(peer)
      yield* release
      yield* expectEnd(peer, call)
      yield* expectSilence(peer)
      yield* release
      yield* expectEnd(peer, call)
    })
  }
]
