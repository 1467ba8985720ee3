import { Ask, Call, Server, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Asks a person, twice: the second question depends on the first answer. */
const book = Tool.make("book", {
  description: "Books a table, once a person has said which and agreed to it",
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    const { table } = yield* call.ask({
      table: Ask.form("A table for today", {
        guests: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })).annotate({ title: "Guests" }),
        where: Schema.Literals(["inside", "outside"]).annotate({ title: "Where" })
      })
    })
    if (table.action !== "accept") return `Nothing is booked (${table.action}).`
    const { guests, where } = table.content
    const { sure } = yield* call.ask({ sure: Ask.form(`${guests} guests ${where}?`, { yes: Schema.Boolean }) })
    return sure.action === "accept" && sure.content.yes ? `Booked for ${guests} ${where}.` : "Nothing is booked."
  })
})

/** Asks the client's model, and where it may work. */
const describe = Tool.make("describe", {
  description: "Has the client's model name what the client is working on",
  run: Effect.fnUntraced(function* () {
    const { named, places } = yield* (yield* Call).ask({
      named: Ask.sample({
        messages: [{ role: "user", content: { type: "text", text: "Name it" } }],
        maxTokens: 20
      }),
      places: Ask.roots
    })
    const said = "type" in named.content && named.content.type === "text" ? named.content.text : ""
    return `${said} in ${places.map(({ uri }) => uri).join(", ")}`
  })
})

export const server = Server.make({ name: "asking", version: "1.0.0" }, [book, describe])
