import { type CallToolResult, isToolName, quote, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"
import type { Chapter, Failure, Settings } from "../Core.ts"
import type { InputRequired } from "../InputRequired.ts"
import type { Tool } from "../Tool.ts"
import { byName, list, withSeen } from "./list.ts"

const ADVICE = "clients may refuse it: a name has 1 to 128 of A-Z, a-z, 0-9, _, - and ."

/**
 * The tools of a server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export const chapter = <R>(tools: ReadonlyArray<Tool<R>>, settings: Settings<R>): Chapter<R> => {
  const all = byName(tools, "name")
  const pages = list(tools, (tool) => tool.describe(), settings, settings.hintsOf("tools/list"))
  let warned = false
  const warn = Effect.suspend(() => {
    if (warned) return Effect.void
    warned = true
    return Effect.forEach(
      tools.filter(({ name }) => !isToolName(name)),
      ({ name }) => Effect.logWarning(`The tool ${quote(name)}: ${ADVICE}`),
      { discard: true }
    )
  })
  return {
    capabilities: { tools: {} },
    operations: {
      "tools/list": ({ cursor }) =>
        Effect.map(Effect.andThen(warn, pages(cursor)), ({ items, ...rest }) => ({ tools: items, ...rest })),
      "tools/call": ({ arguments: args = {}, name }) =>
        withSeen(
          settings,
          all.get(name),
          (tool): Effect.Effect<CallToolResult | InputRequired, Failure, R | Call> =>
            tool?.run(args) ?? Effect.fail(RpcError.invalidParams(`Unknown tool: ${quote(name)}`))
        )
    }
  }
}
