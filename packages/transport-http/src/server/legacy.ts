import type { HttpRequest, HttpResponse } from "@effective-mcp/http"
import { answer, ErrorCode, Frame, type Handler, HttpEra, JsonRpc, limits } from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { back } from "./back.ts"
import { Channel } from "./Channel.ts"
import type { Endpoint } from "./Endpoint.ts"
import { HttpCall } from "./HttpCall.ts"
import { refuse } from "./refuse.ts"
import { nameStream, type Session } from "./Session.ts"
import { responseText } from "./toText.ts"

const inUse = { code: ErrorCode.InvalidRequest, message: "Invalid request: the id is already in use" }
const alone = { code: ErrorCode.InvalidRequest, message: "Invalid request: initialize is never part of a batch" }
const noId = { code: ErrorCode.InvalidRequest, message: "Invalid request: the id is missing" }
const tooMany = { code: ErrorCode.InternalError, message: "Too many requests" }

type Of<R> = Session<R | HttpCall>

/** Takes note of the time, for how long a session has idled. */
export const touch = <R>({ sessions }: Endpoint<R>, session: Of<R>): void => {
  if (sessions !== undefined) session.usedAt = sessions.now()
}

/** What is known of the request that some fiber answers: it goes along into the session's own time. */
type Known = Context.Context<never>

/** One POST of a session: its own stream, and the handler that answers on it. */
interface Post<R> {
  readonly channel: Channel
  readonly handler: Handler<R | HttpCall>
  readonly known: Context.Context<HttpCall>
}

const open = <R>(session: Of<R>, http: HttpRequest, known: Known, response: HttpResponse): Post<R> => {
  const channel = new Channel(nameStream(session), response, session.manner)
  const handler = session.id === undefined ? session.standing : session.conversation.on(back(session, channel))
  return { channel, handler, known: Context.add(known, HttpCall, { request: http, closeStream: channel.close() }) }
}

/**
 * Runs what answers a request, in the session's own time: a client that leaves only stops listening. `after` hears of
 * the response; of a request that was cancelled there is none.
 */
const begin = <R>(
  { run }: Endpoint<R>,
  session: Of<R>,
  { channel, handler, known }: Post<R>,
  request: JsonRpc.Request,
  after: (response: JsonRpc.Response | undefined) => Effect.Effect<void, never, R>
): Fiber.Fiber<void> => {
  const work = Effect.flatMap(Effect.provideContext(answer(handler, request, channel.say), known), after)
  session.busy++
  const fiber = run(work)
  if (fiber.pollUnsafe() === undefined) session.running.set(request.id, fiber)
  fiber.addObserver((exit) => {
    session.busy--
    session.running.delete(request.id)
    if (Exit.isFailure(exit)) run(after(undefined))
  })
  return fiber
}

/** Waits for the end of a stream that has not ended by itself at once. */
const follow = <R>(
  { run }: Endpoint<R>,
  session: Of<R>,
  channel: Channel,
  response: HttpResponse
): Effect.Effect<void> => {
  session.channels.set(channel.name, channel)
  if (session.manner.polling) run(channel.begin())
  return Effect.onInterrupt(channel.listen(response), () => Effect.sync(() => channel.leave(response)))
}

/** Answers one request of a session. */
export const exchange = <R>(
  endpoint: Endpoint<R>,
  session: Of<R>,
  http: HttpRequest,
  request: JsonRpc.Request,
  response: HttpResponse
): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    if (session.running.has(request.id)) {
      // without the id: an error that bears it would settle the request that rightly has it
      return Effect.sync(() => refuse(response, 409, inUse.message))
    }
    if (session.running.size >= limits.sessionHandlers) {
      return Effect.sync(() => refuse(response, 503, tooMany.message, { code: tooMany.code, id: request.id }))
    }
    const post = open(session, http, context, response)
    const { channel } = post
    const fiber = begin(endpoint, session, post, request, (said) => {
      const finished = channel.finish(said === undefined ? undefined : responseText(said))
      return Effect.andThen(finished, settle(endpoint, session, channel))
    })
    return fiber.pollUnsafe() === undefined ? follow(endpoint, session, channel, response) : Effect.void
  })

