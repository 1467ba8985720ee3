import type { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

/** How one message is held back. */
export interface Hold {
  readonly ms?: number
  /** How many messages of other exchanges pass first. */
  readonly behind?: number
  readonly copies?: number
}

/** One direction of a wire: messages pass in order, but for those that are held back. */
export interface Lane<A> {
  /** Waits while the lane, or what comes after it, is full. Messages that share an exchange never change places. */
  readonly take: (item: A, exchanges: ReadonlyArray<string>, hold?: Hold) => Effect.Effect<void, TransportError>
  /** From now on a message passes every `ms`. */
  readonly slow: (ms: number) => void
  /** Nothing more comes to overtake what waits for that; returns when everything has passed. */
  readonly drain: Effect.Effect<void>
}

interface Held<A> {
  readonly item: A
  readonly exchanges: ReadonlyArray<string>
  readonly copies: number
  behind: number
  isReady: boolean
}

const shares = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.some((exchange) => right.includes(exchange))

/** @param capacity how many messages it holds back before it takes no more */
export const make = Effect.fnUntraced(function* <A>(
  pass: (item: A) => Effect.Effect<void, TransportError>,
  capacity: number
): Effect.fn.Return<Lane<A>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const inOrder = Semaphore.makeUnsafe(1)
  const room = Semaphore.makeUnsafe(capacity)
  const held: Array<Held<A>> = []
  let everyMs = 0
  let isReleasing = false

  const isFree = (entry: Held<A>, at: number): boolean =>
    entry.isReady && !held.some((earlier, i) => i < at && shares(earlier.exchanges, entry.exchanges))
  const overtake = (exchanges: ReadonlyArray<string>): void => {
    for (const entry of held) {
      if (entry.behind > 0 && !shares(entry.exchanges, exchanges) && --entry.behind === 0) entry.isReady = true
    }
  }
  const passAll = (item: A, copies: number): Effect.Effect<void, TransportError> =>
    copies === 1 ? pass(item) : Effect.andThen(pass(item), () => passAll(item, copies - 1))
  const release: Effect.Effect<void> = Effect.suspend(() => {
    const entry = held.find(isFree)
    if (entry === undefined) {
      isReleasing = false
      return Effect.void
    }
    // nobody waits for it any more: when the wire refuses it, it is lost
    const passing = Effect.andThen(Effect.ignoreCause(passAll(entry.item, entry.copies)), () => {
      // only now: until it has passed, what follows in its exchange waits for it
      held.splice(held.indexOf(entry), 1)
      overtake(entry.exchanges)
      return Effect.andThen(room.release(1), release)
    })
    return everyMs > 0 ? Effect.delay(passing, everyMs) : passing
  })
  const kick = Effect.suspend(() => {
    if (isReleasing) return Effect.void
    isReleasing = true
    return Effect.forkIn(release, scope, { startImmediately: true })
  })
  const readyAfter = (entry: Held<A>, ms: number): Effect.Effect<unknown> =>
    Effect.forkIn(
      Effect.andThen(Effect.sleep(ms), () => {
        entry.isReady = true
        return kick
      }),
      scope,
      { startImmediately: true }
    )
  const keep = (item: A, exchanges: ReadonlyArray<string>, { behind = 0, copies = 1, ms }: Hold) =>
    Effect.andThen(room.take(1), () => {
      const entry: Held<A> = { item, exchanges, copies, behind, isReady: ms === undefined && behind === 0 }
      held.push(entry)
      return Effect.asVoid(ms === undefined ? kick : readyAfter(entry, ms))
    })

  return {
    take: (item, exchanges, hold = {}) =>
      inOrder.withPermit(
        Effect.suspend(() => {
          const mustWait = hold.ms !== undefined || (hold.behind ?? 0) > 0 || everyMs > 0
          if (mustWait || held.some((entry) => shares(entry.exchanges, exchanges))) return keep(item, exchanges, hold)
          return Effect.andThen(passAll(item, hold.copies ?? 1), () => {
            overtake(exchanges)
            return Effect.asVoid(kick)
          })
        })
      ),
    slow: (ms) => {
      everyMs = ms
    },
    drain: Effect.suspend(() => {
      for (const entry of held) {
        if (entry.behind > 0) entry.isReady = true
        entry.behind = 0
      }
      return Effect.andThen(kick, room.withPermits(capacity)(Effect.void))
    })
  }
})
