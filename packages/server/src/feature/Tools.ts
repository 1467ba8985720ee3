import { isToolName, type ListToolsResult, quote, RpcError, type Tool as Description } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Chapter } from "../Core.ts"
import type { Tool } from "../Tool.ts"
import { paginate } from "./paginate.ts"

/**
 * The tools of a server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export const chapter = <R>(tools: ReadonlyArray<Tool<R>>, pageSize: number): Chapter<R> => {
  const byName = new Map<string, Tool<R>>()
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`two tools have the same name: ${JSON.stringify(tool.name)}`)
    byName.set(tool.name, tool)
  }
  const pages = paginate(tools, pageSize)
  const warned = new Set<string>()
  /** One that cannot be described hides no other. */
  const describe = (tool: Tool<R>): Effect.Effect<ReadonlyArray<Description>> =>
    Effect.suspend(() => {
      if (!isToolName(tool.name) && !warned.has(tool.name)) {
        warned.add(tool.name)
        const advice = "clients may refuse it: a name has 1 to 128 of A-Z, a-z, 0-9, _, - and ."
        return Effect.andThen(Effect.logWarning(`The tool ${JSON.stringify(tool.name)}: ${advice}`), describe(tool))
      }
      return Effect.succeed([tool.describe()])
    }).pipe(
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError(`The tool ${JSON.stringify(tool.name)} is left out of the list`, defect), [])
      )
    )
  return {
    capabilities: { tools: {} },
    operations: {
      "tools/list": ({ cursor }): Effect.Effect<ListToolsResult, RpcError> => {
        const page = pages(cursor)
        if (page === undefined) return Effect.fail(RpcError.invalidParams("Invalid cursor"))
        return Effect.map(Effect.forEach(page.items, describe), (tools) => ({
          tools: tools.flat(),
          ...(page.nextCursor === undefined ? undefined : { nextCursor: page.nextCursor })
        }))
      },
      "tools/call": ({ arguments: args = {}, name }) =>
        byName.get(name)?.run(args) ?? Effect.fail(RpcError.invalidParams(`Unknown tool: ${quote(name)}`))
    }
  }
}
