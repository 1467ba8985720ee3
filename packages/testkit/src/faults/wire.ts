import { type Frame, TransportError } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Choice } from "./choose.ts"
import { type Hold, type Lane, make as makeLane } from "./Lane.ts"
import type { Direction, Fault } from "./Rule.ts"
import { makeSight } from "./sight.ts"

/** One end of a wire, whatever it carries. */
export interface Pipe<In, Out> {
  readonly incoming: Stream.Stream<In, TransportError>
  readonly send: (item: Out) => Effect.Effect<void, TransportError>
}

/** Cuts in the middle; whether nothing follows may show in how it ends. */
export type Half<A> = (item: A, isLast: boolean) => A

/** How faults look at what a wire carries, and cut it. */
export interface Matter<In, Out> {
  readonly frameOf: (item: In | Out) => Frame.Frame
  readonly halfOf: { readonly in: Half<In>; readonly out: Half<Out> }
}

const closed = TransportError.make({ _tag: "Closed" })

const holdOf = (fault: Fault | undefined): Hold => {
  switch (fault?._tag) {
    case "Delay":
      return { ms: fault.ms }
    case "Duplicate":
      return { copies: fault.copies ?? 2 }
    case "Reorder":
      return { behind: fault.by ?? 1, ms: fault.atMostMs ?? 1000 }
    default:
      return {}
  }
}

/**
 * Wraps one end of a wire. The scope owns what is held back: with it both directions end.
 *
 * @param hangUp what else a reset has to do, so that the other end sees it
 */
export const wire = Effect.fnUntraced(function* <In, Out>(
  pipe: Pipe<In, Out>,
  matter: Matter<In, Out>,
  choice: Choice,
  options: { readonly capacity: number; readonly hangUp: Effect.Effect<void> }
): Effect.fn.Return<Pipe<In, Out>, never, Scope.Scope> {
  const { capacity, hangUp } = options
  const scope = yield* Effect.scope
  const sight = makeSight()
  const read = yield* Queue.bounded<In, TransportError | Cause.Done>(capacity)
  /** Settled when the wire is no more: senders that wait are let go, with the failure where there is one. */
  const over = Deferred.makeUnsafe<void, TransportError>()
  let isOpen = true

  const inward = yield* makeLane<In>(
    (item) => Effect.suspend(() => (isOpen ? Effect.asVoid(Queue.offer(read, item)) : Effect.void)),
    capacity
  )
  const outward = yield* makeLane<Out>(
    (item) => Effect.suspend(() => (isOpen ? pipe.send(item) : Effect.void)),
    capacity
  )

  const end = (exit: Exit.Exit<void, TransportError>): boolean => {
    isOpen = false
    return Deferred.doneUnsafe(over, exit)
  }
  const reset = Effect.suspend(() => {
    const fail = Effect.andThen(Queue.fail(read, closed), hangUp)
    // a turn later: the message that does this counts as sent
    const failing = Effect.forkIn(Effect.andThen(Effect.yieldNow, fail), scope, { startImmediately: true })
    // the end interrupts who sends, and who sends may be us
    return Effect.map(failing, () => void end(Exit.fail(closed.withOutcome("NotSent"))))
  })
  const carry = <A>(lane: Lane<A>, direction: Direction, item: A & (In | Out), half: Half<A>) => {
    const seen = sight(direction, matter.frameOf(item))
    const fault = choice.choose(direction, seen)
    switch (fault?._tag) {
      case "Drop":
        return Effect.void
      case "Reset":
        return reset
      case "BlackHole":
        end(Exit.void)
        return Effect.void
      case "Half": {
        const first = lane.take(half(item, fault.last === true), seen.exchanges)
        return fault.last === true ? Effect.andThen(first, reset) : first
      }
      case "SlowReader":
        lane.slow(fault.everyMs)
        return lane.take(item, seen.exchanges)
      default:
        return lane.take(item, seen.exchanges, holdOf(fault))
    }
  }
  /** How the wire under this one has ended is how this one does, unless it has gone its own way. */
  const endOf = (exit: Exit.Exit<void, TransportError>): Effect.Effect<unknown> =>
    Effect.suspend(() => {
      if (!isOpen) return Effect.void
      if (Exit.isSuccess(exit)) return Queue.end(read)
      const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
      return Queue.fail(read, failed?.error ?? closed)
    })
  const hearAll = Stream.runForEach(pipe.incoming, (item) =>
    // a black hole goes on reading, so that the other end never notices
    Effect.suspend(() => (isOpen ? carry(inward, "in", item, matter.halfOf.in) : Effect.void))
  )
  // no finalizer: the end of the scope must not wait for what is held back
  const hear = Effect.flatMap(Effect.exit(hearAll), (exit) => Effect.andThen(inward.drain, endOf(exit)))
  let isHearing = false
  const begin = Effect.suspend(() => {
    if (isHearing) return Effect.void
    isHearing = true
    return Effect.forkIn(hear, scope, { startImmediately: true })
  })
  yield* Scope.addFinalizer(
    scope,
    Effect.suspend(() => {
      end(Exit.fail(closed.withOutcome("NotSent")))
      return Queue.end(read)
    })
  )
  return {
    incoming: Stream.unwrap(Effect.as(begin, Stream.fromQueue(read))),
    send: (item) =>
      Effect.suspend(() =>
        isOpen
          ? Effect.raceFirst(carry(outward, "out", item, matter.halfOf.out), Deferred.await(over))
          : Deferred.await(over)
      )
  }
})
