import { Ask, Call, Prompt } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Prompts and resources ask as tools do. */
export const prompt = Prompt.make("test_input_required_result_prompt", {
  description: "A text with a gap that a person fills",
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    const { user_context } = yield* call.ask({
      user_context: Ask.form("What context should the prompt use?", { context: Schema.String })
    })
    return user_context.action === "accept" ? `Use this context: ${user_context.content.context}` : "Use no context."
  })
})
