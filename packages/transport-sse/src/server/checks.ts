import {
  Body,
  type HttpRequest,
  type HttpResponse,
  type Intake,
  type KeepAlive,
  MediaType,
  verified
} from "@effective-mcp/http"
import { ErrorCode, limits, Meta, type PrincipalService } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Options } from "./Options.ts"
import { refuse } from "./refuse.ts"

const STREAM = ["text/event-stream"]

/** Answers what has passed. */
type Answer<R> = (request: HttpRequest, response: HttpResponse) => Effect.Effect<void, never, R>

export interface Answers<R> {
  /** Opens a stream. */
  readonly get: Answer<R>
  /** Finds what a message is for, and goes on with its body, which `read` reads: it answers itself where that fails. */
  readonly post: (request: HttpRequest, response: HttpResponse, read: Read) => Effect.Effect<void, never, R>
}

export type Read = <R>(next: (body: Uint8Array) => Effect.Effect<void, never, R>) => Effect.Effect<void, never, R>

/** What all bodies of an endpoint are held to. */
export interface Bodies {
  /** Beats for those that are being read; two beats are too long. */
  readonly reading: KeepAlive.KeepAlive
  /** Counts them. */
  readonly intake: Intake.Intake
}

/**
 * What has to be in order before anything of a request is read, in this order: method (405), `Accept` (406),
 * `Content-Type` (415), who sends it (401). Its body then is held to encoding (415), length (413) and time (408),
 * and there has to be room for it (503).
 */
export const admission = <R, P extends PrincipalService>(
  { get, post }: Answers<R>,
  { intake, reading }: Bodies,
  { compressed = false, messageBytes: limit = limits.messageBytes, principal }: Options<P>
): Answer<R> => {
  const reads = { limit, compressed, intake }
  const deny = (response: HttpResponse, ...said: [number, string]): Effect.Effect<void> =>
    Effect.sync(() => refuse(response, ...said))

  const identified = verified<R>(principal, refuse)
  const readFrom =
    (request: HttpRequest, response: HttpResponse): Read =>
    (next) =>
      Effect.suspend(() => {
        const onLate = () => refuse(response, 408, "Request timeout: the body took too long")
        return Effect.matchEffect(Body.inTime(Body.read(request, reads), reading, onLate), {
          onFailure: (error) => {
            const { headers = {}, message, status } = Body.refusalOf(error)
            const code = status === 503 ? ErrorCode.InternalError : ErrorCode.InvalidRequest
            return Effect.sync(() => refuse(response, status, message, { code, headers }))
          },
          onSuccess: next
        })
      })

  const traced: Answer<R> = (request, response) =>
    Meta.traced(
      request.header("traceparent"),
      Effect.suspend(() => post(request, response, readFrom(request, response)))
    )

  return (request, response) => {
    switch (request.method) {
      case "GET":
        return MediaType.accepts(request.header("accept"), STREAM)
          ? identified(
              request,
              response,
              Effect.suspend(() => get(request, response))
            )
          : deny(response, 406, "Not acceptable: event streams must be accepted")
      case "POST":
        return MediaType.essence(request.header("content-type") ?? "") === "application/json"
          ? identified(request, response, traced(request, response))
          : deny(response, 415, "Unsupported media type: not application/json")
      default:
        return Effect.sync(() => refuse(response, 405, "Method not allowed", { headers: { allow: "GET, POST" } }))
    }
  }
}
