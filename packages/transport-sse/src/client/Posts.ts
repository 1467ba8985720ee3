import { errorBody, isGood, isJson, jsonText, statusError, typeOf } from "@effective-mcp/http/client"
import { type Duplex, Frame, JsonRpc, limits, TransportError, withHttpStatus } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Settings } from "./Options.ts"
import type { Stream } from "./Stream.ts"
import type { HttpAnswer, Wire } from "./Wire.ts"

/** The POST of a request that waits for its response. */
interface Post {
  /** Set while the POST has not been answered. */
  fiber: Fiber.Fiber<void> | undefined
  /** Whether the server would not have it: there is nothing to cancel. */
  isRefused: boolean
}

/** Sends what the client says, one POST a message. */
export interface Posts {
  readonly send: Duplex["send"]
  /** An exchange is over, whatever becomes of its POST. */
  readonly over: (id: JsonRpc.RequestId) => Effect.Effect<void>
}

export interface Options {
  readonly wire: Wire
  readonly stream: Stream
  readonly settings: Settings
  /** Ends the exchange of a request that the server would not have. */
  readonly refuse: (id: JsonRpc.RequestId, error: TransportError) => void
}

const decoder = new TextDecoder()

/** The response in a body; undefined where it is anything else. */
const responseIn = (bytes: Uint8Array | undefined, depth: number): JsonRpc.Response | undefined => {
  if (bytes === undefined || bytes.length === 0) return undefined
  const frame = Frame.fromText(decoder.decode(bytes), depth)
  const isOne = !Frame.isBatch(frame) && !(frame instanceof Frame.Malformed) && JsonRpc.isResponse(frame)
  return isOne ? frame : undefined
}

/** Whether a response in the answer to the POST of a request is to that: an error without an id can be to nothing else. */
const isTo = (response: JsonRpc.Response, id: JsonRpc.RequestId): boolean =>
  response.id === id || (!JsonRpc.isSuccess(response) && (response.id ?? id) === id)

const isCancel = (message: JsonRpc.Message): message is JsonRpc.Notification =>
  "method" in message && message.method === "notifications/cancelled"

/** A connection that broke under one POST says nothing of the stream, whose end is what closes the connection. */
const alone = (error: TransportError): TransportError => {
  const { outcome, reason } = error
  if (reason._tag !== "Closed") return error
  const what = "the connection broke that a message was sent on"
  return TransportError.make({ _tag: "Unreachable", what, cause: reason.cause ?? error }, outcome)
}

/**
 * A request counts as sent once its POST is on its way, since its response comes on the stream, be it before the POST is
 * answered; a refusal then ends its exchange. All else is sent once its POST has been answered.
 */
