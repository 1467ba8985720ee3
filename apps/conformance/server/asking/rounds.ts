import { Ask, Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A second question that depends on the first answer. */
export const rounds = [
  Tool.make("test_input_required_result_multi_round", {
    description: "Asks for a name, and then for a color",
    run: Effect.fnUntraced(function* () {
      const call = yield* Call
      const { name } = yield* call.ask({ name: Ask.form("Step 1: What is your name?", { name: Schema.String }) })
      if (name.action !== "accept") return "Nothing is known."
      const { color } = yield* call.ask({
        color: Ask.form(`Step 2: What is your favorite color, ${name.content.name}?`, { color: Schema.String })
      })
      return `${name.content.name} likes ${color.action === "accept" ? color.content.color : "no color"}.`
    })
  })
]
