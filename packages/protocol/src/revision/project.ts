import type { JsonObject } from "../JsonRpc.ts"
import type { CacheHints } from "../model/caching.ts"

/** The same without some members; the very same when it has none of them. */
export const omit = <A extends object, K extends string>(value: A, keys: ReadonlyArray<K>): Omit<A, K> => {
  if (!keys.some((key) => key in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.some((other) => other === key))) as Omit<A, K> // cast: just left out
}

/** The members of params that a revision puts beside what was asked. */
interface Beside {
  readonly _meta?: unknown
  readonly task?: unknown
  readonly inputResponses?: unknown
  readonly requestState?: unknown
}

/** Params without what travels with every request. Every request comes by here: it is written for speed. */
export const paramsOf = <A extends object>(wire: A): A => {
  const { _meta, inputResponses: _responses, requestState: _state, task: _task, ...asked } = wire as A & Beside
  return asked as unknown as A // cast: no neutral params have them
}

/** Leaves out members of a value, and of its annotations. */
export const without =
  (keys: ReadonlyArray<string>, annotationKeys: ReadonlyArray<string> = []) =>
  <A extends { readonly annotations?: object }>(value: A): A => {
    const kept = omit(value, keys) as A // cast: what is left out is optional
    if (kept.annotations === undefined || annotationKeys.length === 0) return kept
    const annotations = omit(kept.annotations, annotationKeys)
    return annotations === kept.annotations ? kept : { ...kept, annotations }
  }

/** Writes a value as it is. */
export const asItIs = (value: object): JsonObject => ({ ...value })

/** What only results of the modern era say, of whatever method: their type, hints for caches, and questions. */
const modern = ["resultType", "ttlMs", "cacheScope", "inputRequests", "requestState"] as const

/** A result as legacy revisions have it. */
export const ofLegacy = <A extends object>(result: A): A => omit(result, modern) as A // cast: no neutral result needs them

/** Writes a result as it is where the era is legacy. */
export const legacyAsItIs = (result: object): JsonObject => ({ ...ofLegacy(result) })

/** A list with each entry as `change` says; the very same when it leaves each as it is. */
export const each = <A>(items: ReadonlyArray<A>, change: (item: A) => A): ReadonlyArray<A> => {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed
}

/** Writes a list where there are no caching hints, each entry as `encode` says. */
export const list =
  <K extends string, A extends object>(key: K, encode: (item: A) => object = (item) => item) =>
  (result: CacheHints & { readonly [P in K]: ReadonlyArray<A> }): JsonObject => ({
    ...ofLegacy(result),
    [key]: result[key].map((item) => encode(item))
  })
