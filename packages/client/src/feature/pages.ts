import { limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { EndlessList } from "../ClientError.ts"

export interface PageOptions {
  /** How many pages are followed. Default 1,000. */
  readonly maxPages?: number | undefined
}

interface Page {
  readonly nextCursor?: string
}

/**
 * Follows the cursors of a list, which are never interpreted: an empty one continues as any other.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const pages = <P extends Page, A, E>(
  method: string,
  fetch: (params: { readonly cursor?: string }) => Effect.Effect<P, E>,
  items: (page: P) => ReadonlyArray<A>,
  { maxPages = limits.pages }: PageOptions
): Stream.Stream<A, E | EndlessList> => {
  if (!Number.isSafeInteger(maxPages) || maxPages < 1) throw new Error(`maxPages is not a count: ${maxPages}`)
  return Stream.suspend(() => {
    const seen = new Set<string>()
    let read = 0
    const next = ({ nextCursor }: Page): Option.Option<string | EndlessList | undefined> => {
      if (nextCursor === undefined) return Option.none()
      if (seen.has(nextCursor)) return Option.some(new EndlessList({ method, reason: "RepeatedCursor", pages: read }))
      if (read >= maxPages) return Option.some(new EndlessList({ method, reason: "TooManyPages", pages: read }))
      seen.add(nextCursor)
      return Option.some(nextCursor)
    }
    type At = string | EndlessList | undefined
    type Step = readonly [ReadonlyArray<A>, Option.Option<At>]
    // a list that does not end fails after its last page, so that nothing that was read is lost
    return Stream.paginate(undefined as At, (at): Effect.Effect<Step, E | EndlessList> => {
      if (at instanceof EndlessList) return Effect.fail(at)
      return Effect.map(fetch(at === undefined ? {} : { cursor: at }), (page) => {
        read++
        return [items(page), next(page)]
      })
    })
  })
}
