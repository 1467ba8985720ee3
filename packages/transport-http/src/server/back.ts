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

const askOn = <R>(
  { asked }: Session<R>,
  question: JsonRpc.Request,
  way: Way
): Effect.Effect<JsonRpc.Response, TransportError> => {
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

/** The way back to the client of a session while it asks for nothing: all is said on a standalone stream. */
export const unasked = <R>(session: Session<R>): Connection => {
  const { id, standalone } = session
  // without a session no answer finds its way here
  if (id === undefined) return nobody
  return {
    incoming: Stream.never,
    send: (message) => (JsonRpc.isResponse(message) ? Effect.void : standalone.say(message)),
    exchange: (question) =>
      Effect.suspend(() => (standalone.isHeard() ? askOn(session, question, standalone) : unreachable))
  }
}

/**
 * The way back to the client of a session while one of its POSTs is being answered: questions go on that POST's stream,
 * or on a standalone one where it has none, and all else on a standalone one.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export const back = <R>(session: Session<R>, channel: Channel): Connection => {
  const otherwise = unasked(session)
  if (session.id === undefined) return otherwise
  return {
    ...otherwise,
    exchange: (question, listener) =>
      Effect.suspend(() =>
        channel.isHeard() ? askOn(session, question, channel) : otherwise.exchange(question, listener)
      )
  }
}
