import { type Connection, type Handler, Inbox, JsonRpc, Peer, type Revision, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Asked } from "../Answers.ts"
import { type Clock, logged, type Questions } from "../answers/Questions.ts"
import { Unanswered } from "../answers/Unanswered.ts"
import type { Pulse } from "../Deadlines.ts"
import type { Host } from "../Host.ts"

/** A call of ours, as what is said because of it sees it. */
export interface Call {
  readonly method: string
  readonly id: JsonRpc.RequestId
  readonly pulse: Pulse
  /** The questions that came on its own stream; made by the first. */
  questions: Set<JsonRpc.RequestId> | undefined
}

const CANCELLED = "notifications/cancelled"
const COMPLETE = "notifications/elicitation/complete"

/**
 * Answers what a legacy server asks, on whatever stream it asks: outside any exchange, where no pipe tells which call a
 * question belongs to, and on a call's own stream, where it ends with the call.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 */
export const make = Effect.fnUntraced(function* (
  connection: Connection,
  host: Host,
  questions: Questions,
  everyCall: Clock
) {
  const scope = yield* Effect.scope
  /** What came on the streams of calls. */
  const own = Inbox.make<JsonRpc.Request | JsonRpc.Notification>()
  const calls = new Map<JsonRpc.RequestId, Call>()
  let isServingOwn = false
  let revision: Revision | undefined

  const put = (request: JsonRpc.Request, call: Call | undefined): Effect.Effect<JsonRpc.Response> => {
    const { id, method, params } = request
    const refuse = (error: RpcError): JsonRpc.Response => JsonRpc.failure(id, error.toObject())
    if (method === "ping") return Effect.succeed(JsonRpc.success(id, {}))
    if (revision === undefined || revision.era === "modern")
      return Effect.succeed(refuse(RpcError.methodNotFound(method)))
    const context: Asked = call === undefined ? {} : { call: { method: call.method, id: call.id } }
    const answering = questions.prepare(revision, { method, params }, context, call?.pulse ?? everyCall)
    if (answering instanceof Unanswered) return Effect.succeed(refuse(answering.error))
    return Effect.matchEffect(answering, {
      onSuccess: (result) => Effect.succeed<JsonRpc.Response>(JsonRpc.success(id, result)),
      onFailure: (unanswered) => Effect.as(logged(method, unanswered), refuse(unanswered.error))
    })
  }
  const notify = (said: JsonRpc.Notification): Effect.Effect<void> => {
    if (said.method === COMPLETE && revision?.notifications.fromServer[COMPLETE] !== undefined)
      questions.complete(said.params?.elicitationId)
    return host.notify(said)
  }
  const handler: Handler = {
    notify,
    exchange: (request) => {
      const call = calls.get(request.id)
      return call === undefined
        ? put(request, undefined)
        : Effect.ensuring(
            put(request, call),
            Effect.sync(() => {
              calls.delete(request.id)
              call.questions?.delete(request.id)
            })
          )
    }
  }
  const serve = (served: Connection) =>
    Peer.serve(served, handler).pipe(Effect.ignore, Effect.forkIn(scope, { startImmediately: true }))

  const forOwn = (said: JsonRpc.Request | JsonRpc.Notification): void => {
    own.push(said)
    own.flush()
  }
  /** Withdraws what a call that is over was asked because of. */
  const withdraw = ({ questions }: Call): void => {
    for (const id of questions ?? []) {
      calls.delete(id)
      forOwn(JsonRpc.notification(CANCELLED, { requestId: id }))
    }
  }
  const hearQuestion = (call: Call, request: JsonRpc.Request): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (call.questions === undefined) {
        call.questions = new Set()
        call.pulse.onEnd(() => withdraw(call))
      }
      if (!calls.has(request.id)) {
        call.questions.add(request.id)
        calls.set(request.id, call)
      }
      forOwn(request)
      if (isServingOwn) return Effect.void
      isServingOwn = true
      return Effect.asVoid(serve({ ...connection, incoming: own.incoming }))
    })
  /** A question may be withdrawn on another stream than it came on. */
  const incoming = Effect.map(connection.incoming, (pull) =>
    Effect.map(pull, (messages) => {
      if (calls.size > 0) for (const said of messages) if (!("id" in said) && said.method === CANCELLED) forOwn(said)
      return messages
    })
  )
  yield* serve({ ...connection, incoming })

  return {
    revision: (): Revision | undefined => revision,
    speak: (spoken: Revision): void => {
      revision = spoken
    },
    /** Takes what was said because of a call, but for its progress. */
    hear: (call: Call, said: JsonRpc.Request | JsonRpc.Notification): Effect.Effect<void> => {
      if ("id" in said) return hearQuestion(call, said)
      if (said.method === CANCELLED) return Effect.sync(() => forOwn(said))
      return notify(said)
    }
  }
})
