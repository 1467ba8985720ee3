import type { HttpRequest, HttpResponse } from "@effective-mcp/http"
import { ErrorCode, Frame, type Host, HttpEra, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Endpoint } from "./Endpoint.ts"
import { exchange } from "./exchange.ts"
import { SESSION, VERSION } from "./headers.ts"
import { HttpCall } from "./HttpCall.ts"
import { initialize } from "./initialize.ts"
import * as legacy from "./legacy.ts"
import { refuse } from "./refuse.ts"
import type { Session } from "./Session.ts"
import { session as stateless } from "./stateless.ts"
import { withSession } from "./withSession.ts"

const messageOf = ({ code, detail }: Frame.Malformed): string =>
  code === ErrorCode.ParseError ? "Parse error" : `Invalid request: ${detail}`

/** What answers something that is no message, where it may have been a request. */
const errorOf = (entry: Frame.Malformed): JsonRpc.Response | undefined =>
  entry.about === "request" || entry.about === "unknown"
    ? JsonRpc.failure(entry.id, { code: entry.code, message: messageOf(entry) })
    : undefined

const accept = (response: HttpResponse): Effect.Effect<void> => Effect.sync(() => response.whole(202, {}))

const deny = (response: HttpResponse, message: string): Effect.Effect<void> =>
  Effect.sync(() => refuse(response, 400, message))

/** One message of a session. */
const inSession = <R>(
  endpoint: Endpoint<R>,
  session: Session<R | HttpCall>,
  http: HttpRequest,
  frame: JsonRpc.Message | Frame.Batch,
  response: HttpResponse
): Effect.Effect<void> => {
  if (Frame.isBatch(frame)) {
    return HttpEra.allowsBatches(session.revision)
      ? legacy.batch(endpoint, session, http, frame, errorOf, response)
      : deny(response, "Invalid request: no batches in this revision")
  }
  if (JsonRpc.isRequest(frame)) {
    legacy.touch(endpoint, session)
    return legacy.exchange(endpoint, session, http, frame, response)
  }
  if (JsonRpc.isResponse(frame)) {
    legacy.hear(session, frame)
    return accept(response)
  }
  return Effect.withFiber(({ context }) => {
    legacy.notify(endpoint, session, http, context, frame)
    return accept(response)
  })
}

const isOpening = (frame: JsonRpc.Message | Frame.Batch): frame is JsonRpc.Request =>
  !Frame.isBatch(frame) && JsonRpc.isRequest(frame) && frame.method === "initialize"

const inLegacy = <R>(
  endpoint: Endpoint<R>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  frame: JsonRpc.Message | Frame.Batch,
  response: HttpResponse
): Effect.Effect<void, never, R> => {
  const { sessions } = endpoint
  if (sessions === undefined) {
    return Effect.flatMap(stateless(endpoint, host, http, isOpening(frame)), (session) => {
      const answered = inSession(endpoint, session, http, frame, response)
      // what asks something ends its conversation itself, when it is through
      const isAsking = Frame.isBatch(frame) ? HttpEra.allowsBatches(session.revision) : JsonRpc.isRequest(frame)
      return isAsking ? answered : Effect.ensuring(answered, Scope.close(session.scope, Exit.void))
    })
  }
  if (isOpening(frame)) return initialize(endpoint, sessions, host, http, frame, response)
  return withSession(endpoint, sessions, host, http, response, (session) =>
    inSession(endpoint, session, http, frame, response)
  )
}

const inModern = <R>(
  endpoint: Endpoint<R>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  message: JsonRpc.Message,
  response: HttpResponse
): Effect.Effect<void, never, R> => {
  if (JsonRpc.isRequest(message)) return exchange(endpoint, host, http, message, response)
  if (JsonRpc.isResponse(message)) return deny(response, "Invalid request: no responses in this revision")
  const call = { request: http, closeStream: Effect.void }
  const heard = Effect.provideService(host.modern.notify(message), HttpCall, call)
  return Effect.andThen(heard, accept(response))
}

/** Whether the messages of an HTTP request are modern ones. */
const isModern = <R>({ eras }: Host<R>, http: HttpRequest, frame: JsonRpc.Message | Frame.Batch): boolean => {
  if (eras?.includes("legacy") === false) return !isOpening(frame)
  const said = { session: http.header(SESSION), version: http.header(VERSION) }
  return (Frame.isBatch(frame) ? HttpEra.openingByHeaders(said) : HttpEra.opening(frame, said)) === "modern"
}

/** Answers what the body of a POST holds, in the era that it opens. */
export const receive = <R>(
  endpoint: Endpoint<R>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  frame: Frame.Frame,
  response: HttpResponse
): Effect.Effect<void, never, R> => {
  if (frame instanceof Frame.Malformed) {
    const { code, id } = frame
    return Effect.sync(() => refuse(response, 400, messageOf(frame), { code, id }))
  }
  if (!isModern(host, http, frame)) {
    if (!Frame.isBatch(frame) && HttpEra.lacksId(frame)) return deny(response, "Invalid request: the id is missing")
    return inLegacy(endpoint, host, http, frame, response)
  }
  if (Frame.isBatch(frame)) return deny(response, "Invalid request: no batches in this revision")
  if (HttpEra.lacksId(frame)) return deny(response, "Invalid request: the id is missing")
  return inModern(endpoint, host, http, frame, response)
}
