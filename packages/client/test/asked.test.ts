import { Answers, type Client, Tools } from "@effective-mcp/client"
import { JsonRpc, legacyRevisions, limits, RpcError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as TestClock from "effect/testing/TestClock"
import { begin, connect, initialized, legacy, Log, result, type Run, scripted, silence } from "./scripted.ts"

const RESPONSE = "a response"

/** What was answered to the n-th question. */
const answerOf = (run: Run, id: JsonRpc.RequestId): unknown =>
  run.heard.flatMap((message) =>
    !("method" in message) && message.id === id ? [JsonRpc.isSuccess(message) ? message.result : message.error] : []
  )[0]

/** Asks, and waits for the answer. */
const ask = Effect.fnUntraced(function* (run: Run, method: string, params?: JsonRpc.JsonObject) {
  const count = run.methods.filter((heard) => heard === RESPONSE).length
  run.say(JsonRpc.request(`q${count}`, method, params))
  yield* run.told(RESPONSE, count + 1)
  return answerOf(run, `q${count}`)
})

const of = (version: string) => scripted(legacy({ initialize: initialized({ protocolVersion: version }) }))

const options = (...answers: ReadonlyArray<Answers.Answer>): Client.Options => ({ era: "legacy", answers })

const accepts = Answers.form(() => Effect.succeed(Answers.accept({ n: 1 })))
const said = { role: "assistant", content: { type: "text", text: "Ho" }, model: "m" } as const
const samples = Answers.sample(() => Effect.succeed(said))
const roots = Answers.roots([{ uri: "file:///a" }])
const goes = Answers.url(() => Effect.succeed(Answers.accept()))

const form = { message: "m", requestedSchema: { type: "object", properties: { n: { type: "integer" } } } }
const page = { mode: "url", message: "m", url: "https://example.com/x", elicitationId: "e1" }
const hi = { role: "user", content: { type: "text", text: "Hi" } }
const sampling = { messages: [hi], maxTokens: 1 }
const use = { role: "assistant", content: [{ type: "tool_use", id: "u", name: "t", input: {} }] }
const given = { type: "tool_result", toolUseId: "u", content: [] }

describe("what a host declares", () => {
  const declared = (...answers: ReadonlyArray<Answers.Answer>) =>
    Effect.gen(function* () {
      const server = of("2025-11-25")
      yield* connect(server, options(...answers))
      return server.run.requests[0]?.params?.capabilities
    })
  it.effect("R-147 is what it answers, and nothing else", () =>
    Effect.gen(function* () {
      const changing = yield* SubscriptionRef.make([{ uri: "file:///a" }])
      const run = () => Effect.succeed(said)
      expect(yield* declared()).toEqual({})
      expect(yield* declared(accepts)).toEqual({ elicitation: { form: {} } })
      expect(yield* declared(goes)).toEqual({ elicitation: { url: {} } })
      expect(yield* declared(accepts, goes)).toEqual({ elicitation: { form: {}, url: {} } })
      expect(yield* declared(samples)).toEqual({ sampling: {} })
      expect(yield* declared(Answers.sample(run, { tools: true, context: true }))).toEqual({
        sampling: { tools: {}, context: {} }
      })
      expect(yield* declared(roots)).toEqual({ roots: {} })
      expect(yield* declared(Answers.roots(changing))).toEqual({ roots: { listChanged: true } })
    })
  )
})

describe("a question of a legacy server", () => {
  for (const { questions, version } of legacyRevisions) {
    it.effect(`on ${version} is answered where that revision has it`, () =>
      Effect.gen(function* () {
        const server = of(version)
        yield* connect(server, options(accepts, samples, roots))
        expect(yield* ask(server.run, "ping")).toEqual({})
        expect(yield* ask(server.run, "roots/list")).toEqual({ roots: [{ uri: "file:///a" }] })
        expect(yield* ask(server.run, "sampling/createMessage", sampling)).toEqual(said)
        const hasForms = questions["elicitation/create"] !== undefined
        expect(yield* ask(server.run, "elicitation/create", form)).toMatchObject(
          hasForms ? { action: "accept", content: { n: 1 } } : { code: -32601 }
        )
      })
    )
  }
  it.effect("that nothing answers is refused, and so is one that is none", () =>
    Effect.gen(function* () {
      const server = of("2025-11-25")
      yield* connect(server, options())
      for (const method of ["roots/list", "sampling/createMessage", "elicitation/create", "tools/list", "__proto__"])
        expect(yield* ask(server.run, method, form)).toMatchObject({ code: -32601 })
    })
  )
  const wrong: ReadonlyArray<readonly [string, Answers.Answer, string, JsonRpc.JsonObject]> = [
    ["FEA-12 in a mode that was not declared", accepts, "elicitation/create", page],
    ["FEA-12 with a form where only pages were declared", goes, "elicitation/create", form],
    ["in a mode that there is not", accepts, "elicitation/create", { ...form, mode: "voice" }],
    [
      "with a nested form",
      accepts,
      "elicitation/create",
      { ...form, requestedSchema: { type: "object", properties: { a: { type: "object" } } } }
    ],
    ["with a page that is no web address", goes, "elicitation/create", { ...page, url: "javascript:alert(1)" }],
    ...["\u0000", "\n", "\u007f", "\u0085", "\u061c", "\u202e", "\u2066"].map(
      (character) =>
        [
          `with a page whose address has ${JSON.stringify(character)} in it`,
          goes,
          "elicitation/create",
          { ...page, url: `https://example.com/${character}moc` }
        ] as const
    ),
    ["with a page that is no address", goes, "elicitation/create", { ...page, url: "x" }],
    ["without messages", samples, "sampling/createMessage", { maxTokens: 1 }],
    ["R-108 with tools that were not declared", samples, "sampling/createMessage", { ...sampling, tools: [] }],
    [
      "R-108 with a choice of tools that were not declared",
      samples,
      "sampling/createMessage",
      { ...sampling, toolChoice: {} }
    ],
    [
      "with a tool result that answers nothing",
      samples,
      "sampling/createMessage",
      { ...sampling, messages: [{ role: "user", content: given }] }
    ],
    [
      "with a tool use that nothing answers",
      samples,
      "sampling/createMessage",
      { ...sampling, messages: [hi, use, hi] }
    ],
    [
      "with a tool result among other things",
      samples,
      "sampling/createMessage",
      { ...sampling, messages: [hi, use, { role: "user", content: [given, hi.content] }] }
    ]
  ]
  for (const [what, answer, method, params] of wrong) {
    it.effect(`${what} is refused before anybody is asked`, () =>
      Effect.gen(function* () {
        let asked = 0
        const counting = { ...answer, run: () => Effect.sync(() => void asked++) } as unknown as Answers.Answer // cast: never run
        const server = of("2025-11-25")
        yield* connect(server, options(counting))
        expect(yield* ask(server.run, method, params)).toMatchObject({ code: -32602 })
        expect(asked).toBe(0)
      })
    )
  }
  it.effect("passes on a wish for the context of servers only to a host that declared it", () =>
    Effect.gen(function* () {
      for (const context of [false, true]) {
        const seen: Array<unknown> = []
        const samples = Answers.sample(
          (params) =>
            Effect.sync(() => {
              seen.push(params.includeContext)
              return said
            }),
          { context }
        )
        const server = of("2025-11-25")
        yield* connect(server, options(samples))
        for (const includeContext of ["none", "thisServer", "allServers"])
          expect(yield* ask(server.run, "sampling/createMessage", { ...sampling, includeContext })).toEqual(said)
        expect(seen).toEqual(context ? ["none", "thisServer", "allServers"] : ["none", undefined, undefined])
      }
    })
  )
  it.effect("C-32 R-106 is refused in the host's words where it chose them, and in none where it failed", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const refuse = new RpcError({ code: -1, message: "User rejected", data: { by: "me" } })
      const of = (run: () => Effect.Effect<never, unknown>) => Answers.sample(run)
      const ways = [
        of(() => Effect.fail(new Error("secret"))),
        of(() => Effect.die("secret")),
        of(() => {
          throw new Error("secret")
        }),
        Answers.sample(() => Effect.succeed("secret" as never)),
        Answers.sample(() =>
          Effect.succeed({ ...said, content: { type: "tool_use", id: "1", name: "secret", input: {} } })
        )
      ]
      const server = scripted(legacy())
      yield* connect(server, options(of(() => Effect.fail(refuse))))
      expect(yield* ask(server.run, "sampling/createMessage", sampling)).toEqual(refuse.toObject())
      for (const way of ways) {
        const server = scripted(legacy())
        yield* connect(server, options(way))
        expect(yield* ask(server.run, "sampling/createMessage", sampling)).toEqual({
          code: -32603,
          message: "Internal error"
        })
      }
      expect(log.lines.length).toBe(ways.length)
    }).pipe(Effect.provide(log.layer))
  })
  const unfit: ReadonlyArray<readonly [string, JsonRpc.JsonObject, { readonly [name: string]: string | number }]> = [
    ["another type", { n: { type: "integer" } }, { n: "x" }],
    ["a number over its maximum", { n: { type: "number", maximum: 3 } }, { n: 4 }],
    ["a value that is none of those", { n: { type: "string", enum: ["a"] } }, { n: "b" }],
    ["nothing for a field that is required", { n: { type: "string" } }, {}]
  ]
  for (const [what, properties, content] of unfit) {
    it.effect(`with a form that is filled in with ${what} gets no answer of it`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy())
        yield* connect(server, options(Answers.form(() => Effect.succeed(Answers.accept(content)))))
        const requestedSchema = { type: "object", properties, required: ["n"] }
        expect(yield* ask(server.run, "elicitation/create", { message: "m", requestedSchema })).toEqual({
          code: -32603,
          message: "Internal error"
        })
      })
    )
  }
  it.effect("FEA-12 passes every kind of choice through unchanged, and content that nobody asked for not at all", () =>
    Effect.gen(function* () {
      const properties = {
        old: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"], default: "a" },
        titled: { type: "string", oneOf: [{ const: "a", title: "A" }], default: "a" },
        some: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] }, default: ["a"] },
        number: { type: "number", default: 1.5 },
        yes: { type: "boolean", default: false },
        __proto__x: { type: "string" }
      }
      const seen: Array<unknown> = []
      const form = Answers.form(({ requestedSchema }) =>
        Effect.sync(() => {
          seen.push(requestedSchema)
          return Answers.accept({ more: "x" })
        })
      )
      const requestedSchema = { type: "object", properties }
      const server = scripted(legacy())
      yield* connect(server, options(form))
      expect(yield* ask(server.run, "elicitation/create", { message: "m", requestedSchema })).toEqual({
        action: "accept",
        content: { old: "a", titled: "a", some: ["a"], number: 1.5, yes: false }
      })
      expect(seen).toEqual([requestedSchema])
    })
  )
  it.effect("has 600 s, and its call's time stands still meanwhile", () =>
    Effect.gen(function* () {
      let isDone = false
      const form = Answers.form(() => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (isDone = true))))
      const server = scripted(legacy({ "tools/call": silence }))
      const client = yield* connect(server, options(form))
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      yield* TestClock.adjust("20 seconds")
      server.run.say(JsonRpc.request("q0", "elicitation/create", form_))
      yield* TestClock.adjust(limits.questionMs - 1)
      expect(isDone).toBe(false)
      const late = yield* begin(Effect.flip(Tools.call(client, "t")))
      yield* TestClock.adjust(1)
      yield* server.run.told(RESPONSE)
      expect(isDone).toBe(true)
      expect(answerOf(server.run, "q0")).toMatchObject({ code: -32603 })
      yield* TestClock.adjust(9_999)
      expect(call.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(call)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 30_000 } })
      yield* TestClock.adjust(19_999)
      expect(late.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      yield* Fiber.join(late)
    })
  )
  it.effect("that is withdrawn is not answered, and time goes on", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const form = Answers.form(() => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      const server = scripted(legacy({ "tools/call": silence }))
      const client = yield* connect(server, options(form))
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      server.run.say(JsonRpc.request("q0", "elicitation/create", form_))
      yield* Deferred.await(begun)
      server.run.say(JsonRpc.notification("notifications/cancelled", { requestId: "q0" }))
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(call)
      expect(server.run.methods).not.toContain(RESPONSE)
    })
  )
})

