import { type Connection, JsonRpc, limits, TransportError } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Channel } from "./Channel.ts"
import type { Session } from "./Session.ts"

/** A way to say something to the client. */
interface Way {
  readonly isHeard: () => boolean
  readonly say: Channel["say"]
}

const unreachable = Effect.suspend(() =>
  Effect.fail(TransportError.make({ _tag: "Unreachable", what: "the client has no stream open" }, "NotSent"))
)

/** A client that nothing can be said to. */
export const nobody: Connection = { incoming: Stream.never, send: () => Effect.void, exchange: () => unreachable }

/**
 * The way back to the client of a session while one of its POSTs is being answered: questions go on that POST's stream,
 * or on a standalone one where it has none, and all else on a standalone one.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export const back = <R>({ asked, id, standalone }: Session<R>, channel: Channel): Connection => {
  const ask = (question: JsonRpc.Request, way: Way): Effect.Effect<JsonRpc.Response, TransportError> => {
    if (asked.has(question.id)) return Effect.die(new Error("the id is already in use"))
    const abandon = Effect.timeoutOption(
      way.say(JsonRpc.notification("notifications/cancelled", { requestId: question.id })),
      limits.farewellMs
    )
    const answered = Deferred.makeUnsafe<JsonRpc.Response>()
    asked.set(question.id, (answer) => Deferred.doneUnsafe(answered, Effect.succeed(answer)))
    return Effect.andThen(way.say(question), Deferred.await(answered)).pipe(
      Effect.onInterrupt(() => abandon),
      Effect.ensuring(Effect.sync(() => asked.delete(question.id)))
    )
  }
  return {
    incoming: Stream.never,
    send: (message) => (id === undefined || JsonRpc.isResponse(message) ? Effect.void : standalone.say(message)),
    exchange: (question) =>
      Effect.suspend(() => {
        // without a session no answer finds its way here
        if (id === undefined) return unreachable
        if (channel.isHeard()) return ask(question, channel)
        return standalone.isHeard() ? ask(question, standalone) : unreachable
      })
  }
}