export const make = ({ refuse, settings, stream, wire }: Options): Effect.Effect<Posts, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { depth, messageBytes } = settings
    const open = new Map<JsonRpc.RequestId, Post>()
    const running = new Set<Fiber.Fiber<unknown, unknown>>()
    /** Whether the server has taken anything: it then has a session, which it may forget. */
    let isKnown = false

    const track = <A, E>(fiber: Fiber.Fiber<A, E>): Fiber.Fiber<A, E> => {
      running.add(fiber)
      fiber.addObserver(() => running.delete(fiber))
      return fiber
    }
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))

    /** Why the server would not have a message. A session that it does not know any more is over. */
    const refusal = (http: HttpAnswer): Effect.Effect<never, TransportError> => {
      if (http.status !== 404 || !isKnown) return statusError(http)
      http.discard()
      return Effect.fail(TransportError.make({ _tag: "SessionExpired" }, "Rejected"))
    }
    /** Nothing more comes on the stream of a session that is over. */
    const lose = (error: TransportError): void => {
      if (error.reason._tag === "SessionExpired") stream.fail(error.withOutcome("Unknown"))
    }
    /** What the answer to the POST of a request says of it, beside that it is taken. */
    const hear = (http: HttpAnswer, { id }: JsonRpc.Request): Effect.Effect<void, TransportError> => {
      if (isGood(http)) {
        isKnown = true
        const type = typeOf(http)
        if (!isJson(type) || (type === "" && http.status !== 200)) return Effect.sync(http.discard)
        return Effect.map(http.whole(messageBytes), (bytes) => {
          const response = responseIn(bytes, depth)
          if (response !== undefined && isTo(response, id)) stream.hear({ ...response, id })
        })
      }
      if (http.status === 404 && isKnown) return refusal(http)
      return Effect.flatMap(errorBody(http), (bytes) => {
        const said = responseIn(bytes, depth)
        if (said === undefined || JsonRpc.isSuccess(said) || !isTo(said, id)) return refusal(http)
        withHttpStatus(said.error, http.status)
        return Effect.sync(() => stream.hear({ ...said, id }))
      })
    }
    const request = (message: JsonRpc.Request, text: string, url: string): Effect.Effect<void, TransportError> =>
      Effect.withFiber((caller) =>
        Effect.callback((resume) => {
          const post: Post = { fiber: undefined, isRefused: false }
          let isSent = false
          const onSend = (): void => {
            isSent = true
            resume(Effect.void)
          }
          const posted = Effect.mapError(
            Effect.scoped(Effect.flatMap(wire.post(url, text, onSend), (http) => hear(http, message))),
            alone
          )
          open.set(message.id, post)
          const fiber = Effect.runForkWith(caller.context)(
            Effect.matchEffect(posted, {
              onFailure: (error) =>
                Effect.sync(() => {
                  post.isRefused = error.outcome !== "Unknown"
                  if (isSent) refuse(message.id, error)
                  else resume(Effect.fail(error))
                  lose(error)
                }),
              onSuccess: () => Effect.sync(() => resume(Effect.void))
            })
          )
          if (fiber.pollUnsafe() === undefined) {
            post.fiber = fiber
            track(fiber).addObserver(() => {
              post.fiber = undefined
            })
          }
          return Effect.suspend(() => (isSent ? Effect.void : Fiber.interrupt(fiber)))
        })
      )
    /** Hands over a message that has no response. */
    const whole = (text: string): Effect.Effect<void, TransportError> =>
      Effect.flatMap(stream.endpoint, (url) => {
        const posted = Effect.flatMap(wire.post(url, text), (http) => {
          if (!isGood(http)) return refusal(http)
          isKnown = true
          return Effect.sync(http.discard)
        })
        return Effect.mapError(Effect.scoped(posted), alone)
      }).pipe(
        Effect.tapError((error) => Effect.sync(() => lose(error))),
        Effect.timeoutOrElse({
          duration: limits.requestMs,
          orElse: () => Effect.fail(TransportError.make({ _tag: "TimedOut", afterMs: limits.requestMs }))
        })
      )
    /** Waits a moment for what is under way. */
    const settled = ({ fiber }: Post): Effect.Effect<void> =>
      fiber === undefined
        ? Effect.void
        : Effect.andThen(Effect.timeoutOption(Fiber.await(fiber), limits.farewellMs), Fiber.interrupt(fiber))
    const after = (effect: Effect.Effect<void, TransportError>): Effect.Effect<void> =>
      Effect.withFiber((caller) =>
        Effect.sync(() => void track(Effect.runForkWith(caller.context)(Effect.ignore(effect))))
      )
    return {
      send: (message) =>
        Effect.suspend(() => {
          const text = jsonText(message, messageBytes)
          if (typeof text !== "string") return Effect.fail(text)
          if (Array.isArray(message) || !("method" in message)) return whole(text)
          if (JsonRpc.isRequest(message)) {
            return Effect.flatMap(stream.endpoint, (url) => request(message, text, url))
          }
          const post = isCancel(message)
            ? open.get(message.params?.requestId as JsonRpc.RequestId) // cast: any value may be looked up
            : undefined
          if (post === undefined) return whole(text)
          // never ahead of what it cancels
          const told = Effect.timeoutOption(whole(text), limits.farewellMs)
          return post.isRefused ? Effect.void : after(Effect.andThen(settled(post), Effect.asVoid(told)))
        }),
      over: (id) =>
        Effect.suspend(() => {
          const post = open.get(id)
          open.delete(id)
          return post?.fiber === undefined ? Effect.void : after(settled(post))
        })
    }
  })
