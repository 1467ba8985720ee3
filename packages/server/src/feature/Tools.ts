import { type ListToolsResult, RpcError } from "@effective-mcp/protocol"
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
  return {
    capabilities: { tools: {} },
    operations: {
      "tools/list": ({ cursor }): Effect.Effect<ListToolsResult, RpcError> => {
        const page = pages(cursor)
        return page === undefined
          ? Effect.fail(RpcError.invalidParams("Invalid cursor"))
          : Effect.succeed({
              tools: page.items.map((tool) => tool.describe()),
              ...(page.nextCursor === undefined ? undefined : { nextCursor: page.nextCursor })
            })
      },
      "tools/call": ({ arguments: args = {}, name }) =>
        byName.get(name)?.run(args) ?? Effect.fail(RpcError.invalidParams(`Unknown tool: ${name}`))
    }
  }
}
