import { Inbox, limits } from "@effective-mcp/protocol"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"

/** A value that changes, and those who follow it. */
export interface States<A> {
  readonly now: () => A
  readonly set: (next: A) => void
  /** Those who follow it come to its last value, and to their end. */
  readonly end: () => void
  /** The value, and each that follows, for as long as the scope is open. */
  readonly follow: Effect.Effect<Pull.Pull<NonEmptyReadonlyArray<A>>, never, Scope.Scope>
}

/** Who reads slowly is told of the last `most` values that wait. */
export const make = <A>(first: A, most: number = limits.unreadStates): States<A> => {
  let now = first
  let isOver = false
  const readers = new Set<Inbox.Inbox<A, never>>()

  const tell = (reader: Inbox.Inbox<A, never>, next: A): void => {
    if (reader.size() >= most) reader.drop(() => true)
    reader.push(next)
    reader.flush()
  }
  const join = Effect.sync(() => {
    const reader = Inbox.make<A>()
    tell(reader, now)
    if (isOver) reader.end()
    else readers.add(reader)
    return reader
  })
  return {
    now: () => now,
    set: (next) => {
      if (isOver) return
      now = next
      for (const reader of readers) tell(reader, next)
    },
    end: () => {
      isOver = true
      for (const reader of readers) reader.end()
      readers.clear()
    },
    follow: Effect.flatMap(
      Effect.acquireRelease(join, (reader) => Effect.sync(() => readers.delete(reader))),
      (reader) => reader.incoming
    )
  }
}
