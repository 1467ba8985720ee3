import { type Connection, JsonRpc, limits, local, Peer, TransportError } from "@effective-mcp/protocol"
import { type Fixture, pair, TransportContract } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

/** What a transport gets wrong, as a change to one that gets all right. */
type Fault = (right: Connection) => Connection

const exchange =
  (change: (exchange: Connection["exchange"]) => Connection["exchange"]): Fault =>
  (right) => ({ ...right, exchange: change(right.exchange) })

/** Passes what it says through JSON text that is changed on the way. */
const mangled = (change: (text: string) => string): Fault =>
  exchange((right) => (request, listener) => right(JSON.parse(change(JSON.stringify(request))), listener))

const faults: ReadonlyArray<readonly [fault: string, caughtBy: string, Fault]> = [
  ["loses separators", "carries any text there and back", mangled((text) => text.replaceAll("\u2028", ""))],
  [
    "loses members with strange names",
    "carries any key, __proto__ among them",
    exchange((right) => (request, listener) => {
      const params = Object.fromEntries(Object.entries(request.params ?? {}).filter(([key]) => key !== "__proto__"))
      return right({ ...request, params }, listener)
    })
  ],
  [
    "drops nulls",
    "carries numbers, nesting and members that nobody knows",
    mangled((text) => text.replace(/null/g, "0"))
  ],
  ["loses notifications", "hands over a notification", (right) => ({ ...right, send: () => Effect.void })],
  [
    "does one thing at a time",
    "lets a later request overtake an earlier one",
    (right) => {
      const one = Semaphore.makeUnsafe(1).withPermits(1)
      return { ...right, exchange: (request, listener) => one(right.exchange(request, listener)) }
    }
  ],
  [
    "takes every id for a text",
    'tells the ids 0, "", 1 and "1" apart',
    exchange((right) => (request, listener) => right({ ...request, id: String(request.id) }, listener))
  ],
  [
    "mixes up answers",
    "never mixes up a thousand exchanges",
    exchange(
      (right) => (request, listener) => right({ ...request, id: request.id === 777 ? "another" : request.id }, listener)
    )
  ],
  [
    "lets the details of a crash through",
    "answers a crash with -32603 and none of its details",
    exchange(
      (right) => (request, listener) =>
        Effect.map(right(request, listener), (response) =>
          "error" in response ? { ...response, error: { ...response.error, data: "a secret" } } : response
        )
    )
  ],
  [
    "hears what was said after the response",
    "keeps notifications in order, before the response",
    exchange((right) => (request, listener) => {
      const said: Array<JsonRpc.Notification | JsonRpc.Request> = []
      return right(request, (one) => Effect.sync(() => void said.push(one))).pipe(
        Effect.tap(() => Effect.forkDetach(Effect.forEach(said, listener)))
      )
    })
  ],
  [
    "holds what is said until the end",
    "holds nothing back: a notification is heard while its request still runs",
    exchange((right) => (request, listener) => {
      const said: Array<JsonRpc.Notification | JsonRpc.Request> = []
      return right(request, (one) => Effect.sync(() => void said.push(one))).pipe(
        Effect.tap(() => Effect.forEach(said, listener))
      )
    })
  ],
  [
    "hears the last first",
    "can be a stream of notifications, and leaving the stream cancels",
    exchange((right) => (request, listener) => {
      const said: Array<JsonRpc.Notification | JsonRpc.Request> = []
      return right(request, (one) => Effect.sync(() => void said.unshift(one))).pipe(
        Effect.tap(() => Effect.forEach(said, listener))
      )
    })
  ],
  [
    "lets one listener hold up all",
    "a slow listener keeps order and delays no other exchange",
    (right) => {
      const one = Semaphore.makeUnsafe(1).withPermits(1)
      return { ...right, exchange: (request, listener) => right.exchange(request, (said) => one(listener(said))) }
    }
  ],
  [
    "hears everything at once",
    "lets one notification be heard at a time, however many fibers speak",
    exchange(
      (right) => (request, listener) =>
        Effect.scoped(
          Effect.gen(function* () {
            const heard: Array<Fiber.Fiber<void>> = []
            const response = yield* right(request, (said) =>
              Effect.map(Effect.forkDetach(listener(said)), (fiber) => void heard.push(fiber))
            )
            yield* Fiber.awaitAll(heard)
            return response
          })
        )
    )
  ],
  [
    "drops what comes too fast",
    "loses nothing of a burst of 10,000 when its listener only needs the processor",
    exchange((right) => (request, listener) => {
      let said = 0
      return right(request, (one) => (++said === 5000 ? Effect.void : listener(one)))
    })
  ],
  [
    "answers what nobody knows as if it did",
    "answers a method that nobody knows",
    exchange((right) => (request, listener) => right({ ...request, method: "echo" }, listener))
  ],
  [
    "has a lower limit than it says",
    "carries a message as long as the limit",
    exchange(
      (right) => (request, listener) =>
        JSON.stringify(request).length > 4_000_000
          ? Effect.fail(new TransportError({ reason: { _tag: "TooLarge", limit: 4_000_000 }, outcome: "NotSent" }))
          : right(request, listener)
    )
  ],
  [
    "only forgets what is ended from outside",
    "ends an exchange from outside as interrupting it does, where it offers to",
    (right) => {
      const ends = new Map<JsonRpc.RequestId, (error: TransportError) => void>()
      return {
        ...right,
        abandon: (id, error) => ends.get(id)?.(error),
        exchange: (request, listener) =>
          Effect.callback((resume) => {
            ends.set(request.id, (error) => resume(Effect.fail(error)))
            Effect.runFork(Effect.onExit(right.exchange(request, listener), (exit) => Effect.sync(() => resume(exit))))
          })
      }
    }
  ],
  [
    "does not tell of leaving",
    "tells the other side that an exchange is abandoned",
    exchange(
      (right) => (request, listener) =>
        Effect.flatMap(Effect.forkDetach(right(request, listener)), (fiber) => Fiber.join(fiber))
    )
  ],
  [
    "does not leave while a listener is busy",
    "abandons an exchange whose listener is busy",
    exchange((right) => (request, listener) => right(request, (said) => Effect.uninterruptible(listener(said))))
  ],
  [
    "survives its listener",
    "a listener that dies fails its exchange, and abandons it",
    exchange((right) => (request, listener) => right(request, (said) => Effect.ignoreCause(listener(said))))
  ],
  [
    "answers for the other side, which is gone",
    "the other side going away fails what is open",
    exchange(
      (right) => (request, listener) =>
        Effect.catchTag(right(request, listener), "TransportError", () =>
          Effect.succeed(JsonRpc.success(request.id, {}))
        )
    )
  ],
  [
    "gives every failure the same outcome",
    "closing the scope releases the wire, and twice does no harm",
    exchange(
      (right) => (request, listener) =>
        Effect.mapError(right(request, listener), ({ reason }) => new TransportError({ reason, outcome: "Unknown" }))
    )
  ],
  [
    "dies of what is too long",
    "a request over the limit fails its exchange",
    exchange((right) => (request, listener) => Effect.orDie(right(request, listener)))
  ],
  [
    "counts the characters of what it sends",
    "a message too long to send is NotSent, and the wire goes on",
    exchange(
      (right) => (request, listener) =>
        Effect.mapError(right(request, listener), (error) =>
          JSON.stringify(request).length > limits.messageBytes ? error : error.withOutcome("Unknown")
        )
    )
  ],
  [
    "takes all that it is given at once",
    "makes a sender wait while the wire is full, and sends all in the end",
    (right) => ({
      ...right,
      send: (message) => Effect.sync(() => void Effect.runFork(right.send(message)))
    })
  ],
  [
    "takes messages that nobody will ever read",
    "closing the scope releases the wire, and twice does no harm",
    (right) => ({ ...right, send: (message) => Effect.ignore(right.send(message)) })
  ],
  [
    "hangs on what is too long",
    "an answer over the limit fails its exchange",
    exchange(
      (right) => (request, listener) =>
        Effect.flatMap(right(request, listener), (response) =>
          JsonRpc.isSuccess(response) ? Effect.succeed(response) : Effect.never
        )
    )
  ],
  [
    "loses questions",
    "carries a question back in the middle of a request",
    (right) => ({
      ...right,
      incoming: Stream.toPull(Stream.filter(Stream.fromPull(right.incoming), JsonRpc.isNotification))
    })
  ],
  [
    "loses news",
    "hears what is said outside any exchange",
    (right) => ({
      ...right,
      incoming: Stream.toPull(Stream.filter(Stream.fromPull(right.incoming), JsonRpc.isRequest))
    })
  ]
]

