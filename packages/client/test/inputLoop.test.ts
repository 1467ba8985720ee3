import { Answers, InputRequired, resume, roundOf, type RequestOptions, Tools, type Wait } from "@effective-mcp/client"
import { limits, Meta, RpcError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  type Act,
  begin,
  connect,
  discovered,
  error,
  inTurn,
  modern,
  pass,
  result,
  type Run,
  scripted
} from "./scripted.ts"

const form = {
  method: "elicitation/create",
  params: { message: "m", requestedSchema: { type: "object", properties: { n: { type: "integer", default: 1 } } } }
}
const roots = { method: "roots/list" }
const sampling = {
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 1 }
}

/** A result that asks for input. */
const asks = (inputRequests?: unknown, requestState?: unknown): Act =>
  result({
    resultType: "input_required",
    ...(inputRequests === undefined ? undefined : { inputRequests }),
    ...(requestState === undefined ? undefined : { requestState })
  })
const done = result({ resultType: "complete", content: [{ type: "text", text: "done" }] })
const finished = { resultType: "complete", content: [{ type: "text", text: "done" }] }

const serving = (...acts: readonly [Act, ...Array<Act>]) => scripted(modern({ "tools/call": inTurn(...acts) }))

/** The calls that a server was told, without what goes with every request. */
const callsOf = (run: Run) =>
  run.requests.flatMap(({ method, params = {} }) => {
    const { _meta, ...rest } = params
    return method === "server/discover" ? [] : [rest]
  })

const fills = Answers.form(() => Effect.succeed(Answers.accept({ n: 5 })))
const where = Answers.roots([{ uri: "file:///a" }])
const filled = { action: "accept", content: { n: 5 } }

const open = (server: ReturnType<typeof serving>, ...answers: ReadonlyArray<Answers.Answer>) =>
  connect(server, { answers })

const required = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (failure) => {
    if (!(failure instanceof InputRequired)) throw failure
    return failure
  })

describe("a call that is answered with questions", () => {
  it.effect("R-101 is made again, with a new id, the same params, the answers and the state as it came", () =>
    Effect.gen(function* () {
      const state = ' {"a":"\u2028\u{1f600}'
      const server = serving(asks({ a: form, b: roots }, state), asks({ c: form }), done)
      const args = { x: { y: [1] } }
      expect(yield* Tools.call(yield* open(server, fills, where), "t", args)).toEqual(finished)
      const asked = { name: "t", arguments: args }
      expect(callsOf(server.run)).toEqual([
        asked,
        { ...asked, inputResponses: { a: filled, b: { roots: [{ uri: "file:///a" }] } }, requestState: state },
        { ...asked, inputResponses: { c: filled } }
      ])
      const ids = server.run.requests.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { id, params } of server.run.requests) expect(Meta.of(params).progressToken).toBe(id)
      expect(args).toEqual({ x: { y: [1] } })
    })
  )
  it.effect("FEA-12 a no is an answer as well", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form }), done)
      yield* Tools.call(
        yield* open(
          server,
          Answers.form(() => Effect.succeed(Answers.decline))
        ),
        "t"
      )
      expect(callsOf(server.run)[1]).toMatchObject({ inputResponses: { a: { action: "decline" } } })
    })
  )
  it.effect("tells its host which call asks, and under which key", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form }), done)
      const seen: Array<unknown> = []
      const looks = Answers.form((_, asked) =>
        Effect.as(
          Effect.sync(() => seen.push(asked)),
          Answers.decline
        )
      )
      yield* Tools.call(yield* open(server, looks), "t")
      expect(seen).toEqual([{ call: { method: "tools/call", id: server.run.requests[1]?.id }, key: "a" }])
    })
  )
  it.effect("R-100 may be any of three; anything else that is answered so breaks its revision", () =>
    Effect.gen(function* () {
      const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }
      const methods = {
        "resources/read": { contents: [] },
        "prompts/get": { messages: [] }
      }
      const script = {
        "server/discover": discovered({ capabilities }),
        ...Object.fromEntries(
          Object.entries(methods).map(([method, value]) => [
            method,
            inTurn(asks({ a: form }), result({ ...value, ttlMs: 0, cacheScope: "private" }))
          ])
        ),
        ...Object.fromEntries(
          ["tools/list", "resources/list", "prompts/list", "completion/complete"].map((method) => [
            method,
            asks({ a: form })
          ])
        )
      }
      const client = yield* connect(scripted(modern(script)), { answers: [fills] })
      yield* client.request("resources/read", { uri: "a:b" })
      yield* client.request("prompts/get", { name: "p" })
      for (const method of ["tools/list", "resources/list", "prompts/list"] as const)
        expect(yield* Effect.flip(client.request(method, {}))).toMatchObject({ _tag: "Violation", method })
    })
  )
  const broken: ReadonlyArray<readonly [string, unknown, unknown]> = [
    ["neither questions nor a state", undefined, undefined],
    ["no question, and no state", {}, undefined],
    ["questions that are a list", [form], undefined],
    ["a question that is null", { a: null }, "s"],
    ["a question without a method", { a: {} }, "s"],
    ["a state that is a number", { a: form }, 5]
  ]
  for (const [what, requests, state] of broken) {
    it.effect(`with ${what} is answered with a violation`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Tools.call(yield* open(serving(asks(requests, state)), fills), "t"))
        expect(failure).toMatchObject({ _tag: "Violation", method: "tools/call" })
      })
    )
  }
  it.effect("R-102 C-30 is made again ten times at the most", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form }, "s"))
      const failure = yield* required(Tools.call(yield* open(server, fills), "t"))
      expect(failure).toMatchObject({
        reason: { _tag: "TooManyRounds", limit: 10 },
        outcome: "Unknown",
        round: { round: 10 }
      })
      expect(callsOf(server.run).length).toBe(11)
    })
  )
})

