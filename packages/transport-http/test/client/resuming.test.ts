import { JsonRpc, type TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { connect, type Options } from "../../src/client/index.ts"
import { type Answer, closed, greeting, memory, status, stream } from "./memory.ts"
import { shakeHands } from "./pairs.ts"
import { event, progress } from "./scripted.ts"

const done = { jsonrpc: "2.0", id: 1, result: {} }

/** A call whose POST and GETs are answered in turn, on the clock of the test. */
const calling = Effect.fnUntraced(function* (answers: Array<Answer>, options: Options = {}) {
  const { client, seen } = memory((request, message) => greeting(request, message) ?? answers.shift() ?? status(500))
  const connection = yield* connect("http://a.test/mcp", { ...options, client })
  yield* shakeHands(connection)
  const heard: Array<unknown> = []
  const call = yield* Effect.forkChild(
    Effect.result(
      connection.exchange(JsonRpc.request(1, "tools/call", { name: "t" }), (said) =>
        Effect.sync(() => void heard.push(said.params?.progress))
      )
    ),
    { startImmediately: true }
  )
  const gets = () => seen.flatMap(({ headers, method }) => (method === "GET" ? [headers["last-event-id"]] : []))
  return { call, gets, heard, seen }
})

type Outcome = Result.Result<JsonRpc.Response, TransportError>

const reasonOf = (call: Fiber.Fiber<Outcome>) =>
  Effect.map(Fiber.join(call), (result) =>
    Result.isFailure(result) ? [result.failure.reason._tag, result.failure.outcome] : result.success
  )

describe("a response stream that breaks", () => {
  it.effect("HTTP-13 without an event id is lost, and its call fails", () =>
    Effect.gen(function* () {
      for (const broken of [stream(event(progress(1))), stream(event(progress(1)), Effect.fail(closed))]) {
        const { call, gets, heard } = yield* calling([broken])
        expect(yield* reasonOf(call)).toEqual(["Closed", "Unknown"])
        expect([heard, gets()]).toEqual([[1], []])
      }
    })
  )

  it.effect("HTTP-13 with an event id goes on from there, as often as it takes", () =>
    Effect.gen(function* () {
      const { call, gets, heard } = yield* calling([
        stream(event(progress(1), "5")),
        stream("retry: 2000\n\n", event(progress(2), "6"), Effect.fail(closed)),
        stream(event(progress(3), "7")),
        stream("id: 8\n\n"),
        stream(event(done))
      ])
      yield* TestClock.adjust(1_000)
      expect(heard).toEqual([1, 2])
      yield* TestClock.adjust(1_999)
      expect(gets()).toEqual(["5"])
      yield* TestClock.adjust(1)
      expect(heard).toEqual([1, 2, 3])
      yield* TestClock.adjust(4_000)
      expect(yield* reasonOf(call)).toEqual(done)
      expect(gets()).toEqual(["5", "6", "7", "8"])
    })
  )

  it.effect("C-34 is not waited for less than 100 ms, nor at all where the server asks for more than there is", () =>
    Effect.gen(function* () {
      const soon = yield* calling([stream("retry: 0\nid: 5\n\n"), stream(event(done))])
      yield* TestClock.adjust(99)
      expect(soon.gets()).toEqual([])
      yield* TestClock.adjust(1)
      expect(yield* reasonOf(soon.call)).toEqual(done)
      const never = yield* calling([stream(`retry: ${"9".repeat(400)}\nid: 5\n\n`)])
      expect(yield* reasonOf(never.call)).toEqual(["Closed", "Unknown"])
    })
  )

  it.effect("C-34 is given up after two attempts in vain", () =>
    Effect.gen(function* () {
      const { call, gets } = yield* calling([stream("id: 5\n\n"), Effect.fail(closed), status(503)])
      yield* TestClock.adjust(2_000)
      expect(yield* reasonOf(call)).toEqual(["HttpStatus", "Unknown"])
      expect(gets()).toEqual(["5", "5"])
    })
  )

  it.effect("waits for as long as Retry-After asks", () =>
    Effect.gen(function* () {
      const { call, gets } = yield* calling([
        stream("id: 5\n\n"),
        status(503, { "retry-after": "20" }),
        stream(event(done))
      ])
      yield* TestClock.adjust(20_999)
      expect(gets().length).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* reasonOf(call)).toEqual(done)
    })
  )

  for (const code of [400, 404, 405]) {
    it.effect(`is lost where the server does not let it be resumed (${code})`, () =>
      Effect.gen(function* () {
        const { call, gets } = yield* calling([stream("id: 5\n\n"), status(code), stream(event(done))])
        yield* TestClock.adjust(1_000)
        expect(yield* reasonOf(call)).toEqual(["Closed", "Unknown"])
        expect(gets()).toEqual(["5"])
      })
    )
  }

  it.effect("R-176 HTTP-16 an id that no header can carry, or that is too long, is none; NUL changes nothing", () =>
    Effect.gen(function* () {
      const first = event(progress(1), "5")
      for (const [second, cursor] of [
        [event(progress(2), "a\0b"), "5"],
        [event(progress(2), "x".repeat(1_024)), "x".repeat(1_024)],
        [event(progress(2), ""), undefined],
        [event(progress(2), "é"), undefined],
        [event(progress(2), "x".repeat(1_025)), undefined],
        [event(progress(2), "x".repeat(1024 * 1024)), undefined]
      ] as const) {
        const { call, gets, heard } = yield* calling([stream(first, second), stream(event(done))])
        yield* TestClock.adjust(1_000)
        expect(yield* reasonOf(call)).toEqual(cursor === undefined ? ["Closed", "Unknown"] : done)
        expect([heard, gets()]).toEqual([[1, 2], cursor === undefined ? [] : [cursor]])
      }
    })
  )

  it.effect("interrupted while it waits, tells the server", () =>
    Effect.gen(function* () {
      const { call, gets, seen } = yield* calling([stream("id: 5\n\n"), status(202)])
      yield* Fiber.interrupt(call)
      expect(String(seen.at(-1)?.body)).toContain("notifications/cancelled")
      expect(gets()).toEqual([])
    })
  )
})

describe("a batch, on 2025-03-26", () => {
  const batch = [progress(1), progress(2), done]
  const with0326 = Effect.fnUntraced(function* (answer: Answer, version: string) {
    const { client } = memory((request, message) => greeting(request, message) ?? answer)
    const connection = yield* connect("http://a.test/mcp", { client })
    yield* shakeHands(connection, version)
    const heard: Array<unknown> = []
    const exit = yield* Effect.result(
      connection.exchange(JsonRpc.request(1, "tools/call"), (said) =>
        Effect.sync(() => void heard.push(said.params?.progress))
      )
    )
    return { exit, heard }
  })
  const asJson = () => status(200, { "content-type": "application/json" }, JSON.stringify(batch))

  it.effect("is read as an answer, in a body and in an event", () =>
    Effect.gen(function* () {
      for (const answer of [asJson(), stream(event(batch))]) {
        const { exit, heard } = yield* with0326(answer, "2025-03-26")
        expect(yield* Effect.fromResult(exit)).toEqual(done)
        expect(heard).toEqual([1, 2])
      }
    })
  )

  it.effect("is none in any other revision", () =>
    Effect.gen(function* () {
      const { exit, heard } = yield* with0326(asJson(), "2025-06-18")
      expect((yield* Effect.flip(Effect.fromResult(exit))).reason._tag).toBe("Malformed")
      expect(heard).toEqual([])
    })
  )
})