const overPair = Effect.fnUntraced(function* (fixture: Fixture.Fixture) {
  const [near, far] = yield* pair()
  const client = yield* Peer.make(far)
  yield* Effect.forkScoped(Effect.ignore(Peer.serve(client, fixture.on(client))))
  return { ...(yield* Peer.make(near)), goAway: far.close }
})

const outcome = Effect.fnUntraced(function* (fault: Fault, name: string) {
  const makePair: TransportContract.MakePair = (fixture) =>
    Effect.map(overPair(fixture), (right) => ({ ...right, ...fault(right) }))
  const found = TransportContract.cases(makePair).find((one) => one.name === name)
  if (found === undefined) return yield* Effect.die(`there is no case called ${name}`)
  const running = yield* Effect.forkScoped(Effect.exit(found.check))
  // enough turns for any case to come to its end, before the time that is left for it is over at once
  for (let turn = 0; turn < 20_000 && running.pollUnsafe() === undefined; turn++) yield* Effect.yieldNow
  yield* TestClock.adjust("5 seconds")
  return yield* Fiber.join(running)
})

describe("the cases catch a transport that", () => {
  for (const [fault, name, change] of faults) {
    it.effect(`${fault}: "${name}"`, () =>
      Effect.gen(function* () {
        expect(yield* outcome((right) => right, name)).toStrictEqual(Exit.void)
        const broken = yield* outcome(change, name)
        const error = { _tag: name.startsWith("carries a message as long") ? "TransportError" : "Mismatch" }
        expect(broken).toMatchObject({ cause: { reasons: [{ _tag: "Fail", error }] } })
      })
    )
  }
})

describe("a case", () => {
  it.effect("fails a pair that can be cut off but does not say how", () =>
    Effect.gen(function* () {
      const [check] = TransportContract.cases(local).flatMap((one) =>
        one.name.startsWith("the other side going away") ? [one.check] : []
      )
      expect(yield* Effect.exit(check ?? Effect.void)).toMatchObject({
        cause: { reasons: [{ error: { what: "the pair" } }] }
      })
    })
  )

  it("is left out when the wire cannot do what it needs", () => {
    const without = ["asking", "announcing", "goingAway", "limit", "releasing", "waiting"] as const
    const names = (options?: TransportContract.Options) =>
      TransportContract.cases(local, options).map(({ name }) => name)
    expect(names().length - names({ without }).length).toBe(9)
    expect(new Set(names()).size).toBe(names().length)
  })
})
