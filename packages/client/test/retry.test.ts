import { type Outcome, type Reason, RpcError, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import type { RetryOptions } from "../src/Retry.ts"
import { type Answer, retryLayer as layer, session } from "./layers.ts"

const failing = (reason: Reason, outcome: Outcome): Answer => Effect.fail(TransportError.make(reason, outcome))
const unreachable = failing({ _tag: "Unreachable", what: "a server" }, "NotSent")
const broken = failing({ _tag: "HttpStatus", status: 500 }, "Unknown")
const status = (status: number, retryAfterMs?: number): Answer =>
  failing({ _tag: "HttpStatus", status, ...(retryAfterMs === undefined ? undefined : { retryAfterMs }) }, "Unknown")

const list = ["tools/list", {}] as const
const call = ["tools/call", { name: "t" }] as const

/** How often a request is sent that always fails so. */
const times = (answer: Answer, request: typeof list | typeof call, options?: RetryOptions) =>
  Effect.gen(function* () {
    const { send, sent } = session(() => answer)
    const retrying = layer(options)(send)
    const fiber = yield* Effect.forkChild(Effect.exit(retrying(...(request as typeof list)))) // cast: either is a request
    yield* TestClock.adjust("10 minutes")
    yield* Fiber.join(fiber)
    return sent.length
  })

describe("a request that failed on the wire", () => {
  const cases: ReadonlyArray<readonly [string, Answer, typeof list | typeof call, number]> = [
    ["is sent again when it never left", unreachable, call, 3],
    ["is sent again when doing it twice does no harm", broken, list, 3],
    ["is not sent again when it is a call of a tool that may have run", broken, call, 1],
    ["is sent again after 503", status(503), list, 3],
    ["is sent again after 429", status(429), list, 3],
    ["is not sent again after 400", status(400), list, 1],
    ["is not sent again after 401", status(401), list, 1],
    ["is not sent again after an error response", Effect.fail(new RpcError({ code: -32603, message: "" })), list, 1],
    ["is not sent again after a timeout", failing({ _tag: "TimedOut", afterMs: 1 }, "Unknown"), list, 1],
    ["is not sent again when the response was too large", failing({ _tag: "TooLarge", limit: 1 }, "Unknown"), list, 1],
    [
      "is left to whoever begins a connection anew when that has closed",
      failing({ _tag: "Closed" }, "NotSent"),
      list,
      1
    ],
    ["is not sent again into another session", failing({ _tag: "SessionExpired" }, "Unknown"), list, 1]
  ]
  for (const [title, answer, request, expected] of cases) {
    it.effect(`R-170 R-171 R-173 ${title}`, () =>
      Effect.map(times(answer, request), (count) => expect(count).toBe(expected))
    )
  }
  for (const [chance, first, second] of [
    [0, 500, 1_000],
    [0.999999, 1_000, 2_000]
  ] as const) {
    it.effect(`waits between half and all of a wait that doubles: ${first} ms, then ${second}`, () =>
      Effect.gen(function* () {
        const { send, sent } = session(() => unreachable)
        yield* Effect.forkChild(
          Effect.exit(layer({ attempts: 2, delay: 1000 })(send)(...list)).pipe(
            Effect.provideService(Random.Random, { nextDoubleUnsafe: () => chance, nextIntUnsafe: () => 0 })
          )
        )
        for (const [wait, before] of [
          [first, 1],
          [second, 2]
        ] as const) {
          yield* TestClock.adjust(wait - 1)
          expect(sent).toHaveLength(before)
          yield* TestClock.adjust(1)
          expect(sent).toHaveLength(before + 1)
        }
      })
    )
  }
  it.effect("waits as long as the server asks, unless that is longer than it may", () =>
    Effect.gen(function* () {
      const { send, sent } = session(() => status(503, 5_000))
      yield* Effect.forkChild(Effect.exit(layer({ total: "6 seconds" })(send)(...list)))
      yield* TestClock.adjust(4_999)
      expect(sent).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(sent).toHaveLength(2)
      yield* TestClock.adjust("10 minutes")
      expect(sent).toHaveLength(2)
    })
  )
  it.effect("is sent again within a budget that all share, which successes restore", () =>
    Effect.gen(function* () {
      let isDown = true
      const { send, sent } = session(() => (isDown ? unreachable : Effect.succeed({})))
      const retrying = layer({ attempts: 1, delay: 0 })(send)
      const one = Effect.exit(retrying(...list))
      yield* Effect.replicateEffect(one, 30)
      expect(sent).toHaveLength(40)
      isDown = false
      yield* Effect.replicateEffect(one, 21)
      isDown = true
      yield* Effect.replicateEffect(one, 5)
      expect(sent).toHaveLength(40 + 21 + 5 + 2)
    })
  )
  it.effect("is sent again though it is a tool, when the program says that it may run twice", () =>
    Effect.gen(function* () {
      expect(yield* times(broken, call, { mayRepeat: (tool) => tool === "t" })).toBe(3)
      expect(yield* times(broken, call, { mayRepeat: (tool) => tool !== "t" })).toBe(1)
    })
  )
  it("is told at once of a number of attempts that is none", () => {
    for (const attempts of [-1, 0.5, NaN]) expect(() => layer({ attempts })).toThrow("attempts")
  })
})
