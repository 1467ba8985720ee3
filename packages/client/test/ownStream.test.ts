import { Answers, Client, Tools } from "@effective-mcp/client"
import { type Connection, JsonRpc, legacyRevisions, limits } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { make as makeQuestions, noClock } from "../src/answers/Questions.ts"
import { type Call, make as makeAsked } from "../src/era/asked.ts"
import { hostOf } from "../src/Host.ts"
import { begin, info } from "./scripted.ts"

/** A wire that tells which call a question belongs to, as legacy HTTP does; what it was sent is kept. */
const telling = Effect.fnUntraced(function* (exchange: Connection["exchange"]) {
  const incoming = yield* Queue.unbounded<JsonRpc.Request | JsonRpc.Notification>()
  const sent = yield* Queue.unbounded<JsonRpc.Message>()
  const capabilities = { tools: {} }
  const opened = { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s", version: "1" } }
  const connection: Connection = {
    exchange: (request, listener) =>
      request.method === "initialize"
        ? Effect.succeed(JsonRpc.success(request.id, opened))
        : exchange(request, listener),
    send: (message) => Effect.asVoid(Queue.offer(sent, message)),
    incoming: Effect.succeed(Queue.takeAll(incoming))
  }
  /** The next answer. */
  const answer: Effect.Effect<JsonRpc.Message> = Effect.flatMap(Queue.take(sent), (message) =>
    "method" in message ? answer : Effect.succeed(message)
  )
  return { connection, incoming, answer }
})

const question = (id: JsonRpc.RequestId) =>
  JsonRpc.request(id, "elicitation/create", { message: "m", requestedSchema: { type: "object", properties: {} } })

describe("a question on a call's own stream", () => {
  it.effect("is answered, and its host knows the call; what is reported meanwhile is heard", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const seen: Array<unknown> = []
      const { answer, connection } = yield* telling((request, listener) =>
        Effect.gen(function* () {
          yield* listener(JsonRpc.request("p", "ping"))
          yield* listener(question("q"))
          yield* listener(JsonRpc.notification("notifications/progress", { progressToken: request.id, progress: 1 }))
          yield* Deferred.await(go)
          return JsonRpc.success(request.id, { content: [] })
        })
      )
      const asks = Answers.form((_, asked) =>
        Effect.as(
          Effect.sync(() => seen.push(asked)),
          Answers.accept()
        )
      )
      const client = yield* Client.connect(Effect.succeed(connection), info, { answers: [asks], era: "legacy" })
      const onProgress = () => void seen.push("progress")
      const call = yield* begin(Tools.call(client, "t", {}, { onProgress }))
      const answers = [yield* answer, yield* answer]
      expect(answers.map((message) => "id" in message && message.id)).toEqual(["p", "q"])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(call)
      expect(seen).toContainEqual({ call: { method: "tools/call", id: expect.anything() } })
      expect(seen).toContain("progress")
    })
  )
  it.effect("is no place for what is reported of another call, which is let pass and wins no time", () =>
    Effect.gen(function* () {
      const { connection } = yield* telling((_request, listener) =>
        Effect.andThen(
          Effect.forEach(
            [{ progressToken: "other" }, {}],
            (token) =>
              Effect.andThen(
                Effect.sleep("10 seconds"),
                listener(JsonRpc.notification("notifications/progress", { ...token, progress: 1 }))
              ),
            { discard: true }
          ),
          Effect.never
        )
      )
      const client = yield* Client.connect(Effect.succeed(connection), info, { era: "legacy" })
      const seen: Array<unknown> = []
      const call = yield* begin(Effect.flip(Tools.call(client, "t", {}, { onProgress: (one) => void seen.push(one) })))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(call)).toMatchObject({ reason: { _tag: "TimedOut" } })
      expect(seen).toEqual([])
    })
  )
  it.effect("stops the time of that call alone", () =>
    Effect.gen(function* () {
      const { connection } = yield* telling((request, listener) =>
        Effect.andThen(request.params?.name === "asks" ? listener(question("q")) : Effect.void, Effect.never)
      )
      const asks = Answers.form(() => Effect.never)
      const client = yield* Client.connect(Effect.succeed(connection), info, { answers: [asks], era: "legacy" })
      const asking = yield* begin(Effect.flip(Tools.call(client, "asks")))
      const other = yield* begin(Effect.flip(Tools.call(client, "other")))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(other)).toMatchObject({ reason: { _tag: "TimedOut" } })
      yield* TestClock.adjust(limits.questionMs - 30_000)
      expect(asking.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(asking)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 30_000 } })
    })
  )
  const endings: ReadonlyArray<readonly [string, boolean]> = [
    ["ends with the call", true],
    ["can be withdrawn, there or elsewhere", false]
  ]
  for (const [what, ends] of endings) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const [begun, gone] = [yield* Queue.unbounded<void>(), yield* Queue.unbounded<void>()]
        const cancel = (id: string) => JsonRpc.notification("notifications/cancelled", { requestId: id })
        const { connection, incoming } = yield* telling((request, listener): Effect.Effect<JsonRpc.Response> =>
          Effect.gen(function* () {
            yield* listener(question("q"))
            yield* Queue.take(begun)
            if (ends) return JsonRpc.success(request.id, { content: [] })
            yield* listener(cancel("q"))
            yield* Queue.take(gone)
            yield* listener(question("r"))
            yield* Queue.take(begun)
            yield* Queue.offer(incoming, cancel("r"))
            yield* Queue.take(gone)
            return JsonRpc.success(request.id, { content: [] })
          })
        )
        const asks = Answers.form(() =>
          Effect.onInterrupt(Effect.andThen(Queue.offer(begun, undefined), Effect.never), () =>
            Queue.offer(gone, undefined)
          )
        )
        const client = yield* Client.connect(Effect.succeed(connection), info, { answers: [asks], era: "legacy" })
        yield* Tools.call(client, "t")
        if (ends) yield* Queue.take(gone)
      })
    )
  }
  it.effect("what is logged there is that call's", () =>
    Effect.gen(function* () {
      const log = { level: "info", data: { a: 1 } }
      const { connection } = yield* telling((request, listener) =>
        Effect.gen(function* () {
          yield* listener(JsonRpc.notification("notifications/message", log))
          yield* listener(JsonRpc.notification("notifications/message", { level: "loud" }))
          return JsonRpc.success(request.id, { content: [] })
        })
      )
      const client = yield* Client.connect(Effect.succeed(connection), info, { era: "legacy" })
      const seen: Array<unknown> = []
      yield* Tools.call(client, "t", {}, { onLog: (message) => void seen.push(message) })
      expect(seen).toEqual([log])
    })
  )
})

