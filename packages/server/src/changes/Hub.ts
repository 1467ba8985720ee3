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

/** Who hears of changes. */
export interface Listening {
  readonly hear: (change: Change) => void
  /** Told when all that is open has to end. */
  readonly end?: () => void
}

/** Hears a server's changes once, whatever the number of its clients, and passes on those of one turn together. */
export interface Hub {
  /** It hears from when this has completed until it leaves. Not to be interrupted, so that leaving comes after it. */
  readonly join: (one: Listening) => Effect.Effect<void>
  /** As `join`, where somebody hears already; tells whether it has. */
  readonly joinOthers: (one: Listening) => boolean
  readonly leave: (one: Listening) => Effect.Effect<void>
  /** Takes room for so many characters, if there is some; a negative number gives it back. */
  readonly take: (chars: number) => boolean
  /** Ends all that is open, and waits for nobody. */
  readonly end: Effect.Effect<void>
}

export const make = (sources: ReadonlyArray<Source>): Hub => {
  const all = new Set<Listening>()
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
    join: (one) =>
      Effect.suspend(() => {
        if (running === undefined) return Effect.uninterruptible(oneAtATime(Effect.map(start, () => void all.add(one))))
        all.add(one)
        return Effect.void
      }),
    joinOthers: (one) => {
      if (running !== undefined) all.add(one)
      return running !== undefined
    },
    leave: (one) =>
      Effect.suspend(() => {
        if (all.delete(one) && all.size > 0) return Effect.void
        // it may be about to join
        return oneAtATime(
          Effect.suspend(() => {
            all.delete(one)
            return stop
          })
        )
      }),
    take: (chars) => {
      if (chars > room) return false
      room -= chars
      return true
    },
    end: Effect.sync(() => {
      for (const one of all) one.end?.()
    })
  }
}
