import { type Duplex, Frame, limits, TransportError } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

/** One end of a pair. */
export interface End extends Duplex {
  /** Leaves: the other end reads what was sent before, then ends; whatever it sends from now on fails. */
  readonly close: Effect.Effect<void>
}

export interface Options {
  /** How many messages one way holds before `send` waits. Default 16. */
  readonly capacity?: number | undefined
  /** The longest message, in bytes of its JSON text; a longer one is not sent. Default 4 MiB. */
  readonly messageBytes?: number | undefined
}

type Ending = TransportError | Cause.Done
type Way = Queue.Queue<Frame.Frame, Ending>

const encoder = new TextEncoder()

const isOver = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && encoder.encode(text).length > bytes)

const closed = new TransportError({ reason: { _tag: "Closed" }, outcome: "NotSent" })

/**
 * Two ends of a pipe in memory: what one sends, the other reads. Messages cross as JSON text, as on any other wire, so
 * nothing is shared. The scope owns both ends.
 *
 * @example
 * const [near, far] = yield* pair()
 * const client = yield* Peer.make(near)
 * yield* Effect.forkScoped(Peer.host(far, server))
 */
export const pair = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<readonly [End, End], never, Scope.Scope> {
  const { capacity = 16, messageBytes = limits.messageBytes } = options
  const there = yield* Queue.bounded<Frame.Frame, Ending>(capacity)
  const back = yield* Queue.bounded<Frame.Frame, Ending>(capacity)

  const tooLarge = TransportError.make({ _tag: "TooLarge", limit: messageBytes }, "NotSent")
  const end = (out: Way, into: Way): End => {
    const close = Effect.sync(() => {
      Queue.endUnsafe(out)
      Queue.endUnsafe(into)
    }).pipe(
      // what waits to be written to us has nobody left to read it
      Effect.andThen(Effect.ignore(Queue.collect(into)))
    )
    return {
      close,
      incoming: Effect.succeed(Queue.takeAll(into)),
      send: (message) =>
        Effect.suspend(() => {
          const text = JSON.stringify(message)
          if (isOver(text, messageBytes)) return Effect.fail(tooLarge)
          return Effect.flatMap(Queue.offer(out, Frame.fromText(text)), (isTaken) =>
            isTaken ? Effect.void : Effect.fail(closed)
          )
        })
    }
  }
  const [near, far] = [end(there, back), end(back, there)]
  yield* Effect.addFinalizer(() => Effect.andThen(near.close, far.close))
  return [near, far]
})
