import { Ask, AskError, Call, Server, Tool } from "@effective-mcp/server"
import { type Connection, JsonRpc, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { accept, legacyClient, textOf } from "./asking.ts"
import { info, initialize, wire } from "./wire.ts"

const who = Ask.form("Who are you?", { name: Schema.String })
const greet = Tool.make("greet", {
  run: Effect.fnUntraced(function* () {
    const { user_name } = yield* (yield* Call).ask({ user_name: who })
    return user_name.action === "accept" ? `Hello, ${user_name.content.name}!` : user_name.action
  })
})

/** Says why it got no answer. */
const why = Tool.make("why", {
  run: Effect.fnUntraced(function* () {
    const failed = yield* Effect.flip((yield* Call).ask({ user_name: who }))
    return failed instanceof AskError ? `${failed.reason._tag}: ${failed.message}` : "?"
  })
})

const send = Tool.make("send", {
  run: Effect.fnUntraced(function* () {
    const { page } = yield* (yield* Call).ask({ page: Ask.url("Sign in", "https://example.com/sign-in") })
    if (page.action === "accept") yield* page.done
    return page.action
  })
})

const server = Server.make(info, [greet, why, send])
const call = (name: string) => ({ name })

describe("a question of a legacy call", () => {
  it.effect("has an id that is one word, in a shell as well", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server)
      yield* Effect.forkChild(client.result("tools/call", call("greet")))
      expect((yield* client.question(1)).id).toMatch(/^[0-9a-z-]+$/)
    })
  )
  it.effect("is a request, whose answer goes on where it was asked", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server)
      const calling = yield* Effect.forkChild(client.result("tools/call", call("greet")))
      const question = yield* client.question(1)
      expect(question).toEqual({
        jsonrpc: "2.0",
        id: expect.any(String),
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Who are you?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
        }
      })
      yield* client.answer(question, accept({ name: "Ada" }))
      expect(yield* Fiber.join(calling)).toEqual({ content: [{ type: "text", text: "Hello, Ada!" }] })
    })
  )
  it.effect("has no mode where there are none, and null content is none", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server, { elicitation: {} }, "2025-06-18")
      const calling = yield* Effect.forkChild(client.result("tools/call", call("greet")))
      const question = yield* client.question(1)
      expect(question.params).not.toHaveProperty("mode")
      yield* client.answer(question, { action: "decline", content: null })
      expect(textOf(yield* Fiber.join(calling))).toBe("decline")
    })
  )
  it.effect("goes with the others of its record at the same time", () => {
    const both = Tool.make("both", {
      run: Effect.fnUntraced(function* () {
        const { roots, user } = yield* (yield* Call).ask({ user: who, roots: Ask.roots })
        return `${user.action} ${roots.map(({ uri }) => uri).join()}`
      })
    })
    return Effect.gen(function* () {
      const client = yield* legacyClient(Server.make(info, [both]))
      const calling = yield* Effect.forkChild(client.result("tools/call", call("both")))
      const [first, second] = [yield* client.question(1), yield* client.question(2)]
      expect([first.method, second.method]).toEqual(["elicitation/create", "roots/list"])
      yield* client.answer(second, { roots: [{ uri: "file:///a" }, { uri: "https://b" }, { uri: "FILE:///c" }] })
      yield* client.answer(first, { action: "cancel" })
      expect(textOf(yield* Fiber.join(calling))).toBe("cancel file:///a,FILE:///c")
    })
  })
  it.effect("that equal calls ask at the same time is answered each by its own", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server)
      const names = Array.from({ length: 50 }, (_, i) => `n${i}`)
      const calls = yield* Effect.forEach(names, () => Effect.forkChild(client.result("tools/call", call("greet"))))
      const questions = yield* Effect.forEach(names, (_, i) => client.question(i + 1))
      expect(new Set(questions.map(({ id }) => id)).size).toBe(50)
      for (let i = 49; i >= 0; i--) yield* client.answer(questions[i]!, accept({ name: names[i]! }))
      const results = yield* Effect.forEach(calls, Fiber.join)
      expect(results.map(textOf)).toEqual(names.map((name) => `Hello, ${name}!`))
    })
  )
  it.effect("is withdrawn when its call is cancelled", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server)
      yield* client.say(JsonRpc.request(77, "tools/call", call("greet")))
      const { id } = yield* client.question(1)
      yield* client.say(JsonRpc.notification("notifications/cancelled", { requestId: 77 }))
      yield* client.until(() => client.said.some((message) => JsonRpc.isNotification(message)))
      expect(client.said.filter(JsonRpc.isNotification)).toEqual([
        JsonRpc.notification("notifications/cancelled", { requestId: id })
      ])
      expect(client.said.filter(JsonRpc.isResponse)).toHaveLength(1)
    })
  )
  it.effect("S-36 waits 600 s, and is withdrawn then", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server)
      const calling = yield* Effect.forkChild(client.result("tools/call", call("why")))
      const { id } = yield* client.question(1)
      yield* TestClock.adjust("599 seconds")
      expect(calling.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 second")
      expect(textOf(yield* Fiber.join(calling))).toBe("TimedOut: the client did not answer in 600000 ms")
      expect(client.said.filter(JsonRpc.isNotification)).toEqual([
        JsonRpc.notification("notifications/cancelled", { requestId: id })
      ])
    })
  )
  it.effect("fails at once when the client has said its last word", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<string>()
      const tool = Tool.make("tell", {
        run: () =>
          Effect.flatMap(Call, ({ ask }) =>
            Effect.catchTag(ask({ who }), "AskError", ({ reason }) => Deferred.succeed(ended, reason._tag))
          ).pipe(Effect.as(""))
      })
      const client = yield* legacyClient(Server.make(info, [tool]))
      yield* client.say(JsonRpc.request(5, "tools/call", call("tell")))
      yield* client.question(1)
      yield* client.close
      expect(yield* Deferred.await(ended)).toBe("Lost")
    })
  )
  for (const [what, response, text] of [
    ["a refusal", { error: { code: -1, message: "secret" } }, "Refused: the client refused the question (-1)"],
    ["-32601", { error: { code: -32601, message: "secret" } }, "Refused: the client refused the question (-32601)"],
    ["no result of its", { result: { name: "secret" } }, "InvalidAnswer: .* \\.action is not as the schema says"],
    ["other content", { result: accept({ name: 5 }) }, 'InvalidAnswer: .* the field "name" does not fit'],
    ["no content", { result: { action: "accept" } }, 'InvalidAnswer: .* the field "name" does not fit']
  ] as const) {
    it.effect(`that is answered with ${what} fails, and says nothing of what was answered`, () =>
      Effect.gen(function* () {
        const client = yield* legacyClient(server)
        const calling = yield* Effect.forkChild(client.result("tools/call", call("why")))
        const { id } = yield* client.question(1)
        yield* client.say({ jsonrpc: "2.0", id, ...response } as JsonRpc.Response) // cast: one of both
        expect(textOf(yield* Fiber.join(calling))).toMatch(
          new RegExp(`^${text.replaceAll("(", "\\(").replaceAll(")", "\\)")}$`)
        )
      })
    )
  }
  it.effect("that nobody handles fails its tool, in words for the model", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server, {})
      const result = yield* client.result("tools/call", call("greet"))
      expect(result).toEqual({
        content: [{ type: "text", text: "the client has not declared elicitation" }],
        isError: true
      })
      expect(client.said.filter(JsonRpc.isRequest)).toEqual([])
    })
  )
  for (const [version, declared] of [
    ["2025-03-26", { elicitation: {} }],
    ["2025-11-25", { elicitation: { url: {} } }],
    ["2025-11-25", { sampling: {}, roots: {} }]
  ] as const) {
    it.effect(`is never put to a client of ${version} with ${JSON.stringify(declared)}`, () =>
      Effect.gen(function* () {
        const client = yield* legacyClient(server, declared, version)
        const text = textOf(yield* client.result("tools/call", call("why")))
        expect(text).toMatch(/^(Unaskable: .*no elicitation\/create|NotDeclared: .*elicitation)/)
        expect(client.said.filter(JsonRpc.isRequest)).toEqual([])
      })
    )
  }
  it.effect("is put to nobody before there is a handshake", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      expect(textOf(yield* result("tools/call", call("why")))).toContain("NotDeclared")
    })
  )
})

