import { type Connection, type JsonRpc, type Revision, TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type Hub, read } from "../Hub.ts"
import { keep } from "./keep.ts"

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
  /** Reads what comes unasked again at once, where that has failed and nothing else has: else that takes a while. */
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
  let again = (): void => {}
  let works = (): void => {}
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
    // first: who waits for the end may ask at once what follows from it
    if (isFirst) whenLost?.(gone)
    say(error)
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
  const renew = (): void => {
    if (Deferred.isDoneUnsafe(ended)) ended = Deferred.makeUnsafe()
  }
  /** Over HTTP what comes unasked may fail alone; then it is come back to. */
  const kept = Effect.map(
    keep(heard, () => gone !== undefined, renew),
    (kept) => {
      again = kept.again
      works = kept.works
      return kept.pull
    }
  )
  // reading it opens a stream, which nobody may want, and which there is only once the session has begun
  const whenWanted = Effect.andThen(Deferred.await(settled), hub.wanted)
  /** Whoever is answered has reached the server. */
  const exchange: Connection["exchange"] = (request, listener) =>
    Effect.map(connection.exchange(request, listener), (response) => {
      works()
      return response
    })
  return {
    connection: isPipe
      ? { ...connection, incoming: heard }
      : { ...connection, exchange, incoming: Effect.andThen(whenWanted, kept) },
    isPipe,
    gone: () => gone,
    lose,
    onLost: (hear) => {
      if (gone === undefined) whenLost = hear
      else hear(gone)
    },
    ended: Effect.suspend(() => Deferred.await(ended)),
    again: () => {
      if (gone !== undefined) return
      renew()
      again()
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
