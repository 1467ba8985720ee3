import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  PageParams,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  RpcError
} from "@effective-mcp/protocol"
import { ErrorCode, quote } from "@effective-mcp/protocol"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CallError, EndlessList } from "../ClientError.ts"
import type { RequestOptions, SessionLike } from "../Session.ts"
import { type PageOptions, pages } from "./pages.ts"

/**
 * The server has no such resource; `error` is what it answered.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
 */
export class ResourceNotFound extends Data.TaggedError("ResourceNotFound")<{
  readonly uri: string
  readonly error: RpcError
}> {
  readonly outcome = "Rejected" as const

  override get message(): string {
    return `the server has no resource ${quote(this.uri)}`
  }
}

/** What says so: the newest revision by the one, those before by the other, and servers by either. */
const notFound: ReadonlySet<number> = new Set([ErrorCode.InvalidParams, ErrorCode.ResourceNotFound])

/**
 * Lists resources: one request, one page; `nextCursor` asks for the one after.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources
 */
export const list = (
  session: SessionLike,
  params: PageParams = {},
  options?: RequestOptions
): Effect.Effect<ListResourcesResult, CallError> => session.request("resources/list", params, options)

/**
 * Lists templates of resources, in the same way.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 */
export const templates = (
  session: SessionLike,
  params: PageParams = {},
  options?: RequestOptions
): Effect.Effect<ListResourceTemplatesResult, CallError> => session.request("resources/templates/list", params, options)

/**
 * All resources, page after page as they are taken. It fails when the list does not end; a `maxPages` that is no count, and
 * a time that is none, throw.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const all = (
  session: SessionLike,
  options: RequestOptions & PageOptions = {}
): Stream.Stream<Resource, CallError | EndlessList> =>
  pages(
    "resources/list",
    (params) => list(session, params, options),
    ({ resources }) => resources,
    ({ uri }) => uri,
    options
  )

/** All templates of resources, in the same way. */
export const allTemplates = (
  session: SessionLike,
  options: RequestOptions & PageOptions = {}
): Stream.Stream<ResourceTemplate, CallError | EndlessList> =>
  pages(
    "resources/templates/list",
    (params) => templates(session, params, options),
    ({ resourceTemplates }) => resourceTemplates,
    ({ uriTemplate }) => uriTemplate,
    options
  )

/**
 * Reads a resource, by its URI or as it was listed. What it holds may be in several parts; `blob` is base64.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
 */
export const read = (
  session: SessionLike,
  resource: string | Pick<Resource, "uri">,
  options?: RequestOptions
): Effect.Effect<ReadResourceResult, CallError | ResourceNotFound> => {
  const uri = typeof resource === "string" ? resource : resource.uri
  return session
    .request("resources/read", { uri }, options)
    .pipe(
      Effect.mapError((error) =>
        error._tag === "RpcError" && notFound.has(error.code) ? new ResourceNotFound({ uri, error }) : error
      )
    )
}

/** The text of what was read: that of its parts that are texts, one after the other. */
export const text = ({ contents }: ReadResourceResult): string =>
  contents.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n")
