import { Tool, ToolError } from "@effective-mcp/server"
import * as Effect from "effect/Effect"

/** One fails with words for the model, the other with words that must not leave the process. */
export const failing = [
  Tool.make("test_error_handling", {
    description: "Fails, and says so",
    run: () => Effect.fail(new ToolError({ message: "This tool intentionally returns an error for testing" }))
  }),
  Tool.make("fail", {
    description: "Fails in a way that nobody has thought of",
    run: () =>
      Effect.sync((): string => {
        throw new Error("the password of the database is SECRET-CANARY")
      })
  })
]
