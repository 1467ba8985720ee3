import { Body, type BodyError, type HttpRequest, type HttpResponse, MediaType, verified } from "@effective-mcp/http"
import { ErrorCode, Frame, type Host, HttpEra, limits, Meta, type PrincipalService } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Endpoint } from "./Endpoint.ts"
import { SESSION, VERSION } from "./headers.ts"
import type { HttpCall } from "./HttpCall.ts"
import type { Options } from "./Options.ts"
import { receive } from "./post.ts"
import { refuse } from "./refuse.ts"
import * as streams from "./streams.ts"

const JSON_OR_STREAM = ["application/json", "text/event-stream"]
const STREAM = ["text/event-stream"]

const refuseBody = (response: HttpResponse, error: BodyError): Effect.Effect<void> => {
  const { headers = {}, message, status } = Body.refusalOf(error)
  const code = status === 503 ? ErrorCode.InternalError : ErrorCode.InvalidRequest
  return Effect.sync(() => refuse(response, status, message, { code, headers }))
}

/**
 * What else has to be in order before anything of a request is read, in this order: method (405), `Accept` (406),
 * `Content-Type` (415), who sends it (401), encoding (415) and length of the body (413). While that comes there has to be
 * room for it (503). What passes is served.
 */
export const admission = <R, P extends PrincipalService>(endpoint: Endpoint<R>, options: Options<P>) => {
  const { compressed = false, depth = limits.depth, messageBytes: limit = limits.messageBytes, principal } = options
  const reads = { limit, compressed, intake: endpoint.intake }
  const identified = verified<R>(principal, refuse)

  const post = (request: HttpRequest, response: HttpResponse): Effect.Effect<void, never, R> => {
    if (!MediaType.accepts(request.header("accept"), JSON_OR_STREAM)) {
      return Effect.sync(() => refuse(response, 406, "Not acceptable: JSON and event streams must be accepted"))
    }
    if (MediaType.essence(request.header("content-type") ?? "") !== "application/json") {
      return Effect.sync(() => refuse(response, 415, "Unsupported media type: not application/json"))
    }
    const served = Effect.suspend(() => {
      const reading = Body.read(request, reads)
      // most bodies are there
      if (Exit.isExit(reading) && Exit.isSuccess(reading)) return hear(request, response, reading.value as Uint8Array) // cast: it is what is read
      const onLate = () => refuse(response, 408, "Request timeout: the body took too long")
      return Effect.matchEffect(Body.inTime(reading, endpoint.reading, onLate), {
        onFailure: (error) => refuseBody(response, error),
        onSuccess: (body): Effect.Effect<void, never, R> => hear(request, response, body)
      })
    })
    return identified(request, response, Meta.traced(request.header("traceparent"), served))
  }
  const hear = (request: HttpRequest, response: HttpResponse, body: Uint8Array): Effect.Effect<void, never, R> => {
    const frame = Frame.fromBytes(body, depth)
    const host = endpoint.hostFor(request)
    // most often it is always the same
    return Effect.isEffect(host)
      ? Effect.flatMap(host, (host) => receive(endpoint, host, request, frame, response))
      : receive(endpoint, host, request, frame, response)
  }
  const methodNotAllowed = (response: HttpResponse, allow: string): Effect.Effect<void> =>
    Effect.sync(() => refuse(response, 405, "Method not allowed", { headers: { allow } }))

  const inSession = (
    request: HttpRequest,
    response: HttpResponse,
    answer: typeof streams.get
  ): Effect.Effect<void, never, R> => {
    const { sessions } = endpoint
    if (sessions === undefined) return methodNotAllowed(response, "POST")
    const said = { session: request.header(SESSION), version: request.header(VERSION) }
    if (HttpEra.openingByHeaders(said) === "modern") return methodNotAllowed(response, "POST")
    const served = Effect.suspend(() => {
      const hosted = (host: Host<R | HttpCall>): Effect.Effect<void, never, R> =>
        host.eras?.includes("legacy") === false
          ? methodNotAllowed(response, "POST")
          : answer(endpoint, sessions, host, request, response)
      const host = endpoint.hostFor(request)
      return Effect.isEffect(host) ? Effect.flatMap(host, hosted) : hosted(host)
    })
    return identified(request, response, served)
  }

  return (request: HttpRequest, response: HttpResponse): Effect.Effect<void, never, R> => {
    switch (request.method) {
      case "POST":
        return post(request, response)
      case "GET":
        if (!MediaType.accepts(request.header("accept"), STREAM)) {
          return Effect.sync(() => refuse(response, 406, "Not acceptable: event streams must be accepted"))
        }
        return inSession(request, response, streams.get)
      case "DELETE":
        return inSession(request, response, streams.remove)
      default:
        return methodNotAllowed(response, endpoint.sessions === undefined ? "POST" : "POST, GET, DELETE")
    }
  }
}
