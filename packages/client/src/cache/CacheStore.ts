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

interface Kept {
  readonly key: CacheKey
  readonly entry: CacheEntry
}

const nameOf = ({ at, context, kind, meta }: CacheKey): string => JSON.stringify([kind, at, meta, context ?? null])

/** A group that is full forgets what is stale first, then what it has kept longest. */
const makeRoom = (group: Map<string, Kept>, now: number): void => {
  for (const [name, { entry }] of group) {
    if (entry.receivedAt + entry.ttlMs <= now) group.delete(name)
  }
  const [oldest] = group.keys()
  if (group.size >= limits.cached && oldest !== undefined) group.delete(oldest)
}

/** Keeps results in memory: of each kind no more than 64. */
export const memory = (): CacheStore => {
  const groups = new Map<CacheKind, Map<string, Kept>>()
  return {
    get: (key) =>
      Effect.sync(() => {
        const kept = groups.get(key.kind)?.get(nameOf(key))
        return kept && { ...kept.entry, value: structuredClone(kept.entry.value) }
      }),
    set: (key, entry) =>
      Effect.sync(() => {
        const group = groups.get(key.kind) ?? new Map<string, Kept>()
        groups.set(key.kind, group)
        const name = nameOf(key)
        group.delete(name)
        if (group.size >= limits.cached) makeRoom(group, entry.receivedAt)
        group.set(name, { key, entry: { ...entry, value: structuredClone(entry.value) } })
      }),
    drop: (kind, at) =>
      Effect.sync(() => {
        if (kind === undefined) return groups.clear()
        if (at === undefined) return void groups.delete(kind)
        const group = groups.get(kind)
        for (const [name, { key }] of group ?? []) if (key.at === at) group?.delete(name)
      })
  }
}
