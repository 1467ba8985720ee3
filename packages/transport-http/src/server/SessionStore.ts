import { limits, type Snapshot } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** What is kept of a legacy session: plain data, enough to take it up in another process. */
export interface Kept {
  readonly snapshot: Snapshot
  /** Who opened it, where that is asked. */
  readonly owner?: string
  /** The web origin that opened it, where there was one. */
  readonly origin?: string
}

/**
 * Keeps legacy sessions for other processes, or for this one after a restart. Their ids are secrets.
 * `SessionStoreContract` of `@effective-mcp/testkit` tries a store of your own.
 */
export interface SessionStore {
  /** Keeps a session under its id for `ms` milliseconds from now, instead of what was kept before. */
  readonly put: (id: string, kept: Kept, ms: number) => Effect.Effect<void>
  /** What is kept; undefined when there is nothing, or its time is over. */
  readonly get: (id: string) => Effect.Effect<Kept | undefined>
  /** Keeps it no longer; what is not kept is nothing wrong. */
  readonly remove: (id: string) => Effect.Effect<void>
}

/** A session store in this process: what several endpoints in it share. */
export const memory = (): SessionStore => {
  const sessions = new Map<string, { readonly kept: Kept; readonly until: number }>()
  let clearedAt = -Infinity
  const clear = (now: number): void => {
    if (now - clearedAt < limits.reaperMs) return
    clearedAt = now
    for (const [id, { until }] of sessions) if (until <= now) sessions.delete(id)
  }
  return {
    put: (id, kept, ms) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        clear(now)
        sessions.set(id, { kept, until: now + ms })
      }),
    get: (id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const found = sessions.get(id)
        return found === undefined || found.until <= now ? undefined : found.kept
      }),
    remove: (id) => Effect.sync(() => void sessions.delete(id))
  }
}
