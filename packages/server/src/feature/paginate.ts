import { limits } from "@effective-mcp/protocol"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor?: string
}

/** Where a page begins: between two names, at a place that is only looked at when both are gone. */
type Place = readonly [last: string, next: string, at: number]

/** As JSON text, which tells apart even names that are no Unicode. */
const write = (place: Place): string => Base64Url.encode(JSON.stringify(place))

const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === "string" &&
  typeof value[1] === "string" &&
  Number.isSafeInteger(value[2]) &&
  value[2] > 0

const read = (cursor: string): Place | undefined => {
  if (cursor.length > limits.messageBytes) return undefined
  const text = Base64Url.decodeString(cursor)
  if (Result.isFailure(text)) return undefined
  try {
    const place: unknown = JSON.parse(text.success)
    return isPlace(place) ? place : undefined
  } catch {
    return undefined
  }
}

/**
 * Cuts a list into pages. A cursor says nothing to a client, and holds the names around the place where its page begins,
 * so that the page after it is right even when the list has changed since: what was there all the time comes once. With
 * both names gone something may come twice rather than be left out. Undefined answers what is no cursor.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const paginate =
  <A>(items: ReadonlyArray<A>, nameOf: (item: A) => string, pageSize: number) =>
  (cursor: string | undefined): Page<A> | undefined => {
    const start = cursor === undefined ? 0 : startOf(items, nameOf, cursor)
    if (start === undefined) return undefined
    const end = start + pageSize
    return end < items.length
      ? { items: items.slice(start, end), nextCursor: write([nameOf(items[end - 1]!), nameOf(items[end]!), end]) }
      : { items: items.slice(start) }
  }

const startOf = <A>(items: ReadonlyArray<A>, nameOf: (item: A) => string, cursor: string): number | undefined => {
  const place = read(cursor)
  if (place === undefined) return undefined
  const [last, next, at] = place
  // most lists have not changed
  if (at <= items.length && nameOf(items[at - 1]!) === last) return at
  const after = items.findIndex((item) => nameOf(item) === last)
  if (after >= 0) return after + 1
  const upon = items.findIndex((item) => nameOf(item) === next)
  return upon >= 0 ? upon : Math.min(at - 1, items.length)
}
