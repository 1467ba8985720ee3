import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import { answer } from "./answer.ts"
import type { Connection, Handler, Listener } from "./Connection.ts"
import type { Response } from "./JsonRpc.ts"

/**
 * A handler in the same process, as a connection: no wire at all. Interrupting an exchange interrupts its
 * handler, and nothing is heard after that. `Peer.local` does the same for a whole host.
 */
export const local = <R>(handler: Handler<R>): Effect.Effect<Connection, never, R> =>
  Effect.map(Effect.context<R>(), (context) => ({
    exchange: (request, listener) =>
      Effect.withFiber((caller) =>
        Effect.callback((resume) => {
          const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
          const call: { over: boolean; died?: Cause.Cause<never>; fiber?: Fiber.Fiber<Response> } = { over: false }
          // a handler on any other wire never sees its caller's listener die
          const die = (cause: Cause.Cause<never>): Effect.Effect<never> =>
            Effect.suspend(() => {
              call.died = cause
              call.over = true
              call.fiber?.interruptUnsafe()
              return Effect.never
            })
          const hear: Listener = (said) =>
            oneAtATime(Effect.suspend(() => (call.over ? Effect.void : listener(said)))).pipe(Effect.catchCause(die))
          const fiber = Effect.runForkWith(Context.merge(caller.context, context))(answer(handler, request, hear))
          call.fiber = fiber
          // it may have died before there was a fiber to interrupt
          if (call.died !== undefined) fiber.interruptUnsafe()
          fiber.addObserver((exit) => resume(call.died === undefined ? exit : Effect.failCause(call.died)))
          return Effect.suspend(() => {
            call.over = true
            return Fiber.interrupt(fiber)
          })
        })
      ),
    send: (message) =>
      "method" in message
        ? Effect.suspend(() => handler.notify(message)).pipe(
            Effect.catchDefect((defect) => Effect.logError("a handler died", defect)),
            Effect.provideContext(context)
          )
        : Effect.void,
    incoming: Effect.succeed(Effect.never)
  }))
