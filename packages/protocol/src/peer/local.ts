import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection, Duplex } from "../Connection.ts"
import { type Frame, fromText } from "../Frame.ts"
import type { Host } from "../Host.ts"
import * as Inbox from "../Inbox.ts"
import { host } from "./host.ts"
import { make } from "./make.ts"

/**
 * A host in the same process, reached as over a pipe, in the era that its client opens; the scope is its life. Messages
 * cross as JSON text, so that neither side sees the other's objects.
 */
export const local = <R>(server: Host<R>): Effect.Effect<Connection, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    const [up, down] = [Inbox.make<Frame>(), Inbox.make<Frame>()]
    const end = (from: Inbox.Inbox<Frame, never>, to: Inbox.Inbox<Frame, never>): Duplex => ({
      incoming: from.incoming,
      send: (message) =>
        Effect.sync(() => {
          to.push(fromText(JSON.stringify(message)))
          to.flush()
        })
    })
    return host(end(up, down), server).pipe(
      Effect.ignore,
      Effect.ensuring(Effect.sync(() => down.end())),
      Effect.forkScoped({ startImmediately: true }),
      Effect.andThen(make(end(down, up)))
    )
  })
