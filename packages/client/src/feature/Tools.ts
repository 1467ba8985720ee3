import type { CallToolResult, ListToolsParams, ListToolsResult, Tool } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { type CallError, type EndlessList, NotOffered } from "../ClientError.ts"
import type { RequestOptions, Session } from "../Session.ts"
import { requireTimes } from "../times.ts"
import { type PageOptions, pages } from "./pages.ts"

const offered = <A, E>(session: Session, use: Effect.Effect<A, E>): Effect.Effect<A, E | NotOffered> =>
  session.capabilities.tools === undefined ? Effect.fail(new NotOffered({ capability: "tools" })) : use

/**
 * Lists tools: one request, one page; `nextCursor` asks for the one after.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
 */
export const list = (
  session: Session,
  params: ListToolsParams = {},
  options?: RequestOptions
): Effect.Effect<ListToolsResult, CallError> => offered(session, session.request("tools/list", params, options))

/**
 * All tools, page after page as they are taken. It fails when the list does not end; a `maxPages` that is no count, and
 * a time that is none, throw.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const all = (
  session: Session,
  options: RequestOptions & PageOptions = {}
): Stream.Stream<Tool, CallError | EndlessList> => {
  requireTimes(options)
  return pages(
    "tools/list",
    (params) => list(session, params, options),
    ({ tools }) => tools,
    options
  )
}

/**
 * Calls a tool, by its name or as it was listed. That the tool failed is a result too: see its `isError`.
 *
 * A call is never sent twice by us: when its outcome is not known, the error says so.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools
 */
export const call = <A extends object>(
  session: Session,
  tool: string | Pick<Tool, "name">,
  args?: A extends ReadonlyArray<unknown> ? never : A,
  options?: RequestOptions
): Effect.Effect<CallToolResult, CallError> => {
  const name = typeof tool === "string" ? tool : tool.name
  return offered(
    session,
    session.request("tools/call", args === undefined ? { name } : { name, arguments: { ...(args as object) } }, options) // cast: an object of any type
  )
}

/** The text of a result: its text contents, a line each. */
export const text = ({ content }: CallToolResult): string =>
  content.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join("\n")