const form_ = form

describe("roots that change", () => {
  it.effect("are told to a legacy server, once a turn", () =>
    Effect.gen(function* () {
      const changed = "notifications/roots/list_changed"
      const ref = yield* SubscriptionRef.make([{ uri: "file:///a" }])
      const server = scripted(legacy())
      yield* connect(server, options(Answers.roots(ref)))
      expect(server.run.methods).not.toContain(changed)
      yield* SubscriptionRef.set(ref, [{ uri: "file:///b" }])
      yield* server.run.told(changed)
      expect(yield* ask(server.run, "roots/list")).toEqual({ roots: [{ uri: "file:///b" }] })
      yield* SubscriptionRef.set(ref, [])
      yield* server.run.told(changed, 2)
    })
  )
})

describe("a page", () => {
  it.effect("is done when the server says so; ids that nobody knows are let pass", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<void>()
      const url = Answers.url((page) =>
        Effect.as(Effect.forkDetach(Effect.andThen(page.done, Deferred.succeed(done, undefined))), Answers.accept())
      )
      const server = scripted(legacy())
      yield* connect(server, options(url))
      expect(yield* ask(server.run, "elicitation/create", page)).toEqual({ action: "accept" })
      const complete = (elicitationId: unknown) =>
        server.run.say(JsonRpc.notification("notifications/elicitation/complete", { elicitationId }))
      for (const id of ["e2", 1, null, "__proto__"]) complete(id)
      expect(yield* ask(server.run, "ping")).toEqual({})
      expect(yield* Deferred.isDone(done)).toBe(false)
      complete("e1")
      yield* Deferred.await(done)
    })
  )
  it.effect("that an error asks for is typed, and shown as any other", () =>
    Effect.gen(function* () {
      const elicitations = [page, { ...page, elicitationId: "e2", url: "https://example.com/y" }]
      const refuse = (request: JsonRpc.Request, run: Run) =>
        run.say(JsonRpc.failure(request.id, { code: -32042, message: "no", data: { elicitations } }))
      const server = scripted(legacy({ "tools/call": refuse }))
      const seen: Array<string> = []
      const url = Answers.url(({ url }) =>
        Effect.as(
          Effect.sync(() => seen.push(url)),
          Answers.accept()
        )
      )
      const client = yield* connect(server, options(url))
      const error = yield* Effect.flip(Tools.call(client, "t"))
      if (error._tag !== "RpcError") return expect.unreachable()
      expect(Answers.pagesOf(error)?.map(({ elicitationId }) => elicitationId)).toEqual(["e1", "e2"])
      expect(yield* Answers.visit(client, error)).toBe(true)
      expect(seen).toEqual(["https://example.com/x", "https://example.com/y"])
      const other = new RpcError({ code: -32042, message: "no", data: { elicitations: [5] } })
      expect(Answers.pagesOf(other)).toBe(undefined)
      expect(yield* Answers.visit(client, other)).toBe(false)
    })
  )
})