describe("questions that have no answer", () => {
  const cases: ReadonlyArray<readonly [string, unknown, string]> = [
    ["R-106 of a method that there is not", { method: "tools/list" }, "UnknownQuestion"],
    ["R-106 of a method that objects have", { method: "__proto__" }, "UnknownQuestion"],
    ["C-31 that nothing was registered for", sampling, "NoAnswer"],
    [
      "in a mode that was not declared",
      { ...form, params: { mode: "url", message: "m", url: "https://x.y" } },
      "NotDeclared"
    ],
    ["with params that are none", { ...form, params: [] }, "Malformed"]
  ]
  for (const [what, question, why] of cases) {
    it.effect(`${what} fail the call before anybody is asked anything`, () =>
      Effect.gen(function* () {
        let asked = 0
        const counts = Answers.form(() =>
          Effect.as(
            Effect.sync(() => asked++),
            Answers.decline
          )
        )
        const server = serving(asks({ a: form, b: question }, "s"))
        const failure = yield* required(Tools.call(yield* open(server, counts), "t"))
        expect(failure.reason).toMatchObject({ _tag: "Unanswered", key: "b", why })
        expect(failure.round).toMatchObject({
          inputRequests: { a: form, b: question },
          requestState: "s",
          inputResponses: {}
        })
        expect(failure.result).toMatchObject({ resultType: "input_required" })
        expect(asked).toBe(0)
        expect(callsOf(server.run).length).toBe(1)
      })
    )
  }
  it.effect("R-108 because tools were not declared fail before the model is asked", () =>
    Effect.gen(function* () {
      const never = Answers.sample(() => Effect.die("asked"))
      const tools = { ...sampling, params: { ...sampling.params, tools: [] } }
      const failure = yield* required(Tools.call(yield* open(serving(asks({ a: tools })), never), "t"))
      expect(failure.reason).toMatchObject({ why: "NotDeclared" })
    })
  )
  for (const [what, run, why] of [
    ["refuses", () => Effect.fail(new RpcError({ code: -1, message: "no" })), "Refused"],
    ["fails", () => Effect.fail("x"), "Failed"],
    ["dies", () => Effect.die("x"), "Failed"],
    ["gives back what is no object", () => Effect.succeed("x" as never), "Unfit"]
  ] as const) {
    it.effect(`R-106 because the host ${what} fail the call, and nothing of it is sent`, () =>
      Effect.gen(function* () {
        const server = serving(asks({ a: form }))
        const failure = yield* required(Tools.call(yield* open(server, Answers.form(run)), "t"))
        expect(failure.reason).toMatchObject({ _tag: "Unanswered", key: "a", method: form.method, why })
        expect(callsOf(server.run).length).toBe(1)
      })
    )
  }
  it.effect("because there are thousands of them fail the call; few were asked at once", () =>
    Effect.gen(function* () {
      let [now, most] = [0, 0]
      const slow = Answers.form(() =>
        Effect.suspend(() => {
          most = Math.max(most, ++now)
          return Effect.ensuring(
            Effect.never,
            Effect.sync(() => now--)
          )
        })
      )
      const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`q${i}`, form]))
      const failure = yield* required(Tools.call(yield* open(serving(asks(many)), slow), "t"))
      expect(failure.reason).toMatchObject({ why: "TooMany" })
      expect(most).toBe(limits.questions)
      expect(now).toBe(0)
    })
  )
  it.effect("in 600 s fail the call; its own time has not run", () =>
    Effect.gen(function* () {
      const client = yield* open(
        serving(asks({ a: form })),
        Answers.form(() => Effect.never)
      )
      const call = yield* begin(required(Tools.call(client, "t")))
      yield* TestClock.adjust(limits.questionMs - 1)
      expect(call.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(call)).reason).toMatchObject({ why: "TimedOut" })
    })
  )
})

