import { type Connection, JsonRpc, limits, TransportError } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Channel } from "./Channel.ts"
import { Sparse } from "./Sparse.ts"
import { Standalone } from "./Standalone.ts"

/** What leads to the client of a session, whatever it asks just now. */
export interface Line {
  readonly standalone: Standalone
  /** Questions that the client has yet to answer. */
  readonly asked: Sparse<JsonRpc.RequestId, (answer: JsonRpc.Response) => void>
}

export const makeLine = (): Line => ({ standalone: new Standalone(), asked: new Sparse() })

/** A way to say something to the client. */
type Way = Pick<Channel, "isHeard" | "say">

const unreachable = Effect.suspend(() =>
  Effect.fail(TransportError.make({ _tag: "Unreachable", what: "the client has no stream open" }, "NotSent"))
)

/** What a client says comes by its POSTs. */
const silence: Connection["incoming"] = Effect.succeed(Effect.never)

/** A client without a session: no answer of it finds its way here. */
export const nobody: Connection = { incoming: silence, send: () => Effect.void, exchange: () => unreachable }

const ask = ({ asked }: Line, question: JsonRpc.Request, way: Way): Effect.Effect<JsonRpc.Response, TransportError> => {
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

/**
 * The way back to the client of a session. While one of its POSTs is being answered, questions go on that POST's
 * `channel`; where there is none, or nobody hears it, on a standalone stream. All else goes on a standalone one.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export const back = (line: Line, channel?: Channel): Connection => ({
  incoming: silence,
  send: (message) => (JsonRpc.isResponse(message) ? Effect.void : line.standalone.say(message)),
  exchange: (question) =>
    Effect.suspend(() => {
      if (channel?.isHeard() === true) return ask(line, question, channel)
      return line.standalone.isHeard() ? ask(line, question, line.standalone) : unreachable
    })
})
