import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { answer } from "../answer.ts"
import { quote } from "../clip.ts"
import type { Connection, Handler, Listener } from "../Connection.ts"
import { ErrorCode } from "../ErrorCode.ts"
import { weightOf } from "../Frame.ts"
import {
  failure,
  isRequest,
  isSuccess,
  type JsonObject,
  type Notification,
  notification,
  type Request,
  type RequestId,
  type Response
} from "../JsonRpc.ts"
import { limits, requireCounts } from "../Limits.ts"
import { readAll } from "../readAll.ts"
import { internal } from "../RpcError.ts"
import type { TransportError } from "../TransportError.ts"
import { make as makeLater, weightOfId } from "./later.ts"
import { errorFor } from "./unwritable.ts"

export interface ServeOptions {
  /** Requests that run at once. Default 256; as many pings again may run beside them. */
  readonly handlers?: number | undefined
  /** Requests that wait for their turn; the next is refused with `-32603`. Default 1,024. So is what goes over 64 MiB. */
  readonly queued?: number | undefined
}

/** A request that is being answered. */
interface Running {
  /** Set once it waits for something. */
  fiber: Fiber.Fiber<void> | undefined
  cancelled: boolean
  /** Whether only the wire holds it up. */
  answered: boolean
  /** Whether it stays open until its peer ends it. */
  readonly isSubscription: boolean
}

const isSubscription = ({ method }: Request): boolean => method === "subscriptions/listen"

const runningOf = (request: Request): Running => ({
  fiber: undefined,
  cancelled: false,
  answered: false,
  isSubscription: isSubscription(request)
})

/**
 * Answers what the peer asks, one fiber a request; a cancel interrupts it. Ends when the peer has said its last word
 * and what it asked has been answered, or after 2 s of that; subscriptions, which nobody would end any more, are not
 * waited for. Fails, and interrupts at once, when the wire does.
 */
