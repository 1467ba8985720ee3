import * as Base64Url from "effect/encoding/Base64Url"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor?: string
}

/** As JSON text, which tells apart even names that are no Unicode. */
const cursorAfter = ({ name }: { readonly name: string }): string => Base64Url.encode(JSON.stringify(name))

/**
 * Cuts a list into pages. A cursor holds the name of the last item before its page, in a form that says nothing to a
 * client; undefined answers one that was not given out.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const paginate = <A extends { readonly name: string }>(items: ReadonlyArray<A>, pageSize: number) => {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) throw new Error(`pageSize is not a count: ${pageSize}`)
  const starts = new Map<string, number>()
  for (let at = pageSize; at < items.length; at += pageSize) starts.set(cursorAfter(items[at - 1]!), at)
  return (cursor: string | undefined): Page<A> | undefined => {
    const start = cursor === undefined ? 0 : starts.get(cursor)
    if (start === undefined) return undefined
    const end = start + pageSize
    return end < items.length
      ? { items: items.slice(start, end), nextCursor: cursorAfter(items[end - 1]!) }
      : { items: items.slice(start) }
  }
}
