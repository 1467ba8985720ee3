import { Ask, AskError, Call, Server, Tool } from "@effective-mcp/server"
import { Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { accept, all, calling, roundOf, rounds, textOf } from "./asking.ts"
import { info, Log, modern, wire } from "./wire.ts"

const who = Ask.form("Who are you?", { name: Schema.String })

const greet = Tool.make("greet", {
  run: Effect.fnUntraced(function* () {
    const { user_name } = yield* (yield* Call).ask({ user_name: who })
    return user_name.action === "accept" ? `Hello, ${user_name.content.name}!` : user_name.action
  })
})

const runs: Array<string> = []
/** Two rounds, the second of which depends on the first. */
const order = Tool.make("order", {
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    runs.push("order")
    const { size } = yield* call.ask({ size: Ask.form("Which size?", { size: Schema.Literals(["S", "L"]) }) })
    const chosen = size.action === "accept" ? size.content.size : "none"
    const { sure } = yield* call.ask({ sure: Ask.form(`Is ${chosen} right?`, { yes: Schema.Boolean }) })
    return `${chosen} ${sure.action === "accept" && sure.content.yes}`
  })
})

const everything = Tool.make("everything", {
  run: Effect.fnUntraced(function* () {
    const answers = yield* (yield* Call).ask({
      who,
      roots: Ask.roots,
      capital: Ask.sample({ messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 9 })
    })
    const { capital, roots, who: user } = answers
    return `${user.action} ${roots.length} ${capital.model}`
  })
})

/** Asks until it hears a number over three. */
const insist = Tool.make("insist", {
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    for (;;) {
      const { n } = yield* call.ask({ n: Ask.form("A number over 3?", { n: Schema.Finite }) })
      if (n.action !== "accept") return "gave up"
      if (n.content.n > 3) return `at last ${n.content.n}`
    }
  })
})

const server = Server.make(info, [greet, order, everything, insist])

