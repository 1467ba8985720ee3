import { Prompt } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A prompt whose arguments are completed while they are typed: from a list, and by what the other one is. */
export const completable = [
  Prompt.make("test_prompt_with_arguments", {
    description: "A text with two gaps",
    arguments: {
      arg1: Schema.String.annotate({ description: "First test argument" }),
      arg2: Schema.String.annotate({ description: "Second test argument" })
    },
    complete: {
      arg1: ["paris", "park", "party"],
      arg2: (typed, { arg1 = "" }) => Effect.succeed([`${typed}${arg1}`])
    },
    run: ({ arg1, arg2 }) => Effect.succeed(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)
  })
]
