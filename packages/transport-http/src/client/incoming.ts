import { EventReader } from "@effective-mcp/http/client"
import { Frame, HttpEra, JsonRpc, limits, TransportError } from "@effective-mcp/protocol"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Endpoint } from "./Endpoint.ts"
import { isExpired } from "./legacy.ts"
import { again, NoStream, open, Patience } from "./reopen.ts"
import type { Session } from "./Sessions.ts"
import type { HttpAnswer } from "./Wire.ts"

type Said = JsonRpc.Request | JsonRpc.Notification
type Chunk = readonly [Said, ...Array<Said>]

export type Pull = Effect.Effect<Chunk, TransportError | Cause.Done>

const isChunk = (said: ReadonlyArray<Said>): said is Chunk => said.length > 0

/** What the server says in these events; a response there answers nothing that is open. */
const saidIn = (
  texts: ReadonlyArray<string>,
  { settings, warn }: Endpoint,
  session: Session
): Effect.Effect<ReadonlyArray<Said>> => {
  const said: Array<Said> = []
  let wrong: Effect.Effect<void> = Effect.void
  for (const text of texts) {
    const frame = Frame.fromText(text, settings.depth)
    const isBatch = Frame.isBatch(frame)
    if (isBatch && !HttpEra.allowsBatches(session.version)) {
      wrong = Effect.andThen(wrong, warn("several messages at once, in a revision that has no batches"))
      continue
    }
    for (const one of isBatch ? frame : [frame]) {
      const entry = Frame.taken(one)
      if (entry instanceof Frame.Malformed) wrong = Effect.andThen(wrong, warn(entry.detail))
      else if (!JsonRpc.isResponse(entry)) said.push(entry)
    }
  }
  return Effect.as(wrong, said)
}

/** A request of our own, under an id that no client gives. */
let confirmations = 0

/** Asks whether a session is still known, after its stream was not found. */
const confirm = ({ sessions, wire }: Endpoint, session: Session): Effect.Effect<TransportError | undefined> =>
  Effect.scoped(wire.post(JsonRpc.request(`confirm-${++confirmations}`, "ping"), session.headers, false)).pipe(
    Effect.timeout(limits.probeMs),
    Effect.map((http) => (isExpired(http, session) ? sessions.expire(session) : undefined)),
    Effect.orElseSucceed(() => undefined)
  )

/**
 * What a legacy server says outside any exchange, read from a stream that is opened once a session is ready. Where the
 * server has no such stream nothing comes of it. It fails when the session has expired, or when a stream that was open
 * cannot be had again; then it can be read anew.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export const make = (endpoint: Endpoint): Effect.Effect<Pull, never, Scope.Scope> => {
  /** Sessions in which there has been a stream. */
  const known = new WeakSet<Session>()
  return Effect.map(Effect.scope, (scope) => {
    const { settings, sessions, wire } = endpoint
    let session: Session | undefined
    let http: HttpAnswer | undefined
    let life: Scope.Closeable | undefined
    let reader = new EventReader(settings.messageBytes)
    let patience = new Patience(settings)

    const drop = Effect.suspend(() => {
      const dropped = life
      life = undefined
      http = undefined
      return dropped === undefined ? Effect.void : Scope.close(dropped, Exit.void)
    })
    /** There is no stream in this session; the next may have one. */
    const none = (session: Session): Effect.Effect<never> => Effect.andThen(Deferred.await(session.over), Effect.never)

    const opened = (attempt: ReturnType<typeof open>, session: Session): Effect.Effect<void, TransportError> =>
      Effect.suspend(() => {
        life = Scope.forkUnsafe(scope)
        return Scope.provide(attempt, life)
      }).pipe(
        Effect.matchEffect({
          onFailure: (failed): Effect.Effect<void, TransportError> => {
            if (!(failed instanceof NoStream)) return Effect.fail(failed)
            if (failed.status !== 404 || session.id === undefined) return none(session)
            return Effect.flatMap(confirm(endpoint, session), (expired) =>
              expired === undefined ? none(session) : Effect.fail(expired)
            )
          },
          onSuccess: (answer) => {
            http = answer
            known.add(session)
            patience.restore()
            return Effect.void
          }
        })
      )
    /** One that never was open is none, whatever is in its way: requests find out what that is. */
    const first = (session: Session): Effect.Effect<void, TransportError> =>
      opened(open(wire, session, undefined), session).pipe(
        Effect.catchIf(
          (error) => error.reason._tag !== "SessionExpired",
          (error) => reopened(session, error)
        ),
        Effect.catchIf(
          (error) => error.reason._tag !== "SessionExpired" && !known.has(session),
          () => none(session)
        )
      )
    const reopened = (session: Session, error: TransportError): Effect.Effect<void, TransportError> =>
      Effect.andThen(drop, opened(again(wire, session, reader, patience, error), session))

    const broken = (session: Session, error: TransportError): Effect.Effect<void, TransportError> => {
      reader = new EventReader(settings.messageBytes, reader)
      return error.reason._tag === "Closed" || error.reason._tag === "TimedOut"
        ? reopened(session, error)
        : Effect.fail(error)
    }
    /** Reads once; what is read may hold no message. */
    const step = (session: Session): Effect.Effect<ReadonlyArray<Said>, TransportError> =>
      Effect.suspend((): Effect.Effect<ReadonlyArray<Said>, TransportError> => {
        const answer = http
        if (answer === undefined) return Effect.as(first(session), [])
        const silent = TransportError.make({ _tag: "TimedOut", afterMs: limits.streamIdleMs })
        return Effect.matchEffect(
          Effect.timeoutOrElse(answer.read, {
            duration: limits.streamIdleMs,
            orElse: () => Effect.fail(silent)
          }),
          {
            onFailure: (error) => Effect.as(broken(session, error), []),
            onSuccess: (bytes) => {
              if (bytes === undefined) return Effect.as(broken(session, TransportError.make({ _tag: "Closed" })), [])
              const texts = reader.feed(bytes)
              const { failure } = reader
              if (failure !== undefined && texts.length === 0) return Effect.fail(TransportError.make(failure))
              return saidIn(texts, endpoint, session)
            }
          }
        )
      })
    /** Ends with the session: another takes its place, or it has expired. */
    const within = (session: Session): Effect.Effect<ReadonlyArray<Said>, TransportError> =>
      Effect.raceFirst(
        step(session),
        Effect.flatMap(Deferred.await(session.over), (how) =>
          how === "Replaced"
            ? Effect.succeed([])
            : Effect.fail(TransportError.make({ _tag: "SessionExpired" }, "Rejected"))
        )
      )
    const next: Effect.Effect<Chunk, TransportError> = Effect.suspend(() => {
      if (session === undefined || session !== sessions.current) {
        return Effect.andThen(
          drop,
          Effect.flatMap(sessions.whenReady, (ready) => {
            session = ready
            reader = new EventReader(settings.messageBytes)
            patience = new Patience(settings)
            return pull(ready)
          })
        )
      }
      return pull(session)
    })
    const pull = (session: Session): Effect.Effect<Chunk, TransportError> =>
      Effect.flatMap(within(session), (said) => (isChunk(said) ? Effect.succeed(said) : next))
    return next
  })
}