describe("a call that has failed between its rounds", () => {
  it.effect("R-105 R-107 goes on with what was answered; nobody is asked twice", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form, b: sampling }, "s"), done)
      let asked = 0
      let isBusy = true
      const counts = Answers.form(() =>
        Effect.as(
          Effect.sync(() => asked++),
          Answers.accept({ n: 5 })
        )
      )
      const said = { role: "assistant", content: { type: "text", text: "Ho" }, model: "m" } as const
      const busy = Answers.sample(() =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.suspend(() => (isBusy ? Effect.fail("busy") : Effect.succeed(said)))
        )
      )
      const client = yield* open(server, counts, busy)
      const failure = yield* required(Tools.call(client, "t", { x: 1 }))
      expect(failure.round.inputResponses).toEqual({ a: filled })
      isBusy = false
      expect(yield* resume(client, failure)).toEqual(finished)
      expect(asked).toBe(1)
      expect(callsOf(server.run)[1]).toEqual({
        name: "t",
        arguments: { x: 1 },
        inputResponses: { a: filled, b: said },
        requestState: "s"
      })
    })
  )
  it.effect("C-31 goes on with answers that are given by hand", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form, b: sampling }, "s"), done)
      const client = yield* open(server, fills)
      const failure = yield* required(Tools.call(client, "t"))
      const b = { role: "assistant", content: { type: "text", text: "Ho" }, model: "m" }
      expect(yield* resume(client, failure, { inputResponses: { b } })).toEqual(finished)
      expect(callsOf(server.run)[1]).toMatchObject({ inputResponses: { a: filled, b }, requestState: "s" })
    })
  )
  it.effect("R-105 R-109 because its next request failed goes on from there", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form }, "s"), error(-32000), done)
      let asked = 0
      const counts = Answers.form(() =>
        Effect.as(
          Effect.sync(() => asked++),
          Answers.accept({ n: 5 })
        )
      )
      const client = yield* open(server, counts)
      const failure = yield* Effect.flip(Tools.call(client, "t"))
      expect(failure).toMatchObject({ _tag: "RpcError", code: -32000 })
      expect(roundOf(failure)).toMatchObject({ inputResponses: { a: filled }, requestState: "s", round: 1 })
      expect(yield* resume(client, failure)).toEqual(finished)
      expect(asked).toBe(1)
      expect(callsOf(server.run)[2]).toEqual(callsOf(server.run)[1])
    })
  )
  it.effect("R-109 that may be sent again is, from where it stood: nobody is asked twice", () =>
    Effect.gen(function* () {
      const capabilities = { resources: {} }
      const read = result({ resultType: "complete", contents: [], ttlMs: 0, cacheScope: "private" })
      const script = (...acts: readonly [Act, ...Array<Act>]) =>
        modern({ "server/discover": discovered({ capabilities }), "resources/read": inTurn(...acts) })
      const server = scripted(
        script(asks({ a: form }, "s"), (_, run) => run.die()),
        script(read)
      )
      let asked = 0
      const counts = Answers.form(() =>
        Effect.as(
          Effect.sync(() => asked++),
          Answers.accept({ n: 5 })
        )
      )
      const client = yield* connect(server, { answers: [counts], recover: { uptime: 0 } })
      const reading = yield* begin(client.request("resources/read", { uri: "a:b" }))
      yield* pass(10)
      expect(yield* Fiber.join(reading)).toMatchObject({ contents: [] })
      expect(asked).toBe(1)
      expect(callsOf(server.run)).toEqual([{ uri: "a:b", inputResponses: { a: filled }, requestState: "s" }])
    })
  )
  it.effect("R-180 keeps the error of the wire, as its own", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form }, "s"), (_, run) => run.die())
      const client = yield* open(server, fills)
      const failure = yield* Effect.flip(Tools.call(client, "t"))
      expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" } })
      expect(roundOf(failure)).toMatchObject({ inputResponses: { a: filled } })
      expect(roundOf(yield* Effect.flip(Tools.call(client, "t")))).toBe(undefined)
    })
  )
  it.effect("an error that has no round is given back", () =>
    Effect.gen(function* () {
      const client = yield* open(serving(error(-32000)))
      const failure = yield* Effect.flip(Tools.call(client, "t"))
      expect(yield* Effect.flip(resume(client, failure))).toBe(failure)
    })
  )
})