describe("a question of a modern call", () => {
  it.effect("ends it with the question, and is answered by the call that is made again", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const first = yield* result("tools/call", calling("greet"))
      expect(first).toEqual({
        resultType: "input_required",
        inputRequests: {
          user_name: {
            method: "elicitation/create",
            params: {
              mode: "form",
              message: "Who are you?",
              requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
            }
          }
        },
        requestState: expect.any(String),
        _meta: { [Meta.SERVER_INFO]: info }
      })
      const { requestState } = roundOf(first)
      const inputResponses = { user_name: accept({ name: "Ada" }) }
      const second = yield* result("tools/call", calling("greet", { inputResponses, requestState }))
      expect(second).toMatchObject({ resultType: "complete", content: [{ text: "Hello, Ada!" }] })
    })
  )
  for (const action of ["decline", "cancel"]) {
    it.effect(`can be answered with ${action}`, () =>
      Effect.gen(function* () {
        const { result } = yield* rounds(yield* wire(server), "greet", () => ({ action }))
        expect(textOf(result)).toBe(action)
      })
    )
  }
  it.effect("can be answered without a state", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const inputResponses = { user_name: accept({ name: "Ada" }) }
      expect(textOf(yield* result("tools/call", calling("greet", { inputResponses })))).toBe("Hello, Ada!")
    })
  )
  it.effect("that is not answered is asked again, and what was not asked is ignored", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const { requestState } = roundOf(yield* result("tools/call", calling("greet")))
      const wrong = { inputResponses: { other: accept({ name: "Eve" }) }, requestState }
      const again = roundOf(yield* result("tools/call", calling("greet", wrong)))
      expect(Object.keys(again.inputRequests)).toEqual(["user_name"])
      const right = { inputResponses: { user_name: accept({ name: "Ada" }), other: { action: "cancel" } } }
      expect(
        textOf(yield* result("tools/call", calling("greet", { ...right, requestState: again.requestState })))
      ).toBe("Hello, Ada!")
    })
  )
  for (const [what, wrong] of Object.entries({
    "a number": 5,
    null: null,
    "a list": [],
    "no result": { name: "Ada" },
    "an action that there is not": { action: "maybe" },
    "content that does not fit": { action: "accept", content: { name: 5 } },
    "no content": { action: "accept" },
    "nested content": { action: "accept", content: { name: { first: "Ada" } } }
  })) {
    it.effect(`that is answered with ${what} is -32602, in words without the answer`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        const { code, message } = yield* error("tools/call", calling("greet", { inputResponses: { user_name: wrong } }))
        expect(code).toBe(-32602)
        expect(message).not.toContain("Ada")
      })
    )
  }
  it.effect("runs its handler from the top each round, with all that was answered before", () =>
    Effect.gen(function* () {
      runs.length = 0
      const states = new Set<string>()
      const client = yield* wire(server)
      const { asked, result } = yield* rounds(client, "order", (key) =>
        key === "size" ? accept({ size: "L" }) : accept({ yes: true })
      )
      for (const message of client.said) if ("result" in message) states.add(String(message.result.requestState))
      expect(asked).toEqual([["size"], ["sure"]])
      expect(textOf(result)).toBe("L true")
      expect(runs).toHaveLength(3)
      expect(states.size).toBe(3)
    })
  )
  it.effect("that depends on another one is asked again when that one has changed", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const inputResponses = { size: accept({ size: "L" }), sure: accept({ yes: true }) }
      const first = roundOf(yield* result("tools/call", calling("order")))
      const large = { inputResponses, requestState: first.requestState }
      const second = roundOf(yield* result("tools/call", calling("order", large)))
      expect(Object.keys(second.inputRequests)).toEqual(["sure"])
      expect(second.inputRequests.sure?.params.message).toBe("Is L right?")
    })
  )
  it.effect("is not answered by what came, without a state, before it was asked", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const early = { inputResponses: { sure: accept({ yes: true }) } }
      const first = roundOf(yield* result("tools/call", calling("order", early)))
      const later = { inputResponses: { size: accept({ size: "S" }) }, requestState: first.requestState }
      expect(Object.keys(roundOf(yield* result("tools/call", calling("order", later))).inputRequests)).toEqual(["sure"])
    })
  )
  it.effect("goes with the others of its record", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* rounds(yield* wire(server), "everything", (key) =>
        key === "who"
          ? accept({ name: "Ada" })
          : key === "roots"
            ? { roots: [{ uri: "file:///a" }] }
            : { role: "assistant", content: { type: "text", text: "Paris" }, model: "m1" }
      )
      expect(asked).toEqual([["who", "roots", "capital"]])
      expect(textOf(result)).toBe("accept 1 m1")
    })
  )
  it.effect("of a record that is answered in part is asked for the rest", () =>
    Effect.gen(function* () {
      const { asked } = yield* rounds(yield* wire(server), "everything", (key, round) => {
        if (key === "who") return accept({ name: "Ada" })
        if (key === "roots") return { roots: [] }
        return round === 1 ? undefined : { role: "assistant", content: { type: "text", text: "" }, model: "m1" }
      })
      expect(asked).toEqual([["who", "roots", "capital"], ["capital"]])
    })
  )
  it.effect("is another one each time its key is asked", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* rounds(yield* wire(server), "insist", (_key, round) => accept({ n: round }))
      expect(asked).toEqual([["n"], ["n#2"], ["n#3"], ["n#4"]])
      expect(textOf(result)).toBe("at last 4")
    })
  )
  it.effect("can be asked ten times, and no more", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* rounds(yield* wire(server), "insist", () => accept({ n: 1 }))
      expect(asked).toHaveLength(10)
      expect(result).toMatchObject({ isError: true })
      expect(textOf(result)).toBe("the client has been asked 10 times")
    })
  )
  it.effect("is never sent as a request, whatever the client can be asked", () =>
    Effect.gen(function* () {
      const client = yield* wire(server)
      yield* rounds(client, "order", (key) => (key === "size" ? accept({ size: "S" }) : accept({ yes: false })))
      expect(client.said.filter((message) => "method" in message)).toEqual([])
    })
  )
})

