import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Connection, Duplex } from "../Connection.ts"
import { ErrorCode } from "../ErrorCode.ts"
import { type Frame, isBatch, Malformed, weightOf } from "../Frame.ts"
import * as Inbox from "../Inbox.ts"
import {
  failure,
  isRequest,
  isRequestId,
  isResponse,
  isSuccess,
  type Notification,
  notification,
  type Request,
  type RequestId,
  type Response
} from "../JsonRpc.ts"
import { limits, requireCounts } from "../Limits.ts"
import { TransportError } from "../TransportError.ts"
import { exchangeOf, isDroppable, make as makeExchanges, type Waiting } from "./Exchanges.ts"
import { make as makeHandOver } from "./HandOver.ts"
import { make as makeOffer } from "./offer.ts"

export interface Options {
  /** Messages of one exchange that its listener has not heard yet. Default 4,096. */
  readonly mailbox?: number | undefined
  /** The same in bytes, about. Default 4 MiB. */
  readonly mailboxBytes?: number | undefined
  /** Messages outside any exchange that nobody has read yet. Default 1,024; beside it, 4 MiB of those that are heavy. */
  readonly unread?: number | undefined
  /** Whether what is no message gets an error response, as a server owes it; a client only reports it. Default false. */
  readonly answerMalformed?: boolean | undefined
}

const closed: TransportError = TransportError.make({ _tag: "Closed" })

/** Whether to report the n-th of many like things: the first eight, then ever fewer. */
const isWorthReporting = (n: number): boolean => n <= 8 || (n & (n - 1)) === 0

/**
 * Tells exchanges apart on a pipe that all messages share. The scope owns the reading of the pipe; when it closes, or
 * the pipe ends, every open exchange fails.
 */
