import { limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** What kinds of results are kept: one a method that says how long its results stay fresh. */
export type CacheKind = "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" | "resources/read"

/** What a kept result answers. Two keys that differ in anything never share a result. */
export interface CacheKey {
  readonly kind: CacheKind
  /** The cursor of a list's page, the URI of a resource that is read; empty for the first page. */
  readonly at: string
  /** A fingerprint of the `_meta` that the request had. */
  readonly meta: string
  /** A fingerprint of who asked; undefined for a result that anybody may be given. */
  readonly context: string | undefined
}

/** A kept result: plain JSON, so that it can be kept elsewhere. */
export interface CacheEntry {
  readonly value: object
  /** When it came, in ms since 1970, and how long it stays fresh. */
  readonly receivedAt: number
  readonly ttlMs: number
}

/**
 * Keeps the results of one server, within bounds of its own. It may forget at any time; what it gives back belongs to
 * whoever asked.
 */
export interface CacheStore {
  readonly get: (key: CacheKey) => Effect.Effect<CacheEntry | undefined>
  readonly set: (key: CacheKey, entry: CacheEntry) => Effect.Effect<void>
  /** Forgets what is of a kind, or what of it is at one place; without a kind, all. */
  readonly drop: (kind?: CacheKind, at?: string) => Effect.Effect<void>
}

/** How much is kept in memory. */
export interface MemoryOptions {
  /** Results of each kind. Default 64. */
  readonly most?: number | undefined
  /** Characters of all results as JSON; one that has more than a quarter of them is not kept. Default 16 Mi. */
  readonly chars?: number | undefined
}

/** What is kept in the memory of one client, which hears of changes as long as its session. */
export interface Memory extends CacheStore {
  /** Forgets what has no time of its own. */
  readonly dropUntimed: Effect.Effect<void>
}

interface Kept {
  readonly key: CacheKey
  /** The value, as JSON: what that is large in any other way is not kept. */
  readonly text: string
  readonly receivedAt: number
  readonly ttlMs: number
  readonly weight: number
}

const nameOf = ({ at, context, kind, meta }: CacheKey): string => JSON.stringify([kind, at, meta, context ?? null])

/** Undefined for what is no JSON. */
const textOf = (value: object): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Keeps results in memory, within bounds: what is stale goes first, then what has been kept longest. */
export const memory = ({ chars = limits.cachedChars, most = limits.cached }: MemoryOptions = {}): Memory => {
  for (const count of [chars, most])
    if (!Number.isSafeInteger(count) || count < 1) throw new Error(`not a count: ${count}`)
  const all = new Map<string, Kept>()
  const counts = new Map<CacheKind, number>()
  let total = 0

  const count = (kind: CacheKind): number => counts.get(kind) ?? 0
  const forget = (name: string): void => {
    const kept = all.get(name)
    if (kept === undefined) return
    all.delete(name)
    counts.set(kept.key.kind, count(kept.key.kind) - 1)
    total -= kept.weight
  }
  const forgetAll = (isGone: (kept: Kept) => boolean): void => {
    for (const [name, kept] of all) if (isGone(kept)) forget(name)
  }
  const makeRoom = (kind: CacheKind, weight: number, now: number): void => {
    const isHeavy = (): boolean => total + weight > chars
    const isFull = (): boolean => count(kind) >= most
    const isInTheWay = ({ key }: Kept): boolean => isHeavy() || (isFull() && key.kind === kind)
    if (!isHeavy() && !isFull()) return
    forgetAll((kept) => isInTheWay(kept) && kept.receivedAt + kept.ttlMs <= now)
    forgetAll(isInTheWay)
  }
  return {
    get: (key) =>
      Effect.sync(() => {
        const kept = all.get(nameOf(key))
        if (kept === undefined) return undefined
        const { receivedAt, text, ttlMs } = kept
        const value: object = JSON.parse(text)
        return { value, receivedAt, ttlMs }
      }),
    set: (key, { receivedAt, ttlMs, value }) =>
      Effect.sync(() => {
        const name = nameOf(key)
        forget(name)
        const text = textOf(value)
        if (text === undefined) return
        const weight = name.length + text.length
        if (weight > chars / 4) return
        makeRoom(key.kind, weight, receivedAt)
        all.set(name, { key, text, receivedAt, ttlMs, weight })
        counts.set(key.kind, count(key.kind) + 1)
        total += weight
      }),
    drop: (kind, at) =>
      Effect.sync(() =>
        forgetAll(({ key }) => (kind === undefined || key.kind === kind) && (at === undefined || key.at === at))
      ),
    dropUntimed: Effect.sync(() => forgetAll(({ ttlMs }) => ttlMs === Infinity))
  }
}

export const CacheStore: {
  /** A store in memory: what a client has unless it is given another, and what one of your own may be built around. */
  readonly memory: (options?: MemoryOptions) => CacheStore
} = { memory }
