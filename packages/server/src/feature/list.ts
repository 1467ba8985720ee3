import { type CacheHints, quote, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"
import type { Settings } from "../Core.ts"
import type { Feature } from "../Feature.ts"
import { type Page, paginate } from "./paginate.ts"

interface Described<A, D> {
  readonly item: A
  readonly description: D
}

/** Some features as clients see them: those that cannot be described are left out, and hide no others. */
const describeAll = <A extends Feature<unknown>, D>(
  items: ReadonlyArray<A>,
  describe: (item: A) => D
): { readonly described: ReadonlyArray<Described<A, D>>; readonly logs: ReadonlyArray<Effect.Effect<void>> } => {
  const described: Array<Described<A, D>> = []
  const logs: Array<Effect.Effect<void>> = []
  for (const item of items) {
    try {
      described.push({ item, description: describe(item) })
    } catch (defect) {
      logs.push(Effect.logError(`The ${item.kind} ${quote(item.name)} is left out of the list`, defect))
    }
  }
  return { described, logs }
}

export interface Listed<D> extends CacheHints {
  readonly items: ReadonlyArray<D>
  readonly nextCursor?: string
}

/**
 * A list of features, page by page, in the order in which they were given: all of them, or those that the caller may
 * see. They are described when the list is first asked for.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export const list = <A extends Feature<unknown>, D, R>(
  items: ReadonlyArray<A>,
  describe: (item: A) => D,
  { pageSize, visible }: Settings<R>,
  hints: CacheHints,
  nameOf: (item: A) => string = ({ name }) => name
): ((cursor: string | undefined) => Effect.Effect<Listed<D>, RpcError, R | Call>) => {
  let all: ReadonlyArray<Described<A, D>> | undefined
  let first: Effect.Effect<Listed<D>> | undefined
  const ready = Effect.suspend(() => {
    if (all !== undefined) return Effect.succeed(all)
    const { described, logs } = describeAll(items, describe)
    all = described
    return Effect.as(Effect.all(logs, { discard: true }), described)
  })
  const say = ({ items, nextCursor }: Page<Described<A, D>>): Listed<D> => ({
    items: items.map(({ description }) => description),
    ...(nextCursor === undefined ? undefined : { nextCursor }),
    ...hints
  })
  const pageOf = (
    described: ReadonlyArray<Described<A, D>>,
    cursor: string | undefined
  ): Effect.Effect<Listed<D>, RpcError> => {
    const page = paginate(described, ({ item }) => nameOf(item), pageSize)(cursor)
    return page === undefined ? Effect.fail(RpcError.invalidParams("Invalid cursor")) : Effect.succeed(say(page))
  }
  return (cursor) => {
    if (visible !== undefined) {
      return Effect.flatMap(visible, (sees) =>
        Effect.flatMap(ready, (described) =>
          pageOf(
            described.filter(({ item }) => sees(item)),
            cursor
          )
        )
      )
    }
    if (cursor !== undefined) return Effect.flatMap(ready, (described) => pageOf(described, cursor))
    // the same for everybody, and asked for most
    if (first !== undefined) return first
    return Effect.tap(
      Effect.flatMap(ready, (described) => pageOf(described, cursor)),
      (page) => {
        first = Effect.succeed(page)
        return Effect.void
      }
    )
  }
}

/** Goes on with what the caller may see; the rest is as if it were not there. */
export const withSeen = <A extends Feature<unknown>, R, B, E, R2>(
  { visible }: Settings<R>,
  item: A | undefined,
  next: (item: A | undefined) => Effect.Effect<B, E, R2>
): Effect.Effect<B, E, R | R2 | Call> =>
  visible === undefined || item === undefined
    ? next(item)
    : Effect.flatMap(visible, (sees) => next(sees(item) ? item : undefined))

/** Features by what tells them apart; two of one name are a mistake of the author. */
export const byName = <A extends Feature<unknown>>(
  items: ReadonlyArray<A>,
  what: string,
  nameOf: (item: A) => string = ({ name }) => name
): ReadonlyMap<string, A> => {
  const all = new Map<string, A>()
  for (const item of items) {
    const name = nameOf(item)
    if (all.has(name)) throw new Error(`two ${item.kind}s have the same ${what}: ${JSON.stringify(name)}`)
    all.set(name, item)
  }
  return all
}
