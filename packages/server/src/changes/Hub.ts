import { limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Change } from "../Changes.ts"
import { Pending } from "./Pending.ts"

/** Changes of one turn that are put together. */
const MOST = 10_000

/** Where changes come from: it runs for as long as anybody listens. */
export type Source = (hear: (change: Change) => void) => Effect.Effect<void, never, Scope.Scope>

/** Hears a server's changes once, whatever the number of its clients, and passes on those of one turn together. */
export interface Hub {
  /** Hears from when it has completed until the scope is closed. */
  readonly subscribe: (hear: (change: Change) => void) => Effect.Effect<void, never, Scope.Scope>
  /** Takes room for so many characters, if there is some; a negative number gives it back. */
  readonly take: (chars: number) => boolean
  /** Ends all that is open, and waits for nobody. */
  readonly end: Effect.Effect<void>
  /** Told when that happens. */
  readonly onEnd: (ended: () => void) => () => void
}

export const make = (sources: ReadonlyArray<Source>): Hub => {
  const all = new Set<{ readonly hear: (change: Change) => void }>()
  const endings = new Set<() => void>()
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
  let room: number = limits.watchedChars
  let running: Scope.Closeable | undefined
  const pending = new Pending()
  const pass = Effect.sync(() => {
    for (const change of pending.take()) for (const one of all) one.hear(change)
    pending.onFilled(passLater)
  })
  /** A turn later, in which more may change. */
  const passLater = (): void => void Effect.runFork(Effect.andThen(Effect.yieldNow, pass))
  pending.onFilled(passLater)
  const hear = (change: Change): void => {
    if (change._tag === "ListChanged" || pending.size < MOST) return pending.add(change)
    // too many resources at once to remember: they are passed on as they come
    for (const one of all) one.hear(change)
  }
  const start = Effect.suspend(() => {
    if (running !== undefined) return Effect.void
    const scope = Scope.makeUnsafe()
    return Effect.forEach(sources, (source) => source(hear), { discard: true }).pipe(
      Scope.provide(scope),
      Effect.onExit((exit) => {
        if (Exit.isSuccess(exit)) running = scope
        return Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)
      })
    )
  })
  const stop = Effect.suspend(() => {
    if (all.size > 0 || running === undefined) return Effect.void
    const scope = running
    running = undefined
    return Scope.close(scope, Exit.void)
  })
  return {
    subscribe: (hear) =>
      Effect.asVoid(
        Effect.acquireRelease(
          oneAtATime(
            Effect.map(start, () => {
              const one = { hear }
              all.add(one)
              return one
            })
          ),
          (one) =>
            Effect.suspend(() => {
              all.delete(one)
              return all.size > 0 ? Effect.void : oneAtATime(stop)
            })
        )
      ),
    take: (chars) => {
      if (chars > room) return false
      room -= chars
      return true
    },
    end: Effect.sync(() => {
      for (const ended of endings) ended()
    }),
    onEnd: (ended) => {
      endings.add(ended)
      return () => endings.delete(ended)
    }
  }
}
