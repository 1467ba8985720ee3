import { limits } from "@effective-mcp/protocol/Limits"
import * as ByteSize from "effect/ByteSize"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { HttpServerRequest, MaxBodySize } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { concat } from "../concat.ts"
import type { HttpHandler } from "../HttpHandler.ts"
import { BodyError, type HttpRequest } from "../HttpRequest.ts"
import type { HttpResponse } from "../HttpResponse.ts"
import type { Intake } from "../Intake.ts"
import { Room } from "../Room.ts"
import { run } from "../run.ts"

/** Bytes that may wait for a reader before the next part is held back. */
const AHEAD = 64 * 1024

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)

/** Whatever has read the body before has kept it, so that what it was allowed to read counts here, too. */
const read = (request: HttpServerRequest, limit: number): Effect.Effect<Uint8Array, BodyError> =>
  request.arrayBuffer.pipe(
    Effect.provideService(MaxBodySize, ByteSize.bytes(limit)),
    Effect.mapError(({ reason }) => {
      const isTooLarge = reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
      return new BodyError({ reason: isTooLarge ? "TooLarge" : "Broken" })
    }),
    Effect.flatMap((buffer) =>
      buffer.byteLength > limit
        ? Effect.fail(new BodyError({ reason: "TooLarge" }))
        : Effect.succeed(new Uint8Array(buffer))
    )
  )

const lengthOf = ({ headers }: HttpServerRequest): number => Number(headers["content-length"] ?? NaN)

/** What is held while a body is read as a whole, which cannot be counted as it comes: what it says that it has, or may have. */
const sizeOf = (request: HttpServerRequest, limit: number): number => {
  const length = lengthOf(request)
  return length >= 0 && length < limit ? length : limit
}

/** Whether nobody has read any of its body, as far as the request of the runtime tells. */
const isUntouched = ({ source }: HttpServerRequest): boolean =>
  source instanceof Request
    ? source.body !== null && !source.bodyUsed && !source.body.locked
    : "readableDidRead" in source && source.readableDidRead === false

/** As it comes. */
const parts = (
  request: HttpServerRequest,
  limit: number,
  hasRoom: (size: number) => boolean
): Effect.Effect<Uint8Array, BodyError> =>
  Effect.suspend(() => {
    const all: Array<Uint8Array> = []
    let size = 0
    const add = (part: Uint8Array): Effect.Effect<void, BodyError> => {
      size += part.length
      if (size > limit) return Effect.fail(new BodyError({ reason: "TooLarge" }))
      if (!hasRoom(size)) return Effect.fail(new BodyError({ reason: "Busy" }))
      all.push(part)
      return Effect.void
    }
    return Stream.runForEach(request.stream, add).pipe(
      Effect.mapError((error) => (error instanceof BodyError ? error : new BodyError({ reason: "Broken" }))),
      Effect.map(() => concat(all, size))
    )
  })

const counted = (request: HttpServerRequest, limit: number, intake: Intake): Effect.Effect<Uint8Array, BodyError> =>
  Effect.suspend(() => {
    const stopped = Deferred.makeUnsafe<never, BodyError>()
    let isOver = false
    const stop = (reason: BodyError["reason"]): void => {
      Deferred.doneUnsafe(stopped, Effect.fail(new BodyError({ reason })))
    }
    const hasRoom = (size: number): boolean => !isOver && intake.take(stop, size)
    const isStreamed = isUntouched(request)
    if (!isStreamed && !hasRoom(sizeOf(request, limit))) stop("Busy")
    const reading = isStreamed ? parts(request, limit, hasRoom) : read(request, limit)
    // at once, though who reads may take a while to stop
    const waiting = Effect.ensuring(
      Deferred.await(stopped),
      Effect.sync(() => {
        isOver = true
        intake.give(stop)
      })
    )
    return Effect.raceFirst(waiting, reading)
  })

