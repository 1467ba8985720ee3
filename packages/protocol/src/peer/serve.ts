import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { answer } from "../answer.ts"
import type { Connection, Handler, Listener } from "../Connection.ts"
import { ErrorCode } from "../ErrorCode.ts"
import { failure, isRequest, type Notification, type Request, type RequestId } from "../JsonRpc.ts"
import { limits } from "../Limits.ts"
import { internal } from "../RpcError.ts"
import type { TransportError } from "../TransportError.ts"

export interface ServeOptions {
  /** Requests that run at once. Default 256; as many pings again may run beside them. */
  readonly handlers?: number | undefined
  /** Requests that wait for their turn; the next is refused with `-32603`. Default 1,024. */
  readonly queued?: number | undefined
}

/**
 * Answers what the peer asks, one fiber a request; a cancel interrupts it. Ends when the peer has said its last word
 * and what it asked has been answered, or after 2 s of that; fails, and interrupts at once, when the wire does.
 */
export const serve = Effect.fnUntraced(function* <R>(
  connection: Connection,
  handler: Handler<R>,
  options: ServeOptions = {}
): Effect.fn.Return<void, TransportError, R> {
  const { handlers = limits.handlers, queued = limits.queued } = options
  const run = Effect.runForkWith(yield* Effect.context<R>())
  const running = new Map<RequestId, Fiber.Fiber<void>>()
  const waiting = new Map<RequestId, Request>()
  const notified = new Set<Fiber.Fiber<void>>()

  const say: Listener = (said) => ("id" in said ? Effect.void : Effect.ignore(connection.send(said)))
  const unwritable = (request: Request, cause: Cause.Cause<TransportError>): Effect.Effect<void> =>
    Cause.hasDies(cause)
      ? Effect.andThen(
          Effect.logError("a response could not be written", cause),
          Effect.ignore(connection.send(failure(request.id, internal)))
        )
      : Effect.void
  const respond = (request: Request): Effect.Effect<void, never, R> =>
    Effect.flatMap(answer(handler, request, say), (response) =>
      Effect.catchCause(connection.send(response), (cause) => unwritable(request, cause))
    )
  const begin = (request: Request): void => {
    const fiber = run(respond(request))
    if (fiber.pollUnsafe() !== undefined) return
    running.set(request.id, fiber)
    fiber.addObserver(() => {
      running.delete(request.id)
      beginWaiting()
    })
  }
  const beginWaiting = (): void => {
    // a loop: one that ends at once has nobody to call in the next
    for (const next of waiting.values()) {
      if (running.size >= handlers) return
      waiting.delete(next.id)
      begin(next)
    }
  }
  const refuse = (id: RequestId | undefined, code: number, message: string): Effect.Effect<void> =>
    Effect.ignore(connection.send(failure(id, { code, message })))
  const accept = (request: Request): Effect.Effect<void> | undefined => {
    if (running.has(request.id) || waiting.has(request.id)) {
      // without the id: an error that bears it would settle the request that rightly has it
      return refuse(undefined, ErrorCode.InvalidRequest, "Invalid request: the id is already in use")
    }
    if (running.size < (request.method === "ping" ? 2 * handlers : handlers)) begin(request)
    else if (waiting.size < queued) waiting.set(request.id, request)
    else return refuse(request.id, ErrorCode.InternalError, "Too many requests")
    return undefined
  }
  const hear = (message: Notification): Effect.Effect<void> | undefined => {
    if (message.method === "notifications/cancelled") {
      const id = message.params?.requestId as RequestId // cast: any value may be looked up
      if (!waiting.delete(id)) running.get(id)?.interruptUnsafe()
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
  /** All that runs now, and all that waits behind it. */
  const drained: Effect.Effect<void> = Effect.suspend(() => {
    const all = [...running.values(), ...notified]
    return all.length === 0 ? Effect.void : Effect.andThen(Fiber.awaitAll(all), drained)
  })
  /** Interrupts them, and waits a while for what they do on their way out. */
  const endAll = (all: ReadonlyArray<Fiber.Fiber<void>>): Effect.Effect<void> =>
    Effect.suspend(() => {
      for (const fiber of all) fiber.interruptUnsafe()
      return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Fiber.awaitAll(all)), limits.drainMs))
    })
  yield* connection.incoming.pipe(
    Stream.runForEachArray((messages) => hearAll(messages, 0)),
    Effect.andThen(Effect.timeoutOption(drained, limits.drainMs)),
    Effect.onExit((exit) =>
      Effect.suspend(() => {
        waiting.clear()
        return Exit.isSuccess(exit) && running.size + notified.size === 0
          ? Effect.void
          : endAll([...running.values(), ...notified])
      })
    ),
    Effect.asVoid
  )
})
