import { Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"

const say = (name: string, description: string, lines: ReadonlyArray<string>) =>
  Tool.make(name, {
    description,
    run: Effect.fnUntraced(function* () {
      const call = yield* Call
      for (const [at, line] of lines.entries()) {
        if (at > 0) yield* Effect.sleep(50)
        yield* call.log("info", line, name)
      }
      return `${lines.length} lines logged, for whoever asked for them`
    })
  })

/** Tools that log to their caller, which hears of it if it has asked for that level. */
export const logging = [
  say("test_tool_with_logging", "Logs three lines", [
    "Tool execution started",
    "Tool processing data",
    "Tool execution completed"
  ]),
  say("test_logging_tool", "Logs one line", ["Nobody has to hear this"])
]