/** The host by the URL where a runtime tells it by nothing else. */
const hostOf = ({ headers, originalUrl }: HttpServerRequest): string | undefined =>
  headers[":authority"] ?? (URL.canParse(originalUrl) ? new URL(originalUrl).host : undefined)

const requestOf = (request: HttpServerRequest): HttpRequest => ({
  method: request.method,
  url: request.originalUrl,
  header: (name) =>
    (Object.hasOwn(request.headers, name) ? request.headers[name] : undefined) ??
    (name === "host" ? hostOf(request) : undefined),
  body: (limit, intake) =>
    intake === undefined || sizeOf(request, limit) <= limits.smallBodyBytes
      ? read(request, limit)
      : counted(request, limit, intake)
})

/**
 * Serves a handler as a route of Effect's `HttpRouter`, on whatever server that runs. The handler's fiber belongs to the
 * scope of its request: it has the request's services (its span, its loggers), and is interrupted when the client leaves or
 * the route is interrupted before the answer has ended.
 */
export const toHttpEffect = (
  handler: HttpHandler
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<HttpServerRequest>()
    const scope = yield* Scope.Scope
    const route = yield* Effect.withFiber(Effect.succeed)
    const request = yield* HttpServerRequest
    const parts = yield* Queue.unbounded<Uint8Array, Cause.Done>()
    let isBegun = false
    let isOver = false
    let letGo: Effect.Effect<void> = Effect.void
    /** Ends the sending, which goes on in the route's own fiber on some servers and asks for a part on others. */
    const room = new Room(() => {
      Effect.runFork(Effect.andThen(Queue.shutdown(parts), letGo))
      route.interruptUnsafe()
    })
    let ahead = 0
    const hasRoom = (): boolean => isOver || ahead < AHEAD
    const offer = (text: string): void => {
      const part = encoder.encode(text)
      ahead += part.length
      Queue.offerUnsafe(parts, part)
    }
    const pull = Effect.map(Queue.takeAll(parts), (taken) => {
      ahead = 0
      room.wake()
      return taken
    })
    return yield* Effect.callback<HttpServerResponse.HttpServerResponse>((resume) => {
      const response: HttpResponse = {
        whole: (status, headers, text) => {
          if (isOver || isBegun) return
          isBegun = true
          isOver = true
          const options = { status, headers }
          resume(
            Effect.succeed(
              text === undefined ? HttpServerResponse.empty(options) : HttpServerResponse.text(text, options)
            )
          )
        },
        head: (status, headers) => {
          if (isOver || isBegun) return
          isBegun = true
          // with a first part, though it is empty, the head goes out at once
          Queue.offerUnsafe(parts, nothing)
          const body = Stream.fromPull(Effect.succeed(pull))
          resume(Effect.succeed(HttpServerResponse.stream(body, { status, headers })))
        },
        write: (text, patience) =>
          Effect.suspend(() => {
            if (isOver || !isBegun) return Effect.void
            offer(text)
            return hasRoom() ? Effect.void : room.wait(hasRoom, patience)
          }),
        offer: (text) => {
          if (!isOver && isBegun && hasRoom()) offer(text)
        },
        end: (text) => {
          if (isOver || !isBegun) return
          isOver = true
          if (text !== undefined) offer(text)
          Queue.endUnsafe(parts)
          room.release()
        }
      }
      const progress = { isBegun: () => isBegun, isOver: () => isOver }
      const fiber = run(handler, requestOf(request), response, progress, Effect.runForkWith(context))
      const leave = Effect.suspend(() => {
        if (isOver) return Effect.void
        isOver = true
        fiber.interruptUnsafe()
        // whoever else still waits
        room.wake()
        return Effect.asVoid(Fiber.await(fiber))
      })
      letGo = leave
      // a scope that has closed already runs it at once
      if (fiber.pollUnsafe() === undefined) Effect.runFork(Scope.addFinalizer(scope, leave))
      return leave
    })
  })
