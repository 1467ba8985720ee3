import { type Era, limits, type SubscriptionFilter } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CallError } from "../ClientError.ts"
import { closed } from "../Life.ts"
import { backOff, monotonicMs, passing } from "../persist.ts"
import { ticksOf } from "../Spent.ts"
import type { SessionLike } from "../Session.ts"
import { filterOf, LISTS } from "../subscriptions/filter.ts"
import { isFinal } from "../subscriptions/final.ts"
import { type Change, make as makePending, type Pending } from "../subscriptions/Pending.ts"

export type { Change } from "../subscriptions/Pending.ts"

export interface Options {
  /** How often in a row it is opened again after a break, each time after a longer wait; 0 is never. Default 8. */
  readonly reopenings?: number | undefined
}

/** What of a wish was not granted. */
const refusedOf = (wish: SubscriptionFilter, granted: SubscriptionFilter): SubscriptionFilter => {
  const taken = new Set(granted.resourceSubscriptions)
  const uris = wish.resourceSubscriptions?.filter((uri) => !taken.has(uri)) ?? []
  const lists = LISTS.filter((list) => wish[list] === true && granted[list] !== true)
  return filterOf(lists, uris)
}

/** A wish for nothing, or for more than a server takes, is a mistake of the author: it throws. */
const requireWish = (wish: SubscriptionFilter, reopenings: number): void => {
  const uris = wish.resourceSubscriptions ?? []
  if (uris.length === 0 && LISTS.every((list) => wish[list] !== true)) throw new Error("a subscription to nothing")
  if (uris.length > limits.watched) throw new Error(`more than ${limits.watched} resources in one subscription`)
  if (!Number.isSafeInteger(reopenings) || reopenings < 0) throw new Error(`reopenings is not a count: ${reopenings}`)
}

/** What may be over the next time: the wire broke, or the session has ended. A client that is closed stays so. */
const isBreak = (error: CallError): boolean =>
  error !== closed &&
  !isFinal(error) &&
  error._tag === "TransportError" &&
  (error.reason._tag === "SessionExpired" || passing(error) !== undefined)

/** A process that has ended is started again for this, and there is nobody else to be spared. */
const isAtOnce = (error: CallError, breaks: number): boolean =>
  breaks === 1 && error._tag === "TransportError" && error.reason._tag === "Closed" && error.reason.exit !== undefined

/**
 * Watches, and again after each break, until the server ends it or there have been too many breaks in a row. One that has
 * held for 5 s starts the count anew.
 */
const follow = (
  session: SessionLike,
  wish: SubscriptionFilter,
  most: number,
  pending: Pending<CallError>
): Effect.Effect<void, CallError> => {
  let breaks = 0
  let isFirst = true
  const eras = new Map<object, Era>()
  /** When it was last acknowledged, in ms. */
  let since = Infinity
  const watch: Effect.Effect<void, CallError> = Effect.clockWith((clock) =>
    session.watch(
      wish,
      (told) => {
        if (told._tag !== "Taken") return pending.add(told)
        since = ticksOf(clock)
        const { granted } = told
        pending.add({ _tag: "Listening", granted, refused: refusedOf(wish, granted) })
        if (!isFirst) pending.add({ _tag: "Missed" })
        isFirst = false
      },
      !isFirst,
      eras
    )
  )
  const go: Effect.Effect<void, CallError> = watch.pipe(
    Effect.catch((error) =>
      Effect.flatMap(monotonicMs, (now) => {
        if (now - since >= limits.backOffMostMs) breaks = 0
        since = Infinity
        if (!isBreak(error) || ++breaks > most) return Effect.fail(error)
        return isAtOnce(error, breaks) ? go : Effect.andThen(Effect.flatMap(backOff(breaks), Effect.sleep), go)
      })
    )
  )
  return go
}

/**
 * Changes of a server's lists and resources, for as long as the stream is read; leaving it ends the subscription.
 *
 * The first element is `Listening`. The stream ends when the server ends the subscription, and fails when it is refused.
 * After a break it is opened again, and `Listening` and `Missed` say so; but not on a process that has not been up for
 * long, nor where none can be started any more, nor on a legacy server in place of a modern one: then it fails. A reader that is
 * slow is told of each thing that has changed once.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export const listen = (
  session: SessionLike,
  wish: SubscriptionFilter,
  { reopenings = limits.reopenings }: Options = {}
): Stream.Stream<Change, CallError> => {
  requireWish(wish, reopenings)
  return Stream.unwrap(
    Effect.suspend(() => {
      const pending = makePending<CallError>()
      const following = Effect.onExit(follow(session, wish, reopenings, pending), (exit) =>
        Effect.sync(() => pending.end(exit._tag === "Success" ? Cause.done() : Effect.failCause(exit.cause)))
      )
      return Effect.as(
        Effect.forkScoped(Effect.ignoreCause(following), { startImmediately: true }),
        Stream.fromPull(Effect.succeed(pending.pull))
      )
    })
  )
}
