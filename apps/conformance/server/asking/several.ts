import { Ask, Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { modelAsked } from "./sampling.ts"

const list = Tool.make("test_input_required_result_list_roots", {
  description: "Asks where it may work",
  run: Effect.fnUntraced(function* () {
    const { places } = yield* (yield* Call).ask({ places: Ask.roots })
    return `${places.length} roots: ${places.map(({ uri }) => uri).join(", ")}`
  })
})

const all = Tool.make("test_input_required_result_multiple_inputs", {
  description: "Asks a person, a model and for roots, all at once",
  run: Effect.fnUntraced(function* () {
    const { greeting, places, user_name } = yield* (yield* Call).ask({
      user_name: Ask.form("What is your name?", { name: Schema.String }),
      greeting: modelAsked("Generate a greeting"),
      places: Ask.roots
    })
    return `${user_name.action}, ${greeting.model}, ${places.length} roots`
  })
})

/** It asks whom it can: what a client has declared is known before. */
const fitting = Tool.make("test_input_required_result_capabilities", {
  description: "Asks a model if there is one, else a person",
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    const { elicitation, sampling } = call.clientCapabilities
    if (sampling !== undefined) return (yield* call.ask({ greeting: modelAsked("Generate a greeting") })).greeting.model
    if (elicitation === undefined) return "There is nobody to ask."
    return (yield* call.ask({ user: Ask.form("Are you there?", { yes: Schema.Boolean }) })).user.action
  })
})

/** Questions of several kinds. */
export const several = [list, all, fitting]