/** After the last word of a stream. */
const settle = <R>(endpoint: Endpoint<R>, session: Of<R>, channel: Channel): Effect.Effect<void> => {
  session.channels.delete(channel.name)
  const { sessions } = endpoint
  if (sessions === undefined || session.id === undefined) return Scope.close(session.scope, Exit.void)
  touch(endpoint, session)
  return sessions.save(session)
}

/** Hears a notification of a session, beside its request. */
export const notify = <R>(
  { run }: Endpoint<R>,
  session: Of<R>,
  http: HttpRequest,
  known: Known,
  message: JsonRpc.Notification,
  handler: Handler<R | HttpCall> = session.standing
): void => {
  if (message.method === "notifications/cancelled") {
    const id = message.params?.requestId as JsonRpc.RequestId // cast: any value may be looked up
    return session.running.get(id)?.interruptUnsafe()
  }
  const call = { request: http, closeStream: Effect.void }
  run(
    Effect.suspend(() => handler.notify(message)).pipe(
      Effect.catchDefect((defect) => Effect.logError("a handler died", defect)),
      Effect.provideContext(Context.add(known, HttpCall, call))
    )
  )
}

/** Hears an answer to a question; one that nobody waits for is dropped. */
export const hear = <R>({ asked }: Of<R>, message: JsonRpc.Response): void => {
  const id = message.id as JsonRpc.RequestId // cast: an error without an id finds nothing
  asked.get(id)?.(message)
}

/**
 * Answers an array with an array, once all that it asks has been answered.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export const batch = <R>(
  endpoint: Endpoint<R>,
  session: Of<R>,
  http: HttpRequest,
  entries: Frame.Batch,
  errorOf: (entry: Frame.Malformed) => JsonRpc.Response | undefined,
  response: HttpResponse
): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    const post = open(session, http, context, response)
    const { channel } = post
    const responses: Array<JsonRpc.Response> = []
    /** What it has asked so far: what is answered already is in use all the same. */
    const ids = new Set<JsonRpc.RequestId>()
    let asks = 0
    let waiting = 1
    const done = (said: JsonRpc.Response | undefined): Effect.Effect<void> => {
      if (said !== undefined) responses.push(said)
      if (--waiting > 0) return Effect.void
      const text = responses.length === 0 ? undefined : `[${responses.map(responseText).join(",")}]`
      return Effect.andThen(channel.finish(text), settle(endpoint, session, channel))
    }
    const refused = (request: JsonRpc.Request): JsonRpc.Response | undefined => {
      if (request.method === "initialize") return JsonRpc.failure(request.id, alone)
      if (ids.has(request.id) || session.running.has(request.id)) return JsonRpc.failure(undefined, inUse)
      if (session.running.size >= limits.sessionHandlers) return JsonRpc.failure(request.id, tooMany)
      ids.add(request.id)
      return undefined
    }
    const take = (message: JsonRpc.Message): void => {
      if (JsonRpc.isResponse(message)) return hear(session, message)
      if (HttpEra.lacksId(message)) return void responses.push(JsonRpc.failure(undefined, noId))
      if (JsonRpc.isNotification(message)) return notify(endpoint, session, http, context, message, post.handler)
      asks++
      const error = refused(message)
      if (error !== undefined) return void responses.push(error)
      waiting++
      begin(endpoint, session, post, message, done)
    }
    for (const entry of entries) {
      if (entry instanceof Frame.Malformed) {
        const error = errorOf(entry)
        if (error !== undefined) responses.push(error)
      } else take(entry)
    }
    if (asks === 0 && responses.length === 0) {
      response.whole(202, {})
      return Effect.andThen(channel.finish(), settle(endpoint, session, channel))
    }
    return Effect.flatMap(done(undefined), () =>
      waiting > 0 ? follow(endpoint, session, channel, response) : Effect.void
    )
  })
