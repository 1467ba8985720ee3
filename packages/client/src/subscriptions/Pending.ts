import { limits, type SubscriptionFilter } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import type { List, ServerChange } from "../Hub.ts"

/**
 * What a subscription tells.
 *
 * - `Listening`: the server tells of `granted` from now on; what else was asked for is `refused`.
 * - `Missed`: changes may have been lost, because the subscription was opened again or its reader was far behind: what was
 *   read of anything that is listened to may be stale.
 * - `ListChanged`, `Updated`: a list, or a resource, is not what it was.
 */
export type Change =
  | { readonly _tag: "Listening"; readonly granted: SubscriptionFilter; readonly refused: SubscriptionFilter }
  | { readonly _tag: "Missed" }
  | ServerChange

type Chunk = readonly [Change, ...Array<Change>]
type Next<E> = Effect.Effect<Chunk, E | Cause.Done>

/** What one reader has still to be told. */
export interface Pending<E> {
  readonly add: (change: Change) => void
  /** After what waits, the reader is told of the end. */
  readonly end: (error: Effect.Effect<never, E | Cause.Done>) => void
  readonly pull: Pull.Pull<Chunk, E>
}

/**
 * A change that already waits to be told is not told twice: all that it says is to read again. So no more waits than was
 * asked for, but for parts of resources that each have a URI of their own; over 1,000 of those are told as `Missed`.
 */
export const make = <E>(most: number = limits.unreadChanges): Pending<E> => {
  let listening: Change | undefined
  let missed = false
  const lists = new Set<List>()
  const uris = new Set<string>()
  let ended: Effect.Effect<never, E | Cause.Done> | undefined
  let wake: ((next: Next<E>) => void) | undefined

  const take = (): Array<Change> => {
    const changes: Array<Change> = []
    if (listening !== undefined) changes.push(listening)
    if (missed) changes.push({ _tag: "Missed" })
    for (const list of lists) changes.push({ _tag: "ListChanged", list })
    for (const uri of uris) changes.push({ _tag: "Updated", uri })
    listening = undefined
    missed = false
    lists.clear()
    uris.clear()
    return changes
  }
  const next = (): Next<E> | undefined => {
    const [first, ...rest] = take()
    return first === undefined ? ended : Effect.succeed([first, ...rest])
  }
  const flush = (): void => {
    const resume = wake
    const waiting = resume === undefined ? undefined : next()
    if (waiting === undefined) return
    wake = undefined
    resume?.(waiting)
  }
  return {
    add: (change) => {
      if (change._tag === "Listening") listening = change
      else if (change._tag === "Missed") missed = true
      else if (change._tag === "ListChanged") lists.add(change.list)
      else uris.add(change.uri)
      if (uris.size > most) {
        uris.clear()
        missed = true
      }
      flush()
    },
    end: (how) => {
      ended ??= how
      flush()
    },
    pull: Effect.suspend(
      () =>
        next() ??
        Effect.callback<Chunk, E | Cause.Done>((resume) => {
          // its fiber may have given up its turn since it looked
          const late = next()
          if (late !== undefined) return resume(late)
          wake = resume
          return Effect.sync(() => {
            wake = undefined
          })
        })
    )
  }
}
