import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { answer } from "./answer.ts"
import type { Connection, Duplex, Handler, Listener } from "./Connection.ts"
import type { Frame } from "./Frame.ts"
import type { Host } from "./Host.ts"
import * as Inbox from "./Inbox.ts"
import { host as serveHost } from "./peer/host.ts"
import { make } from "./peer/make.ts"

const localHandler = <R>(handler: Handler<R>): Effect.Effect<Connection, never, R> =>
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

const localHost = <R>(host: Host<R>): Effect.Effect<Connection, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    const [up, down] = [Inbox.make<Frame>(), Inbox.make<Frame>()]
    const end = (from: Inbox.Inbox<Frame, never>, to: Inbox.Inbox<Frame, never>): Duplex => ({
      incoming: from.stream,
      send: (message) =>
        Effect.sync(() => {
          to.push(message)
          to.flush()
        })
    })
    return serveHost(end(up, down), host).pipe(
      Effect.ignore,
      Effect.ensuring(Effect.sync(() => down.end())),
      Effect.forkScoped({ startImmediately: true }),
      Effect.andThen(make(end(down, up)))
    )
  })

/**
 * A handler or a whole host in the same process, as a connection.
 *
 * Nothing lies between a handler and its caller: each exchange is a child of its caller's fiber, so that interrupting
 * the one interrupts the other. A host is reached as over a pipe, in the era that its client opens; the scope is its
 * life.
 */
export const local: {
  <R>(host: Host<R>): Effect.Effect<Connection, never, R | Scope.Scope>
  <R>(handler: Handler<R>): Effect.Effect<Connection, never, R>
} = <R>(hosted: Host<R> | Handler<R>): Effect.Effect<Connection, never, R | Scope.Scope> =>
  "converse" in hosted ? localHost(hosted) : localHandler(hosted)