export const serve = Effect.fnUntraced(function* <R>(
  connection: Connection,
  handler: Handler<R>,
  options: ServeOptions = {}
): Effect.fn.Return<void, TransportError, R> {
  const { handlers = limits.handlers, queued = limits.queued } = options
  requireCounts({ handlers, queued })
  const context = yield* Effect.context<R>()
  const run = Effect.runForkWith(context)
  const running = new Map<RequestId, Running>()
  const waiting = new Map<RequestId, Request>()
  const notified = new Set<Fiber.Fiber<void>>()
  const later = makeLater(run)
  /** Of the requests that run or wait, about. */
  let bytes = 0
  let isStuck = false
  let onRoom: (() => void) | undefined
  /** How many requests have ended after they had to wait for something. */
  let ended = 0

  const unwritable = (request: Request, cause: Cause.Cause<TransportError>): Effect.Effect<void> => {
    const failed = cause.reasons.find((reason) => reason._tag === "Fail")
    const error = Cause.hasDies(cause) ? internal : failed && errorFor(failed.error)
    return error === undefined
      ? Effect.void
      : Effect.andThen(
          Effect.logError("a response could not be written", cause),
          Effect.ignore(connection.send(failure(request.id, error)))
        )
  }
  /** A subscription that the server ends has, on a pipe, a cancel as well: after its result. */
  const conclude = (request: Request, response: Response): Effect.Effect<void, TransportError> => {
    const said = connection.send(response)
    return isSubscription(request) && isSuccess(response)
      ? Effect.andThen(said, connection.send(notification("notifications/cancelled", { requestId: request.id })))
      : said
  }
  const respond = (request: Request, run: Running): Effect.Effect<void, never, R> => {
    const say: Listener = (said) => (run.cancelled || "id" in said ? Effect.void : Effect.ignore(connection.send(said)))
    return Effect.flatMap(answer(handler, request, say), (response) => {
      if (run.cancelled) return Effect.void
      run.answered = true
      return Effect.catchCause(conclude(request, response), (cause) => unwritable(request, cause))
    })
  }
  /** A ping waits for the wire alone, never behind what takes its time. */
  const pong = (request: Request): Effect.Effect<void, never, R> =>
    Effect.suspend(() => respond(request, runningOf(request)))
  const begin = (request: Request): void => {
    const entry = runningOf(request)
    const fiber = run(respond(request, entry))
    if (fiber.pollUnsafe() !== undefined) return
    entry.fiber = fiber
    running.set(request.id, entry)
    const weight = weightOf(request)
    bytes += weight
    fiber.addObserver(() => {
      running.delete(request.id)
      bytes -= weight
      ended++
      isStuck = false
      // before whoever is yet to be read
      beginWaiting()
      const go = onRoom
      onRoom = undefined
      go?.()
    })
  }
  const beginWaiting = (): void => {
    // a loop: one that ends at once has nobody to call in the next
    for (const next of waiting.values()) {
      if (running.size >= handlers) return
      unqueue(next.id)
      begin(next)
    }
  }
  const queue = (request: Request): void => {
    waiting.set(request.id, request)
    bytes += weightOf(request)
  }
  const unqueue = (id: RequestId): boolean => {
    const request = waiting.get(id)
    if (request === undefined) return false
    bytes -= weightOf(request)
    return waiting.delete(id)
  }
  const refuse = (id: RequestId | undefined, code: number, message: string): Effect.Effect<void> | undefined =>
    later.say(connection.send(failure(id, { code, message })), weightOfId(id))
  /** Room, when answers that are ready have left. A peer that reads none for a second is not waited for again. */
  const room = (seen: number): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      // its fiber may have given up its turn since it looked
      if (ended !== seen) return resume(Effect.void)
      onRoom = () => resume(Effect.void)
      return Effect.sync(() => {
        onRoom = undefined
      })
    }).pipe(
      Effect.timeoutOrElse({
        duration: limits.farewellMs,
        orElse: () => {
          isStuck = true
          return Effect.void
        }
      })
    )
  const isHeldUpByWire = (): boolean => {
    for (const { answered } of running.values()) if (answered) return true
    return false
  }
  const accept = (request: Request): Effect.Effect<void> | undefined => {
    if (running.has(request.id) || waiting.has(request.id)) {
      // without the id: an error that bears it would settle the request that rightly has it
      return refuse(undefined, ErrorCode.InvalidRequest, "Invalid request: the id is already in use")
    }
    const isTooMuch = bytes > 0 && bytes + weightOf(request) > limits.requestBytes
    const isPing = request.method === "ping"
    if (!isTooMuch && running.size < (isPing ? 2 * handlers : handlers)) begin(request)
    else if (isPing) return later.say(Effect.provideContext(pong(request), context), weightOf(request))
    else if (!isTooMuch && waiting.size < queued) queue(request)
    else if (isStuck || !isHeldUpByWire()) return refuse(request.id, ErrorCode.InternalError, "Too many requests")
    else return Effect.flatMap(room(ended), () => accept(request) ?? Effect.void)
    return undefined
  }
  /** Nothing more is said of a request that is cancelled, not even by what its handler does on its way out. */
  const cancel = ({ reason, requestId }: JsonObject): void => {
    const id = requestId as RequestId // cast: any value may be looked up
    const entry = running.get(id)
    if (!unqueue(id) && entry === undefined) return
    if (typeof reason === "string") run(Effect.logDebug("A request is cancelled:", quote(reason)))
    if (entry === undefined) return
    entry.cancelled = true
    entry.fiber?.interruptUnsafe()
  }
  const hear = (message: Notification): Effect.Effect<void> | undefined => {
    if (message.method === "notifications/cancelled") {
      cancel(message.params ?? {})
      return undefined
    }
    const fiber = run(
      Effect.catchDefect(
        Effect.suspend(() => handler.notify(message)),
        (defect) => Effect.logError("a handler died", defect)
      )
    )
    if (fiber.pollUnsafe() !== undefined) return undefined
    notified.add(fiber)
    fiber.addObserver(() => notified.delete(fiber))
    return notified.size < handlers ? undefined : Effect.asVoid(Fiber.await(fiber))
  }
  const hearAll = (messages: ReadonlyArray<Request | Notification>, from: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      for (let i = from; i < messages.length; i++) {
        const message = messages[i]!
        const first = isRequest(message) ? accept(message) : hear(message)
        if (first !== undefined) return Effect.andThen(first, hearAll(messages, i + 1))
      }
      return Effect.void
    })
  const fibers = (): ReadonlyArray<Fiber.Fiber<void>> => [
    ...[...running.values()].flatMap(({ fiber }) => fiber ?? []),
    ...notified
  ]
  /** All that runs now, and all that waits behind it. */
  const drained: Effect.Effect<void> = Effect.suspend(() => {
    for (const { answered, fiber, isSubscription } of running.values()) {
      if (isSubscription && !answered) fiber?.interruptUnsafe()
    }
    const all = fibers()
    return all.length === 0 ? Effect.void : Effect.andThen(Fiber.awaitAll(all), drained)
  })
  /** Interrupts them, and waits a while for what they do on their way out. */
  const endAll = (all: ReadonlyArray<Fiber.Fiber<void>>): Effect.Effect<void> =>
    Effect.suspend(() => {
      for (const fiber of all) fiber.interruptUnsafe()
      return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Fiber.awaitAll(all)), limits.drainMs))
    })
  yield* readAll(connection.incoming, (messages) => hearAll(messages, 0)).pipe(
    Effect.andThen(Effect.timeoutOption(Effect.andThen(drained, later.done), limits.drainMs)),
    Effect.onExit((exit) =>
      Effect.suspend(() => {
        waiting.clear()
        return Exit.isSuccess(exit) && running.size + notified.size === 0 ? Effect.void : endAll(fibers())
      })
    ),
    Effect.asVoid
  )
})
