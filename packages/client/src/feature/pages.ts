import { ErrorCode, limits, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { EndlessList } from "../ClientError.ts"
import type { RequestOptions } from "../Session.ts"
import { requireTimes } from "../times.ts"

export interface PageOptions {
  /** How many pages are followed. Default 1,000. */
  readonly maxPages?: number | undefined
}

interface Page {
  readonly nextCursor?: string
}

/** Whether a server says that it does not know a cursor, or no more. */
const isRefused = (error: unknown): boolean => error instanceof RpcError && error.code === ErrorCode.InvalidParams

/**
 * Follows the cursors of a list, which are never interpreted: an empty one continues as any other. When one is refused the
 * list is read from its first page again, once, and what it has given already is left out.
 *
 * @param keyOf what an entry is known by
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const pages = <P extends Page, A, E>(
  method: string,
  fetch: (params: { readonly cursor?: string }) => Effect.Effect<P, E>,
  items: (page: P) => ReadonlyArray<A>,
  keyOf: (item: A) => string,
  options: RequestOptions & PageOptions
): Stream.Stream<A, E | EndlessList> => {
  const { maxPages = limits.pages } = options
  requireTimes(options)
  if (!Number.isSafeInteger(maxPages) || maxPages < 1) throw new Error(`maxPages is not a count: ${maxPages}`)
  return Stream.suspend(() => {
    const seen = new Set<string>()
    const given = new Set<string>()
    let isAgain = false
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
    const fresh = (page: P): ReadonlyArray<A> => {
      const all = items(page)
      const left = isAgain ? all.filter((item) => !given.has(keyOf(item))) : all
      for (const item of left) given.add(keyOf(item))
      return left
    }
    const step = (cursor: string | undefined): Effect.Effect<Step, E> =>
      Effect.map(fetch(cursor === undefined ? {} : { cursor }), (page) => {
        read++
        return [fresh(page), next(page)]
      })
    // a list that does not end fails after its last page, so that nothing that was read is lost
    return Stream.paginate(undefined as At, (at): Effect.Effect<Step, E | EndlessList> => {
      if (at instanceof EndlessList) return Effect.fail(at)
      if (at === undefined || isAgain) return step(at)
      return Effect.catchIf(step(at), isRefused, () => {
        isAgain = true
        seen.clear()
        return step(undefined)
      })
    })
  })
}
