/**
 * Which page of a list: `cursor` is what the page before gave as `nextCursor`; an empty one is one like any other.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export interface PageParams {
  readonly cursor?: string
}
