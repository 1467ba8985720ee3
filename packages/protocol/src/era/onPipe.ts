import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection, Handler } from "../Connection.ts"
import type { Host } from "../Host.ts"
import { opening } from "./opening.ts"

/**
 * A host on a wire that one client has to itself: its legacy conversation is the wire's, and modern requests are served
 * beside it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
export const onPipe = <R>(host: Host<R>, client: Connection): Effect.Effect<Handler<R>, never, Scope.Scope> =>
  Effect.map(host.converse(), (conversation) => {
    const legacy = conversation.on(client)
    return {
      exchange: (request, listener) =>
        (opening(request) === "modern" ? host.modern : legacy).exchange(request, listener),
      notify: (notification) => (opening(notification) === "modern" ? host.modern : legacy).notify(notification)
    }
  })
