import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"

/** What plain code feeds and a reader pulls: a chunk a pull, one resume a flush, one reader. It holds what was pushed until then. */
export interface Inbox<A, E> {
  readonly push: (item: A) => void
  /** Wakes the reader, if it waits and there is something for it. */
  readonly flush: () => void
  /** After what was pushed before, it ends, or fails with `error`. Only the first end counts. */
  readonly end: (error?: E) => void
  /** How many items nobody has read yet. */
  readonly size: () => number
  /** Takes out the oldest item that passes the test; false when there is none. */
  readonly drop: (test: (item: A) => boolean) => boolean
  readonly incoming: Effect.Effect<Pull.Pull<NonEmptyReadonlyArray<A>, E>>
}

/** `onPull` is told whenever the reader has taken all there is. */
export const make = <A, E = never>(onPull?: () => void): Inbox<A, E> => {
  let items: Array<A> = []
  let ended: Effect.Effect<never, E | Cause.Done> | undefined
  let wake: ((chunk: Pull.Pull<NonEmptyReadonlyArray<A>, E>) => void) | undefined

  const next = (): Pull.Pull<NonEmptyReadonlyArray<A>, E> | undefined => {
    if (items.length === 0) return ended
    const chunk = items as unknown as NonEmptyReadonlyArray<A> // cast: it is not empty
    items = []
    return Effect.succeed(chunk)
  }
  const flush = (): void => {
    if (wake === undefined) return
    const chunk = next()
    if (chunk === undefined) return
    const resume = wake
    wake = undefined
    resume(chunk)
  }
  const pull = Effect.suspend(() => {
    const chunk = next()
    onPull?.()
    return (
      chunk ??
      Effect.callback<NonEmptyReadonlyArray<A>, E | Cause.Done>((resume) => {
        // its fiber may have given up its turn since it looked
        const late = next()
        if (late !== undefined) return resume(late)
        wake = resume
        return Effect.sync(() => {
          wake = undefined
        })
      })
    )
  })
  return {
    push: (item) => {
      if (ended === undefined) items.push(item)
    },
    flush,
    end: (error) => {
      ended ??= error === undefined ? Cause.done() : Effect.fail(error)
      flush()
    },
    size: () => items.length,
    drop: (test) => {
      const at = items.findIndex(test)
      if (at >= 0) items.splice(at, 1)
      return at >= 0
    },
    incoming: Effect.succeed(pull)
  }
}
