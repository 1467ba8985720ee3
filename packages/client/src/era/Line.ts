import { type Connection, type JsonRpc, type Revision, TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Hub, read } from "../Hub.ts"

/** A connection as its session sees it: whether it still carries anything, and when what comes unasked is read. */
export interface Line {
  /** What is to be used in its place. */
  readonly connection: Connection
  /** Whether its end is the end of all that goes over it. */
  readonly isPipe: boolean
  /** Why nothing can be done with it any more; undefined while it can. */
  readonly gone: () => TransportError | undefined
  /** From now on nothing can be done with it, for the reason given. */
  readonly lose: (error: TransportError) => void
  /** Called once it is gone: at once if it is already. */
  readonly onLost: (hear: (error: TransportError) => void) => void
  /** Completes once it is gone, or says nothing unasked any more. */
  readonly ended: Effect.Effect<TransportError>
  /** Reads what comes unasked again, where that has failed and nothing else has. */
  readonly again: () => void
  /** A session has begun. What the server says before that is of no account. */
  readonly settle: (revision: Revision) => void
  /** Tells what the server says outside any exchange. */
  readonly hear: (said: JsonRpc.Notification) => void
}

const closed = TransportError.make({ _tag: "Closed" })

/** What a wire failed with; undefined when it ended, or nobody reads any more. */
const errorOf = (cause: Cause.Cause<TransportError | Cause.Done>): TransportError | undefined => {
  const failed = cause.reasons.find((reason) => reason._tag === "Fail")
  return failed === undefined || Cause.isDone(failed.error) ? undefined : failed.error
}

export const make = (connection: Connection, hub: Hub): Line => {
  const isPipe = connection.wire !== "http"
  let ended = Deferred.makeUnsafe<TransportError>()
  let onAgain: (() => void) | undefined
  const settled = Deferred.makeUnsafe<void>()
  let gone: TransportError | undefined
  let whenLost: ((error: TransportError) => void) | undefined
  let spoken: Revision | undefined
  const say = (error: TransportError): void => {
    Deferred.doneUnsafe(ended, Effect.succeed(error))
  }
  const lose = (error: TransportError): void => {
    const isFirst = gone === undefined
    gone ??= error
    say(error)
    if (isFirst) whenLost?.(gone)
  }
  /** Over HTTP a server that says nothing unasked is as good as one that has no stream for it: only a failure counts. */
  const onEnd = (error: TransportError | undefined): void => {
    if (isPipe || error?.reason._tag === "SessionExpired") lose(error ?? closed)
    else if (error !== undefined) say(error)
  }
  let isOpenedBefore = false
  const heard = Effect.map(connection.incoming, (pull) => {
    if (isOpenedBefore) hub.tell({ _tag: "Missed" })
    isOpenedBefore = true
    return Effect.onExit(pull, (exit) =>
      Effect.sync(() => {
        if (exit._tag === "Failure") onEnd(errorOf(exit.cause))
      })
    )
  })
  const untilAgain = Effect.callback<void>((resume) => {
    onAgain = () => resume(Effect.void)
    return Effect.sync(() => {
      onAgain = undefined
    })
  })
  /** Over HTTP what comes unasked may fail alone. */
  const kept: Stream.Stream<JsonRpc.Request | JsonRpc.Notification, TransportError> = Stream.scoped(
    Stream.fromPull(heard)
  ).pipe(
    Stream.catchTag("TransportError", (error) =>
      gone === undefined
        ? Stream.unwrap(
            Effect.as(
              untilAgain,
              Stream.suspend(() => kept)
            )
          )
        : Stream.fail(error)
    )
  )
  // reading it opens a stream, which nobody may want, and which there is only once the session has begun
  const whenWanted = Effect.andThen(Deferred.await(settled), hub.wanted)
  return {
    connection: { ...connection, incoming: isPipe ? heard : Effect.andThen(whenWanted, Stream.toPull(kept)) },
    isPipe,
    gone: () => gone,
    lose,
    onLost: (hear) => {
      if (gone === undefined) whenLost = hear
      else hear(gone)
    },
    ended: Effect.suspend(() => Deferred.await(ended)),
    again: () => {
      const go = onAgain
      if (go === undefined) return
      onAgain = undefined
      ended = Deferred.makeUnsafe()
      go()
    },
    settle: (revision) => {
      spoken = revision
      if (revision.era === "legacy") Deferred.doneUnsafe(settled, Effect.void)
    },
    hear: (said) => {
      const heard = spoken === undefined ? undefined : read(spoken, said)
      if (heard !== undefined) hub.tell(heard)
    }
  }
}
