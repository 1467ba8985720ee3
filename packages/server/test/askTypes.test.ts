import type { CreateMessageResult, FormValue, Root } from "@effective-mcp/protocol"
import { Ask, type AskError, Call, type InputRequired, Server, Tool, ToolError } from "@effective-mcp/server"
import { describe, expectTypeOf, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { info } from "./wire.ts"

declare const call: Call["Service"]
class Db extends Context.Service<Db, { readonly name: string }>()("test/Db") {}

describe("answers", () => {
  it("have the types of their questions, under their keys", () => {
    const asked = () =>
      call.ask({
        user: Ask.form("", {
          name: Schema.String,
          size: Schema.optionalKey(Schema.Literals(["S", "L"])),
          date: Schema.Date
        }),
        raw: Ask.form("", { type: "object", properties: { a: { type: "string" } } }),
        page: Ask.url("", "https://example.com"),
        model: Ask.sample({ messages: [], maxTokens: 1 }),
        roots: Ask.roots
      })
    expectTypeOf(asked).returns.toEqualTypeOf<
      Effect.Effect<
        {
          readonly user: Ask.FormAnswer<{ readonly name: string; readonly size?: "S" | "L"; readonly date: Date }>
          readonly raw: Ask.FormAnswer<{ readonly [name: string]: FormValue }>
          readonly page: Ask.UrlAnswer
          readonly model: CreateMessageResult
          readonly roots: ReadonlyArray<Root>
        },
        AskError
      >
    >()
  })
  it("may be waited for as long as is said, and nothing else is", () => {
    const asked = () => call.ask({ roots: Ask.roots }, { timeout: "5 minutes" })
    expectTypeOf(asked).returns.toEqualTypeOf<Effect.Effect<{ readonly roots: ReadonlyArray<Root> }, AskError>>()
    // @ts-expect-error there is no such option
    const wrong = () => call.ask({ roots: Ask.roots }, { timeoutMs: 5 })
    // @ts-expect-error that is no time
    const none = () => call.ask({ roots: Ask.roots }, { timeout: "5 parsecs" })
    expectTypeOf([wrong, none]).toBeArray()
  })
  it("have content only when they are accepted", () => {
    type Answer = Ask.FormAnswer<{ readonly a: string }>
    expectTypeOf<Extract<Answer, { readonly action: "accept" }>["content"]>().toEqualTypeOf<{ readonly a: string }>()
    expectTypeOf<Extract<Answer, { readonly action: "decline" | "cancel" }>>().not.toHaveProperty("content")
  })
})

describe("forms", () => {
  it("are made of schemas that need nothing", () => {
    const needy = Schema.String.pipe(
      Schema.decodeTo(Schema.String, {
        decode: { run: () => Effect.die("") } as never,
        encode: { run: () => Effect.die("") } as never
      })
    )
    const fields: { readonly a: Schema.ConstraintDecoder<string, Db> } = { a: needy }
    // @ts-expect-error a question is read wherever it is asked
    const form = () => Ask.form("", fields)
    expectTypeOf(form).toBeFunction()
  })
  it("are flat", () => {
    const nested = () =>
      // @ts-expect-error a form has no objects in it
      Ask.form("", { type: "object", properties: { a: { type: "object" } } })
    expectTypeOf(nested).toBeFunction()
  })
})

describe("a tool that asks", () => {
  it("needs nothing for that, and may fail with it", () => {
    const tool = Tool.make("t", {
      run: Effect.fnUntraced(function* () {
        const { a } = yield* (yield* Call).ask({ a: Ask.form("", { b: Schema.Finite }) })
        if (a.action !== "accept") return yield* new ToolError({ message: "no" })
        return `${a.content.b} ${(yield* Db).name}`
      })
    })
    expectTypeOf(tool).toEqualTypeOf<Tool.Tool<Db>>()
    expectTypeOf(Server.make(info, [tool])).toEqualTypeOf<Server.Server<Db>>()
  })
  it("may give back questions, with and without an output", () => {
    const questions: InputRequired = Ask.required({ a: Ask.roots })
    Tool.make("t", { run: () => Effect.succeed(questions) })
    Tool.make("t", { output: { a: Schema.String }, run: () => Effect.succeed(questions) })
    Tool.make("t", {
      output: { a: Schema.String },
      // @ts-expect-error anything else is a value of the output
      run: () => Effect.succeed({ a: 5 })
    })
  })
})