describe("a page on a legacy revision", () => {
  it.effect("has an id of its own, under which it is said to be done", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server)
      const calling = yield* Effect.forkChild(client.result("tools/call", call("send")))
      const question = yield* client.question(1)
      const elicitationId = question.params?.elicitationId
      expect(question.params).toEqual({
        mode: "url",
        message: "Sign in",
        url: "https://example.com/sign-in",
        elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/)
      })
      yield* client.answer(question, { action: "accept" })
      expect(textOf(yield* Fiber.join(calling))).toBe("accept")
      expect(client.said.filter(JsonRpc.isNotification)).toEqual([
        JsonRpc.notification("notifications/elicitation/complete", { elicitationId })
      ])
    })
  )
  it.effect("cannot be gone to before 2025-11-25, whatever is declared", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server, { elicitation: { url: {} } }, "2025-06-18")
      expect(yield* client.result("tools/call", call("send"))).toMatchObject({ isError: true })
      expect(client.said.filter(JsonRpc.isRequest)).toEqual([])
    })
  )
})

describe("a question over any connection", () => {
  const conversation = Effect.flatMap(server.converse(), (conversation) => {
    const run = conversation.on({
      send: () => Effect.void,
      incoming: Effect.succeed(Effect.never),
      exchange: () => Effect.never
    })
    const opening = JsonRpc.request(0, "initialize", { ...initialize, capabilities: { elicitation: {} } })
    return Effect.as(
      run.exchange(opening, () => Effect.void),
      conversation
    )
  })
  const reached = (exchange: Connection["exchange"]): Connection => ({
    send: () => Effect.void,
    incoming: Effect.succeed(Effect.never),
    exchange
  })
  it.effect("goes out on the one that its call came over", () =>
    Effect.gen(function* () {
      const { on } = yield* conversation
      const ids: Array<JsonRpc.RequestId> = []
      const over = (name: string) =>
        on(
          reached(({ id }) => {
            ids.push(id)
            return Effect.succeed(JsonRpc.success(id, accept({ name })))
          })
        ).exchange(JsonRpc.request(1, "tools/call", call("greet")), () => Effect.void)
      expect(yield* Effect.all([over("a"), over("b")])).toMatchObject([
        { result: { content: [{ text: "Hello, a!" }] } },
        { result: { content: [{ text: "Hello, b!" }] } }
      ])
      expect(new Set(ids).size).toBe(2)
    })
  )
  it.effect("has an id that a session taken up elsewhere never used", () =>
    Effect.gen(function* () {
      const { snapshot } = yield* conversation
      const kept = yield* snapshot
      const asked = yield* Effect.forEach([1, 2], () =>
        Effect.gen(function* () {
          const id = yield* Deferred.make<JsonRpc.RequestId>()
          const { on } = yield* server.converse(kept)
          const client = reached((request) => Effect.andThen(Deferred.succeed(id, request.id), Effect.never))
          yield* Effect.forkChild(
            on(client).exchange(JsonRpc.request(1, "tools/call", call("greet")), () => Effect.void)
          )
          return yield* Deferred.await(id)
        })
      )
      expect(asked[0]).not.toBe(asked[1])
    })
  )
  it.effect("fails when the connection does", () =>
    Effect.gen(function* () {
      const { on } = yield* conversation
      const client = reached(() => Effect.fail(TransportError.make({ _tag: "Closed" })))
      const response = yield* on(client).exchange(JsonRpc.request(1, "tools/call", call("why")), () => Effect.void)
      expect(response).toMatchObject({ result: { content: [{ text: "Lost: the client went away" }] } })
    })
  )
})

