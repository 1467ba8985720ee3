import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { answer } from "./answer.ts"
import type { Connection, Handler, Listener } from "./Connection.ts"

/**
 * A handler in the same process, as a connection: no wire at all. Each exchange is a child of its caller's fiber, so
 * that interrupting the one interrupts the other. `Peer.local` does the same for a whole host.
 */
export const local = <R>(handler: Handler<R>): Effect.Effect<Connection, never, R> =>
  Effect.map(Effect.context<R>(), (context) => ({
    exchange: (request, listener) =>
      Effect.suspend(() => {
        const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
        const died = Deferred.makeUnsafe<never>()
        // a handler on any other wire never sees its caller's listener die
        const hear: Listener = (said) =>
          oneAtATime(Effect.suspend(() => listener(said))).pipe(
            Effect.catchCause((cause) => Effect.andThen(Deferred.failCause(died, cause), Effect.never))
          )
        return Effect.raceFirst(Effect.provideContext(answer(handler, request, hear), context), Deferred.await(died))
      }),
    send: (message) => ("method" in message ? Effect.provideContext(handler.notify(message), context) : Effect.void),
    incoming: Stream.never
  }))
