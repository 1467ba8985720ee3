import { type CreateMessageParams, modernRevisions, type SamplingMessage } from "@effective-mcp/protocol"
import { Ask, Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { legacyClient, rounds, textOf } from "./asking.ts"
import { info, wire } from "./wire.ts"

const [modern] = modernRevisions
const text = (said: string) => ({ type: "text", text: said }) as const
const use = (id: string, name = "t") => ({ type: "tool_use", id, name, input: {} }) as const
const result = (toolUseId: string) => ({ type: "tool_result", toolUseId, content: [] }) as const
const user = (...content: ReadonlyArray<SamplingMessage["content"]>): SamplingMessage => ({
  role: "user",
  content: content.flat()
})
const assistant = (...content: ReadonlyArray<SamplingMessage["content"]>): SamplingMessage => ({
  role: "assistant",
  content: content.flat()
})
const tools = [{ name: "t", inputSchema: { type: "object" } }]
const sample = (...messages: ReadonlyArray<SamplingMessage>) => Ask.sample({ messages, maxTokens: 5, tools })

describe("messages to be sampled from", () => {
  const ask = user(text("?"))
  const good = {
    "a question": [ask],
    "an exchange": [ask, assistant(text("!")), ask],
    "a tool use and its result": [ask, assistant(text("…"), use("1")), user(result("1"))],
    "two uses, answered in another order": [ask, assistant(use("1"), use("2")), user(result("2"), result("1")), ask],
    "two rounds with one id": [ask, assistant(use("1")), user(result("1")), assistant(use("1")), user(result("1"))],
    "none at all": []
  }
  for (const [what, messages] of Object.entries(good)) {
    it(`may be ${what}`, () => {
      expect(sample(...messages).request.method).toBe("sampling/createMessage")
    })
  }
  const bad = {
    "a use without a result": [ask, assistant(use("1"))],
    "a use whose result comes later": [ask, assistant(use("1")), ask, user(result("1"))],
    "one result for two uses": [ask, assistant(use("1"), use("2")), user(result("1"))],
    "a result of nothing": [user(result("1"))],
    "a result of another use": [ask, assistant(use("1")), user(result("2"))],
    "a result twice": [ask, assistant(use("1")), user(result("1"), result("1"))],
    "uses with one id": [ask, assistant(use("1"), use("1")), user(result("1"), result("1"))],
    "results beside a text": [ask, assistant(use("1")), user(text("here:"), result("1"))],
    "results of the assistant": [ask, assistant(use("1")), assistant(result("1"))],
    "a use of the user": [user(use("1")), user(result("1"))]
  }
  for (const [what, messages] of Object.entries(bad)) {
    it(`are never ${what}`, () => {
      expect(() => sample(...messages)).toThrow("the messages cannot be sampled from")
    })
  }
  for (const maxTokens of [0, -1, 1.5, Number.NaN, Infinity]) {
    it(`make no ${maxTokens} tokens`, () => {
      expect(() => Ask.sample({ messages: [], maxTokens })).toThrow("maxTokens is not a count")
    })
  }
})

describe("what a client's model says", () => {
  const said = (content: SamplingMessage["content"], role = "assistant") => ({ role, content, model: "m" })
  const read = (params: Partial<CreateMessageParams>, answer: ReturnType<typeof said>) =>
    Ask.sample({ messages: [], maxTokens: 1, ...params }).read(modern, { ...answer }, Effect.void)
  it.effect("is taken as it is", () =>
    Effect.gen(function* () {
      const answers = [
        said(text("a")),
        said([text("a"), use("1"), use("2")]),
        said({ type: "image", data: "", mimeType: "image/png" })
      ]
      for (const answer of answers) expect(yield* read({ tools }, answer)).toEqual(answer)
    })
  )
  const bad: ReadonlyArray<readonly [string, Partial<CreateMessageParams>, ReturnType<typeof said>]> = [
    ["uses a tool where there are none", {}, said(use("1"))],
    ["uses a tool that was not offered", { tools }, said(use("1", "u"))],
    ["uses a tool that it must not use", { tools, toolChoice: { mode: "none" } }, said(use("1"))],
    ["has two uses with one id", { tools }, said([use("1"), use("1")])],
    ["has the result of a tool", { tools }, said(result("1"))],
    ["uses tools as the user", { tools }, said(use("1"), "user")],
    ["is nobody's", {}, said(text("a"), "system")]
  ]
  for (const [what, params, answer] of bad) {
    it.effect(`is refused when it ${what}`, () =>
      Effect.gen(function* () {
        yield* Effect.flip(read(params, answer))
      })
    )
  }
})

describe("a loop of tools", () => {
  const agent = Tool.make("agent", {
    run: Effect.fnUntraced(function* () {
      const call = yield* Call
      let messages: ReadonlyArray<SamplingMessage> = [user(text("Weather?"))]
      for (;;) {
        const { said } = yield* call.ask({ said: sample(...messages) })
        const blocks = "type" in said.content ? [said.content] : said.content
        const uses = blocks.filter((block) => block.type === "tool_use")
        if (uses.length === 0) return blocks.map((block) => (block.type === "text" ? block.text : "")).join()
        const results = uses.map(({ id }) => ({ ...result(id), content: [text("sunny")] }))
        messages = [...messages, { role: said.role, content: said.content }, { role: "user", content: results }]
      }
    })
  })
  const server = Server.make(info, [agent])
  const step = (n: number) => ({
    role: "assistant",
    content: n === 3 ? text("It is sunny") : [use(`${n}a`), use(`${n}b`)],
    model: "m"
  })
  it.effect("runs in rounds", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* rounds(yield* wire(server), "agent", (_key, n) => step(n))
      expect(asked).toEqual([["said"], ["said#2"], ["said#3"]])
      expect(textOf(result)).toBe("It is sunny")
    })
  )
  it.effect("runs in requests", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(server)
      const calling = yield* Effect.forkChild(client.result("tools/call", { name: "agent" }))
      for (const n of [1, 2, 3]) yield* client.answer(yield* client.question(n), step(n))
      expect(textOf(yield* Fiber.join(calling))).toBe("It is sunny")
      expect((yield* client.question(3)).params?.messages).toHaveLength(5)
    })
  )
})