describe("a call that is driven by hand", () => {
  it.effect("C-31 fails with what was asked, and brings what it is given", () =>
    Effect.gen(function* () {
      const server = serving(asks({ a: form }, "s"), asks({ b: form }, "t"), done)
      const client = yield* open(
        server,
        Answers.form(() => Effect.die("asked"))
      )
      const options = { input: "manual" } as const
      const first = yield* required(Tools.call(client, "t", {}, options))
      expect(first).toMatchObject({
        reason: { _tag: "Manual" },
        round: { inputRequests: { a: form }, requestState: "s" }
      })
      const inputResponses = { a: { action: "decline" } }
      const second = yield* required(Tools.call(client, "t", {}, { ...options, inputResponses, requestState: "s" }))
      expect(callsOf(server.run)[1]).toEqual({ name: "t", arguments: {}, inputResponses, requestState: "s" })
      expect(yield* resume(client, second, { ...options, inputResponses: { b: filled } })).toEqual(finished)
      expect(callsOf(server.run)[2]).toMatchObject({ inputResponses: { b: filled }, requestState: "t" })
    })
  )
})

describe("a server that only wants to be asked again", () => {
  const waits = Effect.fnUntraced(function* (options: RequestOptions, ...acts: readonly [Act, ...Array<Act>]) {
    const server = serving(...acts)
    const client = yield* open(server)
    const call = yield* begin(Effect.exit(Tools.call(client, "t", {}, options)))
    return { server, call, count: () => callsOf(server.run).length }
  })
  it.effect("R-103 is asked after 0.5 s, then after ever more, up to 5 s", () =>
    Effect.gen(function* () {
      const { count, server } = yield* waits({}, asks(undefined, "s"))
      let made = 1
      for (const delay of [500, 1000, 2000, 4000, 5000, 5000]) {
        yield* TestClock.adjust(delay - 1)
        expect(count()).toBe(made)
        yield* TestClock.adjust(1)
        expect(count()).toBe(++made)
      }
      expect(callsOf(server.run).at(-1)).toEqual({ name: "t", arguments: {}, requestState: "s" })
    })
  )
  it.effect("R-103 is not waited for longer than a request may take", () =>
    Effect.gen(function* () {
      const { call, count } = yield* waits({ timeout: "2 seconds" }, asks(undefined, "s"))
      yield* TestClock.adjust("2 seconds")
      expect(count()).toBe(4)
      expect(yield* Fiber.join(call)).toMatchObject({
        cause: { reasons: [{ error: { reason: { _tag: "WaitedTooLong", afterMs: 2000 } } }] }
      })
    })
  )
  it.effect("R-104 the host may have it asked at once, or give up", () =>
    Effect.gen(function* () {
      const seen: Array<Wait> = []
      const steer = (said: "retry" | "cancel" | void) => (wait: Wait) =>
        Effect.as(
          Effect.sync(() => void seen.push(wait)),
          said
        )
      const eager = yield* waits({ onWait: steer("retry") }, asks(undefined, "s"), asks(undefined, "t"), done)
      expect(yield* Fiber.join(eager.call)).toMatchObject({ value: finished })
      expect(seen).toMatchObject([
        { method: "tools/call", round: 1, delayMs: 500, elapsedMs: 0, requestState: "s" },
        { round: 2, delayMs: 1000, requestState: "t", result: { resultType: "input_required" } }
      ])
      const tired = yield* waits({ onWait: steer("cancel") }, asks(undefined, "s"), done)
      expect(yield* Fiber.join(tired.call)).toMatchObject({
        cause: { reasons: [{ error: { reason: { _tag: "GivenUp" } } }] }
      })
      const patient = yield* waits({ onWait: steer(undefined) }, asks(undefined, "s"), done)
      yield* TestClock.adjust(499)
      expect(patient.count()).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(patient.call)).toMatchObject({ value: finished })
    })
  )
})

describe("the time of a call", () => {
  it.effect("in all is that of all its requests, without its questions", () =>
    Effect.gen(function* () {
      const slow = Answers.form(() => Effect.delay(Effect.succeed(Answers.accept({ n: 5 })), "300 seconds"))
      const silent: Act = () => {}
      const client = yield* open(serving(asks({ a: form }), silent), slow)
      const call = yield* begin(
        Effect.flip(Tools.call(client, "t", {}, { timeout: "60 seconds", totalTimeout: "50 seconds" }))
      )
      yield* TestClock.adjust("300 seconds")
      yield* TestClock.adjust(49_999)
      expect(call.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(call)).toMatchObject({ reason: { _tag: "TimedOut" } })
    })
  )
  it.effect("R-110 who keeps results hears of each round", () =>
    Effect.gen(function* () {
      const rounds: Array<unknown> = []
      const client = yield* open(serving(asks({ a: form }, "s"), done), fills)
      yield* Tools.call(client, "t", {}, { onRound: (round) => rounds.push(round) })
      expect(rounds).toMatchObject([
        { method: "tools/call", round: 1, inputResponses: { a: filled }, requestState: "s" }
      ])
    })
  )
})
