import {
  type Connection,
  ErrorCode,
  type Handler,
  Inbox,
  JsonRpc,
  limits,
  Peer,
  type Revision,
  RpcError
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Asked } from "../Answers.ts"
import { type Clock, logged, type Questions } from "../answers/Questions.ts"
import { tooMany, Unanswered } from "../answers/Unanswered.ts"
import type { Pulse } from "../Deadlines.ts"
import type { Host } from "../Host.ts"

/** A call of ours, as what is said because of it sees it. */
export interface Call {
  readonly method: string
  readonly id: JsonRpc.RequestId
  readonly pulse: Pulse
  /** The questions that came on its own stream; made by the first. */
  questions: Own | undefined
}

/** What was asked on a call's own stream. */
export interface Own {
  /** The questions that the host answers, or that wait for it. */
  readonly open: Set<JsonRpc.RequestId>
  isOver: boolean
}

const CANCELLED = "notifications/cancelled"
const COMPLETE = "notifications/elicitation/complete"

const badId = new RpcError({ code: ErrorCode.InvalidRequest, message: "Invalid request: the id is too long" })

const isKept = (id: JsonRpc.RequestId): boolean => typeof id !== "string" || id.length <= limits.questionIdLength

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
  const full = new Set<() => void>()
  /** What came on the streams of calls. */
  const own = Inbox.make<JsonRpc.Request | JsonRpc.Notification>(() => {
    for (const go of full) go()
  })
  /** By the question itself: one that is refused before anybody sees it leaves nothing behind. */
  const calls = new WeakMap<JsonRpc.Request, Call>()
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
    const answered = Effect.matchEffect(answering, {
      onSuccess: (result) => Effect.succeed<JsonRpc.Response>(JsonRpc.success(id, result)),
      onFailure: (unanswered) => Effect.as(logged(method, unanswered), refuse(unanswered.error))
    })
    const open = call?.questions?.open
    if (open === undefined) return answered
    if (!isKept(id)) return Effect.succeed(refuse(badId))
    if (open.size >= limits.callQuestions) return Effect.succeed(refuse(tooMany.error))
    open.add(id)
    return Effect.ensuring(
      answered,
      Effect.sync(() => open.delete(id))
    )
  }
  /** A question whose call ended before its turn is withdrawn, and so has no answer. */
  const drop = ({ id }: JsonRpc.Request): Effect.Effect<never> =>
    Effect.andThen(
      Effect.yieldNow,
      Effect.suspend(() => {
        forOwn(JsonRpc.notification(CANCELLED, { requestId: id }))
        return Effect.never
      })
    )
  const notify = (said: JsonRpc.Notification): Effect.Effect<void> => {
    if (said.method === COMPLETE && revision?.notifications.fromServer[COMPLETE] !== undefined)
      questions.complete(said.params?.elicitationId)
    return host.notify(said)
  }
  const handler: Handler = {
    notify,
    exchange: (request) => {
      const call = calls.get(request)
      return call?.questions?.isOver === true ? drop(request) : put(request, call)
    }
  }
  const serve = (served: Connection) =>
    Peer.serve(served, handler).pipe(Effect.ignore, Effect.forkIn(scope, { startImmediately: true }))

  const forOwn = (said: JsonRpc.Request | JsonRpc.Notification): void => {
    own.push(said)
    own.flush()
  }
  /** Withdraws what a call that is over was asked because of. */
  const withdraw = (questions: Own): void => {
    questions.isOver = true
    for (const id of questions.open) forOwn(JsonRpc.notification(CANCELLED, { requestId: id }))
  }
  /** What is said faster than it is taken holds up the stream that it comes on. */
  const room: Effect.Effect<void> = Effect.callback((resume) => {
    // its fiber may have given up its turn since it looked
    if (own.size() < limits.unread) return resume(Effect.void)
    const go = (): void => {
      full.delete(go)
      resume(Effect.void)
    }
    full.add(go)
    return Effect.sync(() => full.delete(go))
  })
  const inRoom = (hear: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.suspend(() => (own.size() < limits.unread ? hear : Effect.andThen(room, hear)))
  const hearQuestion = (call: Call, request: JsonRpc.Request): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (call.questions === undefined) {
        const questions: Own = { open: new Set(), isOver: false }
        call.questions = questions
        call.pulse.onEnd(() => withdraw(questions))
      }
      calls.set(request, call)
      forOwn(request)
      if (isServingOwn) return Effect.void
      isServingOwn = true
      return Effect.asVoid(serve({ ...connection, incoming: own.incoming }))
    })
  /** A question may be withdrawn on another stream than it came on. */
  const incoming = Effect.map(connection.incoming, (pull) =>
    Effect.map(pull, (messages) => {
      if (isServingOwn)
        for (const said of messages)
          if (!("id" in said) && said.method === CANCELLED && own.size() < limits.unread) forOwn(said)
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
      if ("id" in said) return inRoom(hearQuestion(call, said))
      if (said.method === CANCELLED) return inRoom(Effect.sync(() => forOwn(said)))
      return notify(said)
    }
  }
})