describe("questions of equal calls", () => {
  it.effect("are answered each by its own", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      const names = Array.from({ length: 40 }, (_, i) => `n${i}`)
      const texts = yield* Effect.forEach(
        names,
        (name) =>
          Effect.gen(function* () {
            const { requestState } = roundOf(yield* result("tools/call", calling("greet")))
            const inputResponses = { user_name: accept({ name }) }
            return textOf(yield* result("tools/call", calling("greet", { inputResponses, requestState })))
          }),
        { concurrency: "unbounded" }
      )
      expect(texts).toEqual(names.map((name) => `Hello, ${name}!`))
    })
  )
  it.effect("that one call asks at the same time go out together", () => {
    const many = Tool.make("many", {
      run: Effect.fnUntraced(function* () {
        const call = yield* Call
        const each = yield* Effect.forEach(
          ["a", "b", "c"],
          (file) => call.ask({ ok: Ask.form(`Delete ${file}?`, { yes: Schema.Boolean }) }),
          { concurrency: "unbounded" }
        )
        return each.map(({ ok }) => ok.action === "accept" && ok.content.yes).join()
      })
    })
    return Effect.gen(function* () {
      const { asked, result } = yield* rounds(yield* wire(Server.make(info, [many])), "many", (key) =>
        accept({ yes: key === "ok#2" })
      )
      expect(asked).toEqual([["ok", "ok#2", "ok#3"]])
      expect(textOf(result)).toBe("false,true,false")
    })
  })
  it.effect("that fibers of one call ask, each when it gets to run, go out together, too", () => {
    const forked = Tool.make("forked", {
      run: Effect.fnUntraced(function* () {
        const call = yield* Call
        const asking = (key: string) => Effect.forkChild(call.ask({ [key]: who }))
        const fibers = [yield* asking("a"), yield* asking("b")]
        yield* Fiber.joinAll(fibers)
        return "done"
      })
    })
    return Effect.gen(function* () {
      const { asked } = yield* rounds(yield* wire(Server.make(info, [forked])), "forked", () => ({ action: "cancel" }))
      expect(asked).toEqual([["a", "b"]])
    })
  })
  it.effect("are told apart by what they say, when their order has changed between rounds", () => {
    let turn = 0
    const shuffled = Tool.make("shuffled", {
      run: Effect.fnUntraced(function* () {
        const call = yield* Call
        const files = turn++ % 2 === 0 ? ["a", "b"] : ["b", "a"]
        const kept: Array<string> = []
        for (const file of files) {
          const { ok } = yield* call.ask({ ok: Ask.form(`Delete ${file}?`, { yes: Schema.Boolean }) })
          if (ok.action === "accept" && ok.content.yes) kept.push(file)
        }
        return kept.join()
      })
    })
    return Effect.gen(function* () {
      const { result } = yield* wire(Server.make(info, [shuffled]))
      const first = roundOf(yield* result("tools/call", calling("shuffled")))
      expect(first.inputRequests.ok?.params.message).toBe("Delete a?")
      const inputResponses = { ok: accept({ yes: true }) }
      const second = roundOf(
        yield* result("tools/call", calling("shuffled", { inputResponses, requestState: first.requestState }))
      )
      expect(second.inputRequests.ok?.params.message).toBe("Delete b?")
    })
  })
})