describe("S-43 a handler that runs its rounds itself, for a legacy client", () => {
  const steps = Tool.make("steps", {
    run: Effect.fnUntraced(function* () {
      const { inputResponses, requestState = "" } = yield* Call
      const said = Object.values(inputResponses).map(({ action }) => action)
      if (said.includes("decline")) return `${requestState} ${said.join()}`
      return Ask.required({ a: who, b: who }, `${requestState}x`)
    })
  })
  const later = Tool.make("later", {
    run: Effect.fnUntraced(function* () {
      const { requestState = "" } = yield* Call
      return requestState === "xxxx" ? "done" : Ask.required({}, `${requestState}x`)
    })
  })
  const own = Server.make(info, [steps, later])
  it.effect("is served by asking one question after the other", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(own)
      const calling = yield* Effect.forkChild(client.result("tools/call", call("steps")))
      for (const n of [1, 2, 3, 4]) {
        const question = yield* client.question(n)
        expect(client.said.filter(JsonRpc.isRequest)).toHaveLength(n)
        yield* client.answer(question, n === 3 ? { action: "decline" } : { action: "cancel" })
      }
      expect(yield* Fiber.join(calling)).toEqual({ content: [{ type: "text", text: "xx decline,cancel" }] })
    })
  )
  it.effect("is run again after a while when it only wants to be", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(own)
      const calling = yield* Effect.forkChild(client.result("tools/call", call("later")), { startImmediately: true })
      yield* TestClock.adjust("7499 millis")
      expect(calling.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(textOf(yield* Fiber.join(calling))).toBe("done")
    })
  )
  it.effect("has eight rounds", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(own)
      const calling = yield* Effect.forkChild(client.error("tools/call", call("steps")))
      for (let n = 1; n <= 16; n++) yield* client.answer(yield* client.question(n), { action: "cancel" })
      expect(yield* Fiber.join(calling)).toEqual({ code: -32603, message: "Too many rounds of questions" })
      expect(client.said.filter(JsonRpc.isRequest)).toHaveLength(16)
    })
  )
  it.effect("has 600 s in all", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(own)
      const calling = yield* Effect.forkChild(client.error("tools/call", call("steps")))
      for (let n = 1; n <= 3; n++) {
        const question = yield* client.question(n)
        yield* TestClock.adjust("250 seconds")
        if (n < 3) yield* client.answer(question, { action: "cancel" })
      }
      expect(yield* Fiber.join(calling)).toEqual({ code: -32603, message: "The questions took too long" })
    })
  )
  it.effect("is not served to one that cannot be asked", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(own, {})
      expect(yield* client.error("tools/call", call("steps"))).toMatchObject({ code: -32603 })
      expect(client.said.filter(JsonRpc.isRequest)).toEqual([])
    })
  )
})