describe("what is remembered of questions on a call's own stream", () => {
  /** Questions of a call, put straight to what answers them, over a wire that takes answers only once `flow` completes. */
  const asking = Effect.fnUntraced(function* (answers: ReadonlyArray<Answers.Answer>, flow: Effect.Effect<void>) {
    const sent = yield* Queue.unbounded<JsonRpc.Message>()
    const host = hostOf(answers)
    const connection: Connection = {
      exchange: () => Effect.never,
      send: (message) => Effect.andThen(flow, Effect.asVoid(Queue.offer(sent, message))),
      incoming: Effect.succeed(Effect.never)
    }
    const asked = yield* makeAsked(connection, host, makeQuestions(host.answers), noClock)
    asked.speak(legacyRevisions[0])
    let end = (): void => {}
    const pulse = { alive: () => {}, hold: () => {}, ...noClock, onEnd: (hear: () => void) => void (end = hear) }
    const call: Call = { method: "tools/call", id: 1, pulse, questions: undefined }
    return { call, sent, end: () => end(), hear: (request: JsonRpc.Request) => asked.hear(call, request) }
  })
  const turns = Effect.repeat(Effect.yieldNow, { times: 50 })
  const waits = Answers.form(() => Effect.never)

  it.effect("is nothing of those that are refused, though nobody reads that", () =>
    Effect.gen(function* () {
      const { call, hear } = yield* asking([waits], Effect.never)
      for (let n = 0; n < 2_000; n++) {
        const sent = yield* begin(hear(JsonRpc.request(`q${n}`, n % 2 === 0 ? "no/such" : "sampling/createMessage")))
        yield* Effect.yieldNow
        if (n % 500 === 0) yield* TestClock.adjust("2 seconds")
        expect(call.questions?.open.size).toBe(0)
        yield* Fiber.interrupt(sent)
      }
    })
  )
  it.effect("is at most 64 of one call; the next is refused", () =>
    Effect.gen(function* () {
      const { call, hear, sent } = yield* asking([waits], Effect.void)
      for (let n = 0; n <= limits.callQuestions; n++) yield* hear(question(n))
      expect(yield* Queue.take(sent)).toMatchObject({ id: limits.callQuestions, error: { code: -32603 } })
      expect(call.questions?.open.size).toBe(limits.callQuestions)
    })
  )
  it.effect("is none with an id that is too long, which is refused", () =>
    Effect.gen(function* () {
      const { call, hear, sent } = yield* asking([waits], Effect.void)
      yield* hear(question("x".repeat(limits.questionIdLength + 1)))
      expect(yield* Queue.take(sent)).toMatchObject({ error: { code: -32600 } })
      yield* hear(question("x".repeat(limits.questionIdLength)))
      yield* turns
      expect(call.questions?.open.size).toBe(1)
    })
  )
  it.effect("is gone with its answer, and with its call, which is all that is withdrawn then", () =>
    Effect.gen(function* () {
      const go = yield* Queue.unbounded<void>()
      const asks = Answers.form(() => Effect.as(Queue.take(go), Answers.accept()))
      const { call, end, hear, sent } = yield* asking([asks], Effect.void)
      for (const id of ["a", "b"]) yield* hear(question(id))
      yield* turns
      yield* Queue.offer(go, undefined)
      expect(yield* Queue.take(sent)).toMatchObject({ id: "a", result: { action: "accept" } })
      yield* turns
      expect([...(call.questions?.open ?? [])]).toEqual(["b"])
      end()
      yield* turns
      expect(call.questions?.open.size).toBe(0)
      yield* hear(question("late"))
      yield* turns
      expect([call.questions?.open.size, yield* Queue.size(sent)]).toEqual([0, 0])
    })
  )
})
