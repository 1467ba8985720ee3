import {
  askedWait,
  EventReader,
  EVENTS,
  isGood,
  passing,
  Patience,
  statusError,
  typeOf
} from "@effective-mcp/http/client"
import { type Duplex, Frame, Inbox, limits, TransportError } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { resolve } from "./endpoint.ts"
import type { Settings } from "./Options.ts"
import type { HttpAnswer, Wire } from "./Wire.ts"

/** What the server says, and where it wants to be answered. */
export interface Stream {
  readonly incoming: Duplex["incoming"]
  /** Waits until it is known where messages go. */
  readonly ready: Effect.Effect<void, TransportError>
  /** Where messages go, for one that is about to be sent: from then on the stream is not opened again. */
  readonly endpoint: Effect.Effect<string, TransportError>
  /** Hears something that came another way. */
  readonly hear: (frame: Frame.Frame) => void
  /** Ends it, and with it all that waits for something to come on it. */
  readonly fail: (error: TransportError) => void
}

export interface Options {
  readonly url: string
  /** Where messages go whatever the server says. */
  readonly fixed: string | undefined
  readonly wire: Wire
  readonly settings: Settings
}

const another = Effect.logWarning("The server has named a second endpoint; messages still go to the first")

const closed = (): TransportError => TransportError.make({ _tag: "Closed" })

/** Takes nothing but an event stream for one. */
const check = (http: HttpAnswer): Effect.Effect<HttpAnswer, TransportError> => {
  if (!isGood(http)) return statusError(http)
  if (typeOf(http) === EVENTS) return Effect.succeed(http)
  http.discard()
  return Effect.fail(TransportError.make({ _tag: "Malformed", detail: "the stream is no event stream" }, "Rejected"))
}

/** Whether a stream that failed like this may be had a moment later. */
const mayPass = ({ reason }: TransportError, wasOpen: boolean): boolean => {
  switch (reason._tag) {
    case "Closed":
      return true
    case "Unreachable":
      return wasOpen
    case "HttpStatus":
      return passing.has(reason.status)
    default:
      return false
  }
}

/**
 * Opens the stream of one connection. One that breaks before anything was sent is opened again, a few times; afterwards a
 * new stream would be a new session at the server, which knows nothing of this one, so that the connection fails.
 */
export const open = ({ fixed, settings, url, wire }: Options): Effect.Effect<Stream, never, Scope.Scope> =>
  Effect.gen(function* () {
    const broken = Deferred.makeUnsafe<never, TransportError>()
    let endpoint = Deferred.makeUnsafe<string, TransportError>()
    let isUsed = false
    let wasOpen = false
    /** Characters that nobody has taken yet. */
    let unread = 0
    let onRoom: (() => void) | undefined

    const inbox = Inbox.make<Frame.Frame, TransportError>(() => {
      unread = 0
      const go = onRoom
      onRoom = undefined
      go?.()
    })
    const isFull = (): boolean => inbox.size() > limits.unread || unread > settings.messageBytes
    const room = Effect.callback<void>((resume) => {
      // what was waited for before may have taken its time
      if (!isFull()) return resume(Effect.void)
      onRoom = () => resume(Effect.void)
      return Effect.sync(() => {
        onRoom = undefined
      })
    })
    const end = (error: TransportError): void => {
      inbox.end(error)
      Deferred.doneUnsafe(endpoint, Effect.fail(error.withOutcome("NotSent")))
    }

    /** One life of the stream, to its end. */
    const life = (patience: Patience): Effect.Effect<never, TransportError> => {
      let wrong: TransportError | undefined
      let known: string | undefined
      let isTold = false
      let left: Effect.Effect<void> = Effect.void
      const settle = (address: string): void => {
        known = address
        Deferred.doneUnsafe(endpoint, Effect.succeed(address))
      }
      const reader = new EventReader(settings.messageBytes, undefined, (event, data) => {
        if (event !== "endpoint") return
        const resolved = resolve(data, url, fixed)
        if (known !== undefined) {
          if (resolved === known || isTold) return
          isTold = true
          left = another
        } else if (typeof resolved === "string") settle(resolved)
        else wrong ??= resolved
      })
      const read = (http: HttpAnswer): Effect.Effect<never, TransportError> =>
        Effect.flatMap(http.read, (bytes) => {
          if (bytes === undefined) return Effect.fail(closed())
          for (const text of reader.feed(bytes)) {
            unread += text.length
            inbox.push(Frame.fromText(text, settings.depth))
          }
          inbox.flush()
          if (inbox.size() === 0) unread = 0
          const { failure } = reader
          if (wrong !== undefined) return Effect.fail(wrong)
          if (failure !== undefined) return Effect.fail(TransportError.make(failure))
          const waits = left
          left = Effect.void
          const next = isFull() ? Effect.andThen(room, read(http)) : read(http)
          return waits === Effect.void ? next : Effect.andThen(waits, next)
        })
      /** A server that names no endpoint is none the worse for it where that is known. */
      const assuming = (fixed: string): Effect.Effect<never> =>
        Effect.andThen(
          Effect.sleep(limits.probeMs),
          Effect.suspend(() => {
            if (known === undefined) settle(fixed)
            return Effect.never
          })
        )
      const opened = Effect.flatMap(Effect.flatMap(wire.get(url), check), (http) => {
        wasOpen = true
        if (fixed === undefined) return read(http)
        if (new URL(fixed).search !== "") settle(fixed)
        return Effect.raceFirst(read(http), assuming(fixed))
      })
      const inTime = Effect.suspend(() => Deferred.await(endpoint)).pipe(
        Effect.timeoutOrElse({
          duration: limits.requestMs,
          orElse: () => Effect.fail(TransportError.make({ _tag: "TimedOut", afterMs: limits.requestMs }, "NotSent"))
        }),
        Effect.andThen(Effect.never)
      )
      return Effect.raceFirst(Effect.scoped(opened), inTime).pipe(
        Effect.catch((error) => {
          const wait = isUsed || !mayPass(error, wasOpen) ? undefined : patience.next(reader, askedWait(error))
          if (wait === undefined) return Effect.fail(error)
          if (known !== undefined) endpoint = Deferred.makeUnsafe()
          return Effect.andThen(Effect.sleep(wait), life(patience))
        })
      )
    }

    yield* Effect.raceFirst(life(new Patience(settings)), Deferred.await(broken)).pipe(
      Effect.catch((error) => Effect.sync(() => end(error))),
      Effect.onInterrupt(() => Effect.sync(() => end(closed()))),
      Effect.forkScoped({ startImmediately: true })
    )
    return {
      incoming: inbox.incoming,
      ready: Effect.suspend(() => Effect.asVoid(Deferred.await(endpoint))),
      endpoint: Effect.suspend(() =>
        Effect.map(Deferred.await(endpoint), (address) => {
          isUsed = true
          return address
        })
      ),
      hear: (frame) => {
        inbox.push(frame)
        inbox.flush()
      },
      fail: (error) => void Deferred.doneUnsafe(broken, Effect.fail(error))
    }
  })