describe("a flood of questions", () => {
  it.effect("CON-06 is answered 16 at a time, the rest refused beyond a bound; pings and calls go on", () =>
    Effect.gen(function* () {
      let [now, most] = [0, 0]
      const form = Answers.form(() =>
        Effect.ensuring(
          Effect.suspend(() => {
            most = Math.max(most, ++now)
            return Effect.as(Effect.sleep(50), Answers.accept())
          }),
          Effect.sync(() => now--)
        )
      )
      const server = scripted(legacy({ "tools/call": result({ content: [] }) }))
      const client = yield* connect(server, options(form))
      const { run } = server
      const count = 20_000
      run.stuck = true
      for (let n = 0; n < count; n += 100)
        run.say(
          ...Array.from({ length: 100 }, (_, i) => JsonRpc.request(`e${n + i}`, "elicitation/create", form_)),
          ...Array.from({ length: 100 }, (_, i) => JsonRpc.request(`p${n + i}`, "ping"))
        )
      yield* TestClock.adjust("2 seconds")
      run.unstick()
      expect(yield* Tools.call(client, "t")).toEqual({ content: [] })
      yield* TestClock.adjust("10 seconds")
      yield* run.told(RESPONSE, 2 * count)
      const answers = run.heard.flatMap((message) => ("method" in message ? [] : [message]))
      const pings = answers.filter(({ id }) => String(id).startsWith("p"))
      expect(pings.length).toBe(count)
      expect(pings.every(JsonRpc.isSuccess)).toBe(true)
      const accepted = answers.filter((answer) => JsonRpc.isSuccess(answer) && answer.result.action === "accept")
      expect(accepted.length).toBeGreaterThan(16)
      expect(accepted.length).toBeLessThanOrEqual(limits.handlers + limits.queued)
      expect(most).toBe(16)
    })
  )
})
