import { type Connection, JsonRpc, TransportError } from "@effective-mcp/protocol"
import { TransportContract } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { overPair } from "./overPair.ts"

type Connect = TransportContract.Wire["connect"]
/** What a transport gets wrong, as a change to one that gets all right. */
type Wrong = (right: TransportContract.Wire) => TransportContract.Wire

const connecting =
  (change: (connect: Connect) => Effect.Effect<Connection, TransportError, Scope.Scope>): Wrong =>
  (right) => ({ ...right, connect: change(right.connect) })

const exchanging = (change: (exchange: Connection["exchange"], right: Connection) => Connection["exchange"]): Wrong =>
  connecting((connect) =>
    Effect.map(connect, (right) => {
      // without `abandon` the exchange is interrupted, which is what these change
      const { abandon: _abandon, ...rest } = right
      return { ...rest, exchange: change(right.exchange, right) }
    })
  )

const faults: ReadonlyArray<readonly [wrong: string, caughtBy: string, Wrong]> = [
  [
    "sends a call again whose answer was lost",
    "a reset on the way back fails the call, which may have run",
    connecting((connect) =>
      Effect.map(Effect.all([connect, connect]), ([first, second]) => ({
        ...first,
        exchange: (request, listener) =>
          Effect.catchTag(first.exchange(request, listener), "TransportError", (error) =>
            error.outcome === "Unknown" ? second.exchange(request, listener) : Effect.fail(error)
          )
      }))
    )
  ],
  [
    "says of all that it was never sent",
    "a reset on the way back fails the call, which may have run",
    exchanging(
      (exchange) => (request, listener) =>
        Effect.mapError(exchange(request, listener), (error) => error.withOutcome("NotSent"))
    )
  ],
  [
    "runs a call that its caller was told was lost",
    "a reset on the way there fails the call, which never ran",
    (right) => ({ ...right, strike: (strike) => right.strike(strike, "response") })
  ],
  [
    "waits on after its wire has broken",
    "a reset ends all that is open, each with a typed error that is true",
    exchanging(
      (exchange) => (request, listener) =>
        Effect.catchTag(exchange(request, listener), "TransportError", (error) =>
          error.outcome === "Unknown" ? Effect.never : Effect.fail(error)
        )
    )
  ],
  [
    "dies of a wire that breaks",
    "a reset on the way there fails the call, which never ran",
    exchanging((exchange) => (request, listener) => Effect.orDie(exchange(request, listener)))
  ],
  [
    "makes an answer of half of one",
    "half an answer is never taken for one",
    exchanging(
      (exchange) => (request, listener) =>
        Effect.catchTag(exchange(request, listener), "TransportError", (error) =>
          error.outcome === "Unknown" ? Effect.succeed(JsonRpc.success(request.id, {})) : Effect.fail(error)
        )
    )
  ],
  [
    "cannot leave a call",
    "a call whose answer is lost can be left, and the wire goes on",
    exchanging((exchange) => (request, listener) => Effect.uninterruptible(exchange(request, listener)))
  ],
  [
    "leaves a call without a word",
    "leaving a call whose answer is lost cancels it",
    exchanging(
      (exchange) => (request, listener) =>
        Effect.flatMap(Effect.forkDetach(exchange(request, listener)), (fiber) => Fiber.join(fiber))
    )
  ],
  [
    "gives an answer to whoever asks next",
    "an answer that comes after its call was left reaches no other",
    exchanging((exchange) => {
      let left: Fiber.Fiber<JsonRpc.Response, TransportError> | undefined
      return (request, listener) =>
        Effect.flatMap(Effect.forkDetach(exchange(request, listener)), (fiber) => {
          const answer = left ?? fiber
          return Effect.onInterrupt(Fiber.join(answer), () =>
            Effect.sync(() => {
              left = fiber
            })
          )
        })
    })
  ],
  [
    "does not end what it is told to",
    "a call in a black hole ends by interruption and by a deadline, soon, and so does connecting",
    connecting((connect) => Effect.map(connect, (right) => ({ ...right, abandon: () => {} })))
  ],
  [
    "cannot be left while it connects",
    "a call in a black hole ends by interruption and by a deadline, soon, and so does connecting",
    (right) => {
      let isUsed = false
      return {
        ...right,
        connect: Effect.suspend(() => {
          if (isUsed) return Effect.uninterruptible(Effect.never)
          isUsed = true
          return right.connect
        })
      }
    }
  ],
  [
    "never lets go of its wire",
    "half a request is never taken for one",
    connecting((connect) => Effect.tap(connect, () => Effect.addFinalizer(() => Effect.never)))
  ],
  [
    "leaves a socket behind",
    "half a request is never taken for one",
    (right) => ({ ...right, held: Effect.succeed(1) })
  ],
  [
    "can be run only once",
    "half a request is never taken for one",
    (right) => {
      let isUsed = false
      return {
        ...right,
        connect: Effect.suspend(() => {
          if (isUsed) return Effect.fail(TransportError.make({ _tag: "Closed" }, "NotSent"))
          isUsed = true
          return right.connect
        })
      }
    }
  ]
]

const outcome = Effect.fnUntraced(function* (wrong: Wrong, name: string) {
  const makeWire: TransportContract.MakeWire = (fixture) => Effect.map(overPair(fixture), wrong)
  const found = TransportContract.faultCases(makeWire).find((one) => one.name === name)
  if (found === undefined) return yield* Effect.die(`there is no case called ${name}`)
  const running = yield* Effect.forkScoped(Effect.exit(found.check))
  for (let waited = 0; waited < 6_000 && running.pollUnsafe() === undefined; waited += 50) {
    for (let turn = 0; turn < 200 && running.pollUnsafe() === undefined; turn++) yield* Effect.yieldNow
    yield* TestClock.adjust(50)
  }
  return yield* Fiber.join(running)
})

describe("the cases about faults catch a transport that", () => {
  for (const [wrong, name, change] of faults) {
    it.effect(`${wrong}: "${name}"`, () =>
      Effect.gen(function* () {
        expect(yield* outcome((right) => right, name)).toStrictEqual(Exit.void)
        expect(yield* outcome(change, name)).toMatchObject({
          cause: {
            reasons: [
              {
                _tag: "Fail",
                error: {
                  _tag: name.startsWith("half a req") && wrong.startsWith("can be") ? "TransportError" : "Mismatch"
                }
              }
            ]
          }
        })
      })
    )
  }
})
