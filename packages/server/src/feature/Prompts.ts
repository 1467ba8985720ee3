import { quote, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Chapter, Settings } from "../Core.ts"
import type { Prompt } from "../Prompt.ts"
import { byName, list, withSeen } from "./list.ts"

/**
 * The prompts of a server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export const chapter = <R>(prompts: ReadonlyArray<Prompt<R>>, settings: Settings<R>): Chapter<R> => {
  const all = byName(prompts, "name")
  const pages = list(prompts, (prompt) => prompt.describe(), settings, settings.hintsOf("prompts/list"))
  return {
    capabilities: { prompts: {} },
    operations: {
      "prompts/list": ({ cursor }) => Effect.map(pages(cursor), ({ items, ...rest }) => ({ prompts: items, ...rest })),
      "prompts/get": ({ arguments: args = {}, name }) =>
        withSeen(
          settings,
          all.get(name),
          (prompt) => prompt?.run(args) ?? Effect.fail(RpcError.invalidParams(`Unknown prompt: ${quote(name)}`))
        )
    }
  }
}
