import type { GetPromptResult, ListPromptsResult, PageParams, Prompt } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CallError, EndlessList } from "../ClientError.ts"
import type { RequestOptions, SessionLike } from "../Session.ts"
import { type PageOptions, pages } from "./pages.ts"

/**
 * Lists prompts: one request, one page; `nextCursor` asks for the one after.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#listing-prompts
 */
export const list = (
  session: SessionLike,
  params: PageParams = {},
  options?: RequestOptions
): Effect.Effect<ListPromptsResult, CallError> => session.request("prompts/list", params, options)

/**
 * All prompts, page after page as they are taken. It fails when the list does not end; a `maxPages` that is no count, and
 * a time that is none, throw.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const all = (
  session: SessionLike,
  options: RequestOptions & PageOptions = {}
): Stream.Stream<Prompt, CallError | EndlessList> =>
  pages(
    "prompts/list",
    (params) => list(session, params, options),
    ({ prompts }) => prompts,
    ({ name }) => name,
    options
  )

/**
 * Gets a prompt, by its name or as it was listed, with its arguments filled in.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
 */
export const get = (
  session: SessionLike,
  prompt: string | Pick<Prompt, "name">,
  args?: { readonly [name: string]: string },
  options?: RequestOptions
): Effect.Effect<GetPromptResult, CallError> => {
  const name = typeof prompt === "string" ? prompt : prompt.name
  return session.request("prompts/get", args === undefined ? { name } : { name, arguments: { ...args } }, options)
}
