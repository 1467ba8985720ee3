import { Ask, Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A question for the client's model. */
export const modelAsked = (text: string) =>
  Ask.sample({ messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 100 })

const sampled = Effect.fnUntraced(function* (prompt: string) {
  const call = yield* Call
  const { said } = yield* call.ask({ said: modelAsked(prompt) })
  const { content } = said
  return `LLM response: ${"type" in content && content.type === "text" ? content.text : JSON.stringify(content)}`
})

/** Questions for a model. */
export const sampling = [
  Tool.make("test_sampling", {
    description: "Asks the client's model",
    input: { prompt: Schema.String },
    run: ({ prompt }) => sampled(prompt)
  }),
  Tool.make("test_missing_capability", {
    description: "Asks the client's model, which its client has to have",
    run: () => sampled("Are you there?")
  }),
  Tool.make("test_input_required_result_sampling", {
    description: "Asks the client's model for a capital",
    run: () => sampled("What is the capital of France?")
  })
]
