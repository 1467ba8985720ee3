import { Answers, Client, Tools } from "@effective-mcp/client"
import { Peer } from "@effective-mcp/protocol"
import { Ask, Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { info, serverInfo } from "./scripted.ts"

const eras = ["modern", "legacy"] as const

const table = Ask.form("A table", {
  guests: Schema.Int.annotate({ default: 2 }),
  where: Schema.Literals(["inside", "outside"]).annotate({ default: "inside" }),
  quiet: Schema.Boolean.annotate({ default: true }),
  dishes: Schema.Array(Schema.Literals(["soup", "fish"])).annotate({ default: ["soup"] }),
  name: Schema.optionalKey(Schema.String)
})

/** A tool whose text is what came of some questions. */
const asking = <const Q extends { readonly [key: string]: Ask.Ask<unknown> }>(questions: Q) =>
  Tool.make("ask", {
    run: Effect.fnUntraced(function* () {
      const { ask } = yield* Call
      return JSON.stringify(yield* ask(questions))
    })
  })

/** What a server is told whose tool asks something. */
const told = Effect.fnUntraced(function* (
  era: "modern" | "legacy",
  questions: { readonly [key: string]: Ask.Ask<unknown> },
  answers: ReadonlyArray<Answers.Answer>
) {
  const server = Server.make(serverInfo, [asking(questions)])
  const client = yield* Client.connect(Peer.local(server), info, { era, answers })
  const result = yield* Tools.call(client, "ask")
  return result.isError === true ? Tools.text(result) : JSON.parse(Tools.text(result))
})

for (const era of eras) {
  describe(`a server of the ${era} era that asks`, () => {
    it.effect("FEA-12 with a form is told what was filled in, and the defaults of the rest", () =>
      Effect.gen(function* () {
        const form = Answers.form(() => Effect.succeed(Answers.accept({ guests: 4, name: "Ada" })))
        expect(yield* told(era, { table }, [form])).toEqual({
          table: {
            action: "accept",
            content: { guests: 4, where: "inside", quiet: true, dishes: ["soup"], name: "Ada" }
          }
        })
      })
    )
    for (const content of [null, undefined]) {
      it.effect(`FEA-12 with a form that is accepted with ${content} gets its defaults`, () =>
        Effect.gen(function* () {
          const form = Answers.form(() => Effect.succeed({ action: "accept", content }))
          expect(yield* told(era, { table }, [form])).toMatchObject({ table: { content: { guests: 2 } } })
        })
      )
    }
    for (const reply of [Answers.decline, Answers.cancel]) {
      it.effect(`FEA-12 with a form is told ${reply.action}, without content`, () =>
        Effect.gen(function* () {
          const form = Answers.form(() => Effect.succeed({ ...reply, content: { guests: 1 } }))
          expect(yield* told(era, { table }, [form])).toEqual({ table: { action: reply.action } })
        })
      )
    }
    it.effect("with a page has a person asked, who sees all of its address", () =>
      Effect.gen(function* () {
        const address = "https://example.com/a?b=c#d"
        const seen: Array<string> = []
        const url = Answers.url(({ url }) =>
          Effect.sync(() => {
            seen.push(url)
            return Answers.accept()
          })
        )
        expect(yield* told(era, { go: Ask.url("Sign in", address) }, [url])).toMatchObject({ go: { action: "accept" } })
        expect(seen).toEqual([address])
      })
    )
    it.effect("for a model is told what it said", () =>
      Effect.gen(function* () {
        const messages = [{ role: "user", content: { type: "text", text: "Hi" } }] as const
        const said = { role: "assistant", content: { type: "text", text: "Ho" }, model: "m" } as const
        const sample = Answers.sample(({ maxTokens }) => Effect.succeed({ ...said, stopReason: `${maxTokens}` }))
        expect(yield* told(era, { q: Ask.sample({ messages, maxTokens: 7 }) }, [sample])).toEqual({
          q: { ...said, stopReason: "7" }
        })
      })
    )
    it.effect("for roots is told them, from a list, an effect or a reference, files alone", () =>
      Effect.gen(function* () {
        const roots = [{ uri: "file:///a" }, { uri: "file:///b", name: "b" }]
        const ref = yield* SubscriptionRef.make<ReadonlyArray<{ uri: string }>>([...roots, { uri: "https://x.y" }])
        for (const given of [Answers.roots(roots), Answers.roots(Effect.succeed(roots)), Answers.roots(ref)])
          expect(yield* told(era, { where: Ask.roots }, [given])).toEqual({ where: roots })
      })
    )
    it.effect("several things at once is told all of them", () =>
      Effect.gen(function* () {
        const answers = [
          Answers.form(() => Effect.succeed(Answers.accept({ guests: 3 }))),
          Answers.roots([{ uri: "file:///a" }])
        ]
        expect(yield* told(era, { table, where: Ask.roots }, answers)).toMatchObject({
          table: { content: { guests: 3 } },
          where: [{ uri: "file:///a" }]
        })
      })
    )
    it.effect("R-147 what nobody answers is not asked", () =>
      Effect.gen(function* () {
        const client = yield* Client.connect(Peer.local(Server.make(serverInfo, [asking({ table })])), info, { era })
        const exit = yield* Effect.result(Tools.call(client, "ask"))
        expect(JSON.stringify(exit)).toMatch(/elicitation/)
      })
    )
    it.effect("and whose call is given up withdraws its question", () =>
      Effect.gen(function* () {
        const [begun, withdrawn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const form = Answers.form(() =>
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(withdrawn, undefined))
          )
        )
        const call = yield* Effect.forkChild(told(era, { table }, [form]))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(call)
        yield* Deferred.await(withdrawn)
      })
    )
  })
}

describe("a host", () => {
  it("that has two answers to one kind of question is a mistake", () => {
    const form = Answers.form(() => Effect.succeed(Answers.decline))
    expect(() => Client.connect(Peer.local(Server.make(serverInfo, [])), info, { answers: [form, form] })).toThrow(
      "form"
    )
  })
  it("whose root is no file is a mistake", () => {
    expect(() => Answers.roots([{ uri: "https://example.com" }])).toThrow("file:")
  })
})