describe("what the client has not declared", () => {
  const messages = [{ role: "user", content: { type: "text", text: "?" } }] as const
  const tools = [{ name: "t", inputSchema: { type: "object" } }]
  const asks = {
    form: who,
    page: Ask.url("Go there", "https://example.com"),
    sample: Ask.sample({ messages, maxTokens: 1 }),
    tools: Ask.sample({ messages, maxTokens: 1, tools }),
    roots: Ask.roots
  }
  const cases: ReadonlyArray<readonly [keyof typeof asks, object, object | undefined]> = [
    ["form", {}, { elicitation: {} }],
    ["form", { elicitation: {} }, undefined],
    ["form", { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ["form", { elicitation: "yes" }, { elicitation: {} }],
    ["page", {}, { elicitation: { url: {} } }],
    ["page", { elicitation: {} }, { elicitation: { url: {} } }],
    ["page", { elicitation: { url: {} } }, undefined],
    ["sample", {}, { sampling: {} }],
    ["sample", { sampling: {} }, undefined],
    ["tools", {}, { sampling: { tools: {} } }],
    ["tools", { sampling: {} }, { sampling: { tools: {} } }],
    ["tools", { sampling: { tools: {} } }, undefined],
    ["roots", { sampling: {}, elicitation: {} }, { roots: {} }],
    ["roots", { roots: {} }, undefined]
  ]
  for (const [name, declared, required] of cases) {
    const says = required === undefined ? "it is asked" : "-32021 says what it lacks"
    it.effect(`${name} of a client with ${JSON.stringify(declared)}: ${says}`, () =>
      Effect.gen(function* () {
        const tool = Tool.make("ask", {
          run: () => Effect.flatMap(Call, ({ ask }) => Effect.as(ask({ [name]: asks[name] }), "asked"))
        })
        const { ask } = yield* wire(Server.make(info, [tool]))
        const response = yield* ask("tools/call", calling("ask", {}, { ...declared }))
        if (required === undefined) expect(response).toMatchObject({ result: { resultType: "input_required" } })
        else expect(response).toMatchObject({ error: { code: -32021, data: { requiredCapabilities: required } } })
      })
    )
  }
  it.effect("fails the question alone, which a handler may do without", () =>
    Effect.gen(function* () {
      const tool = Tool.make("ask", {
        run: Effect.fnUntraced(function* () {
          const failed = yield* Effect.flip((yield* Call).ask({ who, roots: Ask.roots }))
          return failed instanceof AskError ? `${failed.reason._tag}: ${failed.message}` : "?"
        })
      })
      const { result } = yield* wire(Server.make(info, [tool]))
      const text = textOf(yield* result("tools/call", calling("ask", {}, { sampling: {} })))
      expect(text).toBe("NotDeclared: the client has not declared elicitation, roots")
    })
  )
  it.effect("is the answer also where a handler says that it cannot happen", () =>
    Effect.gen(function* () {
      const tool = Tool.make("ask", {
        run: () => Effect.flatMap(Call, ({ ask }) => Effect.orDie(Effect.as(ask({ who }), "asked")))
      })
      const { error } = yield* wire(Server.make(info, [tool]))
      expect(yield* error("tools/call", calling("ask", {}, {}))).toMatchObject({ code: -32021 })
    })
  )
  it.effect("is not asked for context either", () =>
    Effect.gen(function* () {
      const ask = Ask.sample({ messages, maxTokens: 1, includeContext: "thisServer" })
      const tool = Tool.make("ask", { run: () => Effect.flatMap(Call, (call) => Effect.as(call.ask({ ask }), "")) })
      const { result } = yield* wire(Server.make(info, [tool]))
      const without = roundOf(yield* result("tools/call", calling("ask", {}, { sampling: {} })))
      expect(without.inputRequests.ask?.params).toEqual({ messages, maxTokens: 1 })
      const context = roundOf(yield* result("tools/call", calling("ask", {}, all)))
      expect(context.inputRequests.ask?.params).toMatchObject({ includeContext: "thisServer" })
    })
  )
})

describe("a handler that runs its rounds itself", () => {
  const count = Tool.make("count", {
    run: Effect.fnUntraced(function* () {
      const { inputResponses, requestState = "0" } = yield* Call
      if (inputResponses.more?.action === "decline") return `${requestState} rounds`
      return Ask.required({ more: Ask.form("More?", { yes: Schema.Boolean }) }, `${Number(requestState) + 1}`)
    })
  })
  const wait = Tool.make("wait", {
    output: { done: Schema.Boolean },
    run: Effect.fnUntraced(function* () {
      return (yield* Call).requestState === undefined ? Ask.required({}, "later") : { done: true }
    })
  })
  const own = Server.make(info, [count, wait])
  it.effect("gets its answers as they came, and its own state, which the client cannot read", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* rounds(yield* wire(own), "count", (_key, round) =>
        round === 3 ? { action: "decline" } : accept({ yes: true })
      )
      expect(asked).toEqual([["more"], ["more"], ["more"]])
      expect(textOf(result)).toBe("3 rounds")
    })
  )
  it.effect("may only ask to be called again", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(own)
      const first = yield* result("tools/call", calling("wait", {}, {}))
      expect(first).not.toHaveProperty("inputRequests")
      const { requestState } = roundOf(first)
      const second = yield* result("tools/call", calling("wait", { requestState }, {}))
      expect(second).toMatchObject({ structuredContent: { done: true } })
    })
  )
  it.effect("is held to what the client has declared, and to ten rounds", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(own)
      expect(yield* error("tools/call", calling("count", {}, {}))).toMatchObject({ code: -32021 })
      let requestState: string | undefined
      for (let i = 0; i < 10; i++) {
        const state = requestState === undefined ? {} : { requestState }
        requestState = roundOf(yield* result("tools/call", calling("count", state))).requestState
      }
      expect(yield* error("tools/call", calling("count", { requestState }))).toMatchObject({ code: -32603 })
    })
  )
  it("has something to say", () => {
    expect(() => Ask.required({})).toThrow("neither a question nor a state")
  })
})

it.effect("too much to be kept between rounds is an error of the server's", () => {
  const log = new Log()
  const tool = Tool.make("ask", {
    run: () => Effect.as(Effect.succeed(0), Ask.required({}, "x".repeat(1024 * 1024)))
  })
  return Effect.gen(function* () {
    const { error } = yield* wire(Server.make(info, [tool]))
    expect(yield* error("tools/call", modern({ name: "ask" }))).toMatchObject({ code: -32603 })
    expect(log.lines.join()).toContain("too long to be kept")
  }).pipe(Effect.provide(log.layer))
})
