import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Connection, Duplex } from "../Connection.ts"
import { ErrorCode } from "../ErrorCode.ts"
import { type Batch, type Frame, isBatch, Malformed, taken } from "../Frame.ts"
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
import { readAll } from "../readAll.ts"
import { TransportError } from "../TransportError.ts"
import { exchangeOf, make as makeExchanges, type Outcome, type Waiting } from "./Exchanges.ts"
import { make as makeBatches } from "./batches.ts"
import { make as makeHandOver } from "./HandOver.ts"
import { make as makeIncoming } from "./incoming.ts"
import { make as makeLater, weightOfId } from "./later.ts"

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
/** Why nothing can be sent any more: what was too much for the pipe was no fault of what is asked afterwards. */
const unsent = (down: TransportError): TransportError =>
  down.reason._tag === "TooLarge" || down.reason._tag === "Overflow"
    ? TransportError.make({ _tag: "Closed", cause: down }, "NotSent")
    : down.withOutcome("NotSent")

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
  const batches = makeBatches(outgoing.send)
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const slice = Math.max(1, Math.min(mailbox >> 2, unread >> 1))
  const later = makeLater(run)
  /** What the reading waits for, so that the rest can be said. */
  let pause: Effect.Effect<void> = Effect.void
  let malformedSeen = 0
  let straysSeen = 0
  let down: TransportError | undefined

  /** At once: a reader that has heard enough may close before its next turn. */
  const report = (text: string): void => void run(Effect.logWarning(text))
  const incoming = makeIncoming({
    unread,
    isAwaited: () => open.size > 0,
    onDrop: (n) => {
      if (isWorthReporting(n)) report(`Messages of the peer are dropped, since nobody reads them; ${n} so far`)
    },
    onOverflow: (error) => hangUp(error)
  })
  /** The exchange of ours that waits for an answer to `id`. */
  const awaitedBy = (id: unknown): Waiting | undefined => {
    const waiting = open.get(id as RequestId) // cast: any value may be looked up
    return waiting?.isAnswered === false ? waiting : undefined
  }
  const end = (waiting: Waiting, outcome: Outcome): void => {
    waiting.isAnswered = true
    settle(waiting, outcome)
  }
  const awaits = ({ about, id }: Malformed): Waiting | undefined => (about === "request" ? undefined : awaitedBy(id))
  const hearMalformed = (frame: Malformed): void => {
    const waiting = awaits(frame)
    if (waiting !== undefined) {
      const { detail, id } = frame
      return end(waiting, Effect.fail(TransportError.make({ _tag: "Malformed", detail, id: id! })))
    }
    reportMalformed(frame)
    const error = errorFor(frame, answerMalformed)
    if (error !== undefined) sayLater(outgoing.send(error), error.id)
  }
  const sayLater = (said: Effect.Effect<void, TransportError>, id?: RequestId | null): void => {
    const room = later.say(said, weightOfId(id))
    if (room !== undefined) pause = Effect.andThen(pause, room)
  }
  const reportMalformed = ({ bytes, detail, line }: Malformed): void => {
    if (!isWorthReporting(++malformedSeen)) return
    const where = line === 0 ? "" : ` (line ${line}, ${bytes} bytes)`
    report(`The peer sent something that is no message: ${detail}${where}; ${malformedSeen} so far`)
  }
  /** What answers something that is no message, if anything does. */
  const errorFor = ({ about, code, detail, id }: Malformed, isOwed: boolean): Response | undefined => {
    if (!isOwed || (about !== "request" && about !== "unknown")) return undefined
    const message = code === ErrorCode.ParseError ? "Parse error" : `Invalid request: ${detail}`
    return failure(id, { code, message })
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
    const waiting = awaitedBy(message.params?.requestId)
    return waiting?.request.method === "subscriptions/listen" ? waiting : undefined
  }
  /** False when it cannot be taken yet. */
  const route = (said: Frame): boolean => {
    if (isBatch(said)) {
      hearMalformed(new Malformed(ErrorCode.InvalidRequest, "no batches are agreed on"))
      return true
    }
    // a server answers what is wrong, a client makes the best of it
    const message = answerMalformed ? said : taken(said)
    if (message instanceof Malformed) hearMalformed(message)
    else if (isResponse(message)) hearResponse(message)
    else return isRequest(message) ? hearRequest(message) : hearNotification(message)
    return true
  }
  const hearRequest = (message: Request): boolean => {
    if (!incoming.receive(message)) return false
    batches.note(message)
    return true
  }
  const hearResponse = (message: Response): void => {
    const waiting = awaitedBy(message.id)
    if (waiting === undefined) return hearStray(message)
    if (waiting.request.method === "initialize") batches.agree(message)
    end(waiting, Effect.succeed(message))
  }
  const hearNotification = (message: Notification): boolean => {
    const ended = isEndOfListen(message)
    if (ended !== undefined) {
      end(ended, Effect.fail(closed))
      return true
    }
    const id = exchangeOf(message)
    if (id === undefined) {
      if (!incoming.receive(message)) return false
      const left = message.method === "notifications/cancelled" ? batches.forget(message) : undefined
      if (left !== undefined) sayLater(left)
      return true
    }
    const waiting = isRequestId(id) ? open.get(id) : undefined
    if (waiting !== undefined) exchanges.hear(waiting, message)
    return true
  }
  const hangUp = (error: TransportError | undefined): void => {
    if (down !== undefined) return
    const why = error ?? closed
    down = why
    const notSent = unsent(why)
    const all = [...open.values()]
    for (const waiting of all) {
      // said late: a message that is being handed over may yet get through
      const outcome = Effect.suspend(() => Effect.fail(waiting.written ? why.withOutcome("Unknown") : notSent))
      settle(waiting, outcome)
    }
    exchanges.deliver()
    for (const waiting of all) waiting.letGo?.(notSent)
    if (error === undefined) sayLater(batches.end)
    else outgoing.fail(notSent)
    incoming.end(error)
  }

  const isCrowded = (): boolean => {
    const isLagging = incoming.isLagging()
    return exchanges.isCrowded() || isLagging
  }
  /** Gives those that only need the processor their turns; waits for nobody who waits for something else. */
  const breathe: Effect.Effect<void> = Effect.suspend(() =>
    isCrowded() ? Effect.andThen(Effect.yieldNow, breathe) : Effect.void
  )
  const paused = Effect.suspend(() => {
    const waits = pause
    pause = Effect.void
    return waits
  })
  const hearAll = (frames: ReadonlyArray<Frame>, from: number): Effect.Effect<void, TransportError> =>
    Effect.suspend(() => {
      const to = Math.min(frames.length, from + slice)
      let at = from
      let batch: Batch | undefined
      while (at < to && down === undefined) {
        const frame = frames[at]!
        if (isBatch(frame) && batches.isOn()) {
          batch = frame
          break
        }
        if (!route(frame)) break
        at++
      }
      exchanges.deliver()
      incoming.flush()
      if (down !== undefined) return Effect.fail(down)
      if (batch !== undefined) {
        const opened = batches.open(answerMalformed ? batch : batch.map(taken), (entry) => {
          const error = awaits(entry) === undefined ? errorFor(entry, true) : undefined
          if (error !== undefined) reportMalformed(entry)
          return error
        })
        sayLater(opened.owed)
        return Effect.andThen(Effect.andThen(paused, hearAll(opened.frames, 0)), hearAll(frames, at + 1))
      }
      if (at < to) return Effect.andThen(Effect.andThen(paused, incoming.room), hearAll(frames, at))
      const rest = to < frames.length ? hearAll(frames, to) : Effect.void
      // the turn comes first: asking twice in a row would find that nobody has got ahead
      const paced = isCrowded() ? Effect.andThen(Effect.andThen(Effect.yieldNow, breathe), rest) : rest
      return pause === Effect.void ? paced : Effect.andThen(paused, paced)
    })

  // a scope that has closed already starts no reader that would say so
  yield* Effect.addFinalizer(() => Effect.sync(() => hangUp(closed)))
  yield* readAll(duplex.incoming, (frames) => hearAll(frames, 0)).pipe(
    Effect.onExit((exit) =>
      Effect.sync(() => {
        const failed = Exit.isFailure(exit) ? exit.cause.reasons.find((reason) => reason._tag === "Fail") : undefined
        hangUp(failed?.error ?? (Exit.isFailure(exit) ? closed : undefined))
      })
    ),
    Effect.ignore,
    Effect.forkScoped({ startImmediately: true })
  )

  const cancel = ({ id }: Request, reason: string | undefined): Effect.Effect<void, TransportError> =>
    outgoing.send(
      notification("notifications/cancelled", reason === undefined ? { requestId: id } : { requestId: id, reason })
    )
  /** After an exchange: forgets it, and tells the peer if it waits for nothing any more and the peer has heard of it. */
  const leave = (waiting: Waiting): Effect.Effect<void> | undefined => {
    const { isAnswered, reason, request, written } = waiting
    open.delete(request.id)
    exchanges.forget(waiting)
    return !isAnswered && written && down === undefined && request.method !== "initialize"
      ? later.say(cancel(request, reason))
      : undefined
  }

  return {
    send: batches.send,
    incoming: incoming.incoming,
    abandon: (id, error) => {
      const waiting = open.get(id)
      if (waiting === undefined) return
      waiting.reason = error.message
      exchanges.drop(waiting, Effect.fail(error))
      waiting.letGo?.(error)
    },
    exchange: (request, listener) =>
      Effect.suspend(() => {
        if (down !== undefined) return Effect.fail(unsent(down))
        if (open.has(request.id)) return Effect.die(new Error(`an exchange with id ${request.id} is still open`))
        const waiting = exchanges.begin(request, listener)
        // inside: whoever a message wakes may interrupt its sender before this has returned
        const whole = Effect.suspend(() =>
          outgoing.isHandedOver(request, waiting)
            ? exchanges.attend(waiting)
            : Effect.flatMap(outgoing.handOver(request, waiting), () => exchanges.attend(waiting))
        )
        return Effect.onExit(whole, () => leave(waiting) ?? Effect.void)
      })
  }
})
