import { type Connection, limits, type TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { backOff, monotonicMs } from "../persist.ts"

type Incoming = Connection["incoming"]
type Pull = Effect.Success<Incoming>

export interface Kept {
  readonly pull: Pull
  /** Comes back to it at once, where it has failed. */
  readonly again: () => void
  /** Comes back to it, where it has failed and some time has gone by: the server has just answered something. */
  readonly works: () => void
}

/** Something that others do, for whoever waits for it. */
class Signal {
  private hear: (() => void) | undefined
  readonly wait = Effect.callback<void>((resume) => {
    this.hear = () => resume(Effect.void)
    return Effect.sync(() => {
      this.hear = undefined
    })
  })
  readonly give = (): void => this.hear?.()
}

/**
 * Reads what a server says unasked, and comes back to it whenever it fails: after 1 s at the least, twice as long each time
 * up to 30 s, with a part of it left to chance; as soon as the server answers something; and at once when that is wanted.
 *
 * @param isOver whether there is nothing left to come back to
 * @param onBack called before it is read again
 */
export const keep = (
  incoming: Incoming,
  isOver: () => boolean,
  onBack: () => void
): Effect.Effect<Kept, never, Effect.Services<Incoming> | Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const again = new Signal()
    const works = new Signal()
    let open: { readonly life: Scope.Closeable; readonly pull: Pull; readonly since: number } | undefined
    let failures = 0

    const begin = Effect.suspend(() => {
      const life = Scope.forkUnsafe(scope)
      return Effect.flatMap(Scope.provide(incoming, life), (pull) =>
        Effect.map(monotonicMs, (since) => {
          open = { life, pull, since }
          return pull
        })
      )
    })
    const leave = Effect.flatMap(monotonicMs, (now) => {
      const left = open
      open = undefined
      if (left === undefined) return Effect.void
      if (now - left.since >= limits.streamBackOffMostMs) failures = 0
      // what closes slowly, as a request that nobody answers does, holds nothing up
      return Effect.asVoid(Effect.forkIn(Scope.close(left.life, Exit.void), scope))
    })
    const wait = Effect.suspend(() => backOff(++failures, limits.streamBackOffMs, limits.streamBackOffMostMs)).pipe(
      Effect.flatMap((ms) => {
        const least = Effect.sleep(Math.min(ms, limits.streamBackOffMs))
        return Effect.raceAllFirst([Effect.sleep(ms), again.wait, Effect.andThen(least, works.wait)])
      })
    )
    const next: Pull = Effect.suspend(() => (open === undefined ? Effect.flatten(begin) : open.pull)).pipe(
      Effect.tap(() => {
        failures = 0
        return Effect.void
      }),
      Effect.catch((error: TransportError | Cause.Done) => {
        // no class: the failure of a wire may come from a build of its own
        if (Cause.isDone(error) || isOver()) return Effect.fail(error)
        const back = Effect.suspend(() => {
          if (isOver()) return Effect.fail(error)
          onBack()
          return next
        })
        return Effect.andThen(leave, Effect.andThen(wait, back))
      })
    )
    return { pull: next, again: again.give, works: works.give }
  })
