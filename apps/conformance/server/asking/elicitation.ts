import { Ask, Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const ask = Tool.make("test_elicitation", {
  description: "Asks a person something",
  input: { message: Schema.String },
  run: Effect.fnUntraced(function* ({ message }) {
    const call = yield* Call
    const { user } = yield* call.ask({
      user: Ask.form(message, {
        username: Schema.String.annotate({ description: "User's response" }),
        email: Schema.String.annotate({ description: "User's email address" })
      })
    })
    const content = user.action === "accept" ? JSON.stringify(user.content) : "none"
    return `User response: action=${user.action}, content=${content}`
  })
})

const greet = Tool.make("test_input_required_result_elicitation", {
  description: "Asks for a name, and greets",
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    const { user_name } = yield* call.ask({ user_name: Ask.form("What is your name?", { name: Schema.String }) })
    return user_name.action === "accept" ? `Hello, ${user_name.content.name}!` : "Hello, stranger!"
  })
})

const confirm = (name: string, description: string) =>
  Tool.make(name, {
    description,
    run: Effect.fnUntraced(function* () {
      const call = yield* Call
      const { confirm } = yield* call.ask({ confirm: Ask.form("Please confirm", { ok: Schema.Boolean }) })
      return `state-ok (${confirm.action})`
    })
  })

const optional = Tool.make("test_streaming_elicitation", {
  description: "Could ask a person, and does not have to",
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    yield* call.progress(1, 1)
    return call.clientCapabilities.elicitation === undefined ? "nobody to ask" : "nothing to ask"
  })
})

/** Questions for a person. */
export const elicitation = [
  ask,
  greet,
  confirm("test_input_required_result_request_state", "Asks, and finds its state again"),
  confirm("test_input_required_result_tampered_state", "Asks, and takes no state but its own"),
  optional
]
