import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { answer } from "./answer.ts"
import type { Connection, Handler } from "./Connection.ts"

/**
 * A handler in the same process, as a connection: no wire at all. Each exchange runs in its caller's fiber, so that
 * interrupting the one interrupts the other.
 */
export const local = <R>(handler: Handler<R>): Effect.Effect<Connection, never, R> =>
  Effect.map(Effect.context<R>(), (context) => ({
    exchange: (request, listener) =>
      Effect.suspend(() => {
        const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
        return Effect.provideContext(
          answer(handler, request, (said) => oneAtATime(listener(said))),
          context
        )
      }),
    send: (message) => ("method" in message ? Effect.provideContext(handler.notify(message), context) : Effect.void),
    incoming: Stream.never
  }))
