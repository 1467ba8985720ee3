import { Answers, type Client as C, Client, Resources, Tools } from "@effective-mcp/client"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type Act, errorWith, failing, initialized, overHttp, status } from "./httpWire.ts"
import { begin, info, pass } from "./scripted.ts"

const discovered: Act = () =>
  Effect.succeed({
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {}, resources: {} },
    ttlMs: 0,
    cacheScope: "private"
  })
const expired = failing({ _tag: "SessionExpired" }, "Rejected")
const broken = failing({ _tag: "Closed" })
const contents = { contents: [] }

/** The acts in turn, the last for ever. */
const inTurn = (...acts: readonly [Act, ...Array<Act>]): Act => {
  let turn = 0
  return (...request) => acts[Math.min(turn++, acts.length - 1)]!(...request)
}

const over = (script: Parameters<typeof overHttp>[0], options?: C.Options) => {
  const wire = overHttp(script)
  return Effect.map(Client.connect(wire.transport, info, options), (client) => ({ wire, client }))
}

/** What became of it, and after how long, in ms. */
const timed = <A, E>(effect: Effect.Effect<A, E>, underWay: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const fiber = yield* begin(
      Effect.flatMap(Effect.result(effect), (result) =>
        Effect.map(Clock.currentTimeMillis, (now) => ({ result, after: now - begun }))
      )
    )
    yield* underWay
    yield* pass(60)
    return yield* Fiber.join(fiber)
  })

/** What answers after 10 s, and when it has been asked. */
const slowAnswer = Effect.map(Deferred.make<void>(), (asked) => ({
  asked: Deferred.await(asked),
  answers: [
    Answers.form(() =>
      Effect.andThen(Deferred.succeed(asked, undefined), Effect.delay(Effect.succeed(Answers.accept()), "10 seconds"))
    )
  ]
}))

const total = { timeout: "30 seconds", totalTimeout: "3 seconds" } as const

describe("the time of a request in all", () => {
  it.effect("bounds what is done about headers that a server finds wrong", () =>
    Effect.gen(function* () {
      let pages = 0
      const slowly: Act = () =>
        Effect.delay(
          Effect.succeed({
            resultType: "complete",
            tools: [],
            ttlMs: 0,
            cacheScope: "private",
            nextCursor: `c${pages++}`
          }),
          "500 millis"
        )
      const { client, wire } = yield* over({
        "server/discover": discovered,
        "tools/call": () => errorWith(-32020, undefined, 400),
        "tools/list": slowly
      })
      const { after, result } = yield* timed(Tools.call(client, "t", {}, total))
      expect(result).toMatchObject({ failure: { code: -32020 } })
      expect(after).toBe(3_000)
      expect(wire.methods.filter((method) => method === "tools/call").length).toBe(1)
    })
  )
  it.effect("bounds the wait for a session that takes the place of a lost one", () =>
    Effect.gen(function* () {
      const { client } = yield* over(
        {
          initialize: (...request) => (request[1] === 1 ? initialized(...request) : Effect.never),
          "resources/read": () => expired
        },
        { era: "legacy" }
      )
      const late = { failure: { reason: { _tag: "TimedOut", afterMs: 3_000 }, outcome: "Rejected" } }
      const first = yield* timed(Resources.read(client, "a:1", total))
      expect(first.result).toMatchObject(late)
      expect(first.after).toBe(3_000)
      const unsent = yield* timed(Resources.read(client, "a:1", total))
      expect(unsent.result).toMatchObject({ failure: { reason: { _tag: "TimedOut" }, outcome: "NotSent" } })
      expect(unsent.after).toBe(3_000)
    })
  )
  it.effect("is that of all attempts together, the client's as well", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* over(
        {
          initialize: initialized,
          "resources/read": inTurn(
            () => Effect.delay(broken, "2 seconds"),
            () => Effect.never
          )
        },
        { era: "legacy", totalTimeout: "3 seconds" }
      )
      const { after, result } = yield* timed(Resources.read(client, "a:1"))
      expect(result).toMatchObject({ failure: { reason: { _tag: "TimedOut", afterMs: 3_000 } } })
      // a timer wakes at the next whole ms
      expect(Math.floor(after)).toBeOneOf([3_000, 3_001])
      expect(wire.methods).toEqual(["initialize", "resources/read", "resources/read"])
    })
  )
  it.effect("has no wait begun that is longer, however long a server asks for it", () =>
    Effect.gen(function* () {
      const { client, wire } = yield* over(
        { initialize: initialized, "resources/read": () => Effect.delay(status(503, 4_000), "500 millis") },
        { era: "legacy" }
      )
      const { after, result } = yield* timed(Resources.read(client, "a:1", total))
      expect(result).toMatchObject({ failure: { reason: { status: 503 } } })
      expect(after).toBe(500)
      expect(wire.methods).toEqual(["initialize", "resources/read"])
      const own = yield* timed(client.session.request("resources/read", { uri: "a:1" }, total))
      expect(own.after).toBe(500)
    })
  )
  it.effect("stands still while a question of an earlier attempt was open", () =>
    Effect.gen(function* () {
      const { answers, asked } = yield* slowAnswer
      const question = JsonRpc.request("q", "elicitation/create", {
        message: "m",
        requestedSchema: { type: "object", properties: {} }
      })
      const { client, wire } = yield* over(
        {
          initialize: initialized,
          "resources/read": inTurn(
            () => {
              wire.said.clear()
              return Effect.delay(broken, "12 seconds")
            },
            () => Effect.never
          )
        },
        { era: "legacy", answers }
      )
      wire.said.set("resources/read", [question])
      const untilTold = Effect.repeat(Effect.yieldNow, { until: () => wire.told.some((told) => !("method" in told)) })
      const answered = Effect.andThen(asked, Effect.andThen(pass(10), Effect.asVoid(untilTold)))
      const { after, result } = yield* timed(Resources.read(client, "a:1", total), answered)
      expect(result).toMatchObject({ failure: { reason: { _tag: "TimedOut", afterMs: 3_000 } } })
      expect(after).toBe(13_000)
    })
  )
  it.effect("stands still while a round's question was open, though the round has to be sent again", () =>
    Effect.gen(function* () {
      const { answers, asked } = yield* slowAnswer
      const again = yield* Deferred.make<void>()
      const asks = {
        resultType: "input_required",
        inputRequests: {
          q: {
            method: "elicitation/create",
            params: { message: "m", requestedSchema: { type: "object", properties: {} } }
          }
        }
      }
      const { client, wire } = yield* over(
        {
          "server/discover": discovered,
          "resources/read": inTurn(
            () => Effect.succeed(asks),
            () => Effect.andThen(Deferred.succeed(again, undefined), status(503)),
            () => Effect.succeed({ resultType: "complete", ...contents, ttlMs: 0, cacheScope: "private" })
          )
        },
        { answers }
      )
      const reading = yield* begin(Resources.read(client, "a:1", total))
      yield* asked
      yield* pass(10)
      yield* Deferred.await(again)
      yield* pass(1)
      expect(yield* Fiber.join(reading)).toMatchObject(contents)
      expect(wire.methods.length).toBe(4)
    })
  )
})