export const make = Effect.fnUntraced(function* (
  duplex: Duplex,
  options: Options = {}
): Effect.fn.Return<Connection, never, Scope.Scope> {
  const { answerMalformed = false, mailbox = limits.mailbox, mailboxBytes = limits.mailboxBytes } = options
  const { unread = limits.unread } = options
  requireCounts({ mailbox, mailboxBytes, unread })
  const exchanges = makeExchanges({ mailbox, mailboxBytes })
  const { open, settle } = exchanges
  const outgoing = makeHandOver(duplex)
  const offer = makeOffer(outgoing.send)
  const incoming = Inbox.make<Request | Notification, TransportError>(() => {
    isRead = true
    isOverrun = false
    const go = onRoom
    onRoom = undefined
    go?.()
  })
  let isRead = false
  let isOverrun = false
  let onRoom: (() => void) | undefined
  let unreadBytes = 0
  let dropped = 0
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const slice = Math.max(1, Math.min(mailbox >> 2, unread >> 1))
  /** The errors that one slice of a read is to be answered with. */
  let owed: Array<Effect.Effect<void>> = []
  let malformedSeen = 0
  let straysSeen = 0
  let unreadBefore = 0
  let down: TransportError | undefined

  /** At once: a reader that has heard enough may close before its next turn. */
  const report = (text: string): void => void run(Effect.logWarning(text))
  /** False when it has to wait until somebody has read what came before it. */
  const receive = (message: Request | Notification): boolean => {
    if (incoming.size() === 0) unreadBytes = 0
    const isFull = incoming.size() >= unread || unreadBytes > limits.unreadBytes
    if (isFull && !incoming.drop(isDroppable)) {
      if (!isRead) hangUp(TransportError.make({ _tag: "Overflow", limit: unread }))
      else if (!isOverrun) return false
      else if (isWorthReporting(++dropped)) {
        report(`Messages of the peer are dropped, since nobody reads them; ${dropped} so far`)
      }
      return true
    }
    unreadBytes += weightOf(message)
    incoming.push(message)
    return true
  }
  /** The wire waits with the reader; only when that holds up exchanges of ours for long is the rest dropped. */
  const room: Effect.Effect<void> = Effect.suspend(() => {
    if (onRoom !== undefined || incoming.size() === 0) return Effect.void
    const read = Effect.callback<void>((resume) => {
      onRoom = () => resume(Effect.void)
      return Effect.sync(() => {
        onRoom = undefined
      })
    })
    return Effect.flatMap(Effect.timeoutOption(read, limits.farewellMs), (isThere) => {
      if (Option.isSome(isThere)) return Effect.void
      isOverrun = open.size > 0
      return isOverrun ? Effect.void : room
    })
  })
  const hearMalformed = (frame: Malformed): void => {
    const waiting = frame.id !== undefined && frame.about !== "request" ? open.get(frame.id) : undefined
    if (waiting !== undefined) {
      open.delete(waiting.request.id)
      const { detail, id } = frame
      return settle(waiting, Effect.fail(TransportError.make({ _tag: "Malformed", detail, id: id! })))
    }
    if (isWorthReporting(++malformedSeen)) {
      const where = frame.line === 0 ? "" : ` (line ${frame.line}, ${frame.bytes} bytes)`
      report(`The peer sent something that is no message: ${frame.detail}${where}; ${malformedSeen} so far`)
    }
    if (answerMalformed && (frame.about === "request" || frame.about === "unknown")) {
      const message = frame.code === ErrorCode.ParseError ? "Parse error" : `Invalid request: ${frame.detail}`
      owed.push(offer(failure(frame.id, { code: frame.code, message })))
    }
  }
  /** A late response is let pass. An error that names no request is all that a peer can say of a line it could not read. */
  const hearStray = (response: Response): void => {
    if (isSuccess(response) || isRequestId(response.id) || !isWorthReporting(++straysSeen)) return
    const { code } = response.error
    report(`The peer reports an error, but not of which request: ${code}; ${straysSeen} so far`)
  }
  /** A server ends an open listen of ours with a cancel; any other cancel names a request of theirs. */
  const isEndOfListen = (message: Notification): Waiting | undefined => {
    if (message.method !== "notifications/cancelled") return undefined
    const waiting = open.get(message.params?.requestId as RequestId) // cast: any value may be looked up
    return waiting?.request.method === "subscriptions/listen" ? waiting : undefined
  }
  /** False when it cannot be taken yet. */
  const route = (frame: Frame): boolean => {
    if (frame instanceof Malformed) hearMalformed(frame)
    else if (isBatch(frame)) hearMalformed(new Malformed(ErrorCode.InvalidRequest, "batches are not supported"))
    else if (isResponse(frame)) hearResponse(frame)
    else return isRequest(frame) ? receive(frame) : hearNotification(frame)
    return true
  }
  const hearResponse = (message: Response): void => {
    const waiting = open.get(message.id as RequestId) // cast: an error without an id finds nothing
    if (waiting === undefined) return hearStray(message)
    open.delete(waiting.request.id)
    settle(waiting, Effect.succeed(message))
  }
  const hearNotification = (message: Notification): boolean => {
    const ended = isEndOfListen(message)
    if (ended !== undefined) {
      open.delete(ended.request.id)
      settle(ended, Effect.fail(closed))
      return true
    }
    const id = exchangeOf(message)
    if (id === undefined) return receive(message)
    const waiting = isRequestId(id) ? open.get(id) : undefined
    if (waiting !== undefined) exchanges.hear(waiting, message)
    return true
  }
  const hangUp = (error: TransportError | undefined): void => {
    if (down !== undefined) return
    down = error ?? closed
    const all = [...open.values()]
    open.clear()
    for (const waiting of all) settle(waiting, Effect.fail(down.withOutcome(waiting.written ? "Unknown" : "NotSent")))
    exchanges.deliver()
    for (const waiting of all) waiting.letGo?.(down)
    if (error !== undefined) outgoing.fail(error)
    incoming.end(error)
  }

  const isCrowded = (): boolean => {
    const now = incoming.size()
    const lagging = now > unread / 2 && (unreadBefore === 0 || now < unreadBefore)
    unreadBefore = lagging ? now : 0
    return exchanges.isCrowded() || lagging
  }
  /** Gives those that only need the processor their turns; waits for nobody who waits for something else. */
  const breathe: Effect.Effect<void> = Effect.suspend(() =>
    isCrowded() ? Effect.andThen(Effect.yieldNow, breathe) : Effect.void
  )
  const settleOwed = Effect.suspend(() => {
    const all = owed
    owed = []
    return Effect.forEach(all, (effect) => effect, { discard: true })
  })
  const hearAll = (frames: ReadonlyArray<Frame>, from: number): Effect.Effect<void, TransportError> =>
    Effect.suspend(() => {
      const to = Math.min(frames.length, from + slice)
      let at = from
      while (at < to && down === undefined && route(frames[at]!)) at++
      exchanges.deliver()
      incoming.flush()
      if (down !== undefined) return Effect.fail(down)
      if (at < to) return Effect.andThen(Effect.andThen(settleOwed, room), hearAll(frames, at))
      const rest = to < frames.length ? hearAll(frames, to) : Effect.void
      // the turn comes first: asking twice in a row would find that nobody has got ahead
      const paced = isCrowded() ? Effect.andThen(Effect.andThen(Effect.yieldNow, breathe), rest) : rest
      return owed.length === 0 ? paced : Effect.andThen(settleOwed, paced)
    })

  yield* duplex.incoming.pipe(
    Stream.runForEachArray((frames) => hearAll(frames, 0)),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        const failed = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail") : undefined
        hangUp(failed?.error ?? (Exit.isFailure(exit) ? closed : undefined))
      })
    ),
    Effect.ignore,
    Effect.forkScoped({ startImmediately: true })
  )

  const cancel = ({ id }: Request, reason: string | undefined): Effect.Effect<void> =>
    outgoing
      .send(
        notification("notifications/cancelled", reason === undefined ? { requestId: id } : { requestId: id, reason })
      )
      .pipe(Effect.timeoutOption(limits.farewellMs), Effect.ignore)
  /** After an exchange: forgets it, and tells the peer if it waits for nothing any more and the peer has heard of it. */
  const leave = (waiting: Waiting): Effect.Effect<void> | undefined => {
    const { reason, request, written } = waiting
    const wasOpen = open.get(request.id) === waiting && open.delete(request.id)
    exchanges.forget(waiting)
    return wasOpen && written && down === undefined && request.method !== "initialize"
      ? cancel(request, reason)
      : undefined
  }

  return {
    send: (message) => outgoing.send(message),
    incoming: incoming.stream,
    abandon: (id, error) => {
      const waiting = open.get(id)
      if (waiting === undefined) return
      waiting.reason = error.message
      exchanges.drop(waiting, Effect.fail(error))
      waiting.letGo?.(error)
    },
    exchange: (request, listener) =>
      Effect.suspend(() => {
        if (down !== undefined) return Effect.fail(down.withOutcome("NotSent"))
        if (open.has(request.id)) return Effect.die(new Error(`an exchange with id ${request.id} is still open`))
        const waiting = exchanges.begin(request, listener)
        return Effect.onExit(
          Effect.flatMap(outgoing.send(request, waiting), () => exchanges.attend(waiting)),
          () => leave(waiting) ?? Effect.void
        )
      })
  }
})
