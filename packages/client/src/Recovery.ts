import { type Method, type Methods, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { CallError, ConnectError } from "./ClientError.ts"
import { goingOn } from "./InputLoop.ts"
import { isOnce } from "./isOnce.ts"
import { closed, type Life, type Live } from "./Life.ts"
import type { Send } from "./Send.ts"
import type { Watch } from "./Session.ts"
import { requireTimes } from "./times.ts"

/** What a failure says has been lost: all of the session, or, over HTTP, the one exchange. */
const lossOf = ({ line }: Live, error: TransportError): "session" | "exchange" | undefined => {
  if (error.reason._tag === "SessionExpired") {
    line.lose(error)
    return "session"
  }
  if (error.reason._tag === "Closed") {
    if (line.isPipe) line.lose(error)
    return line.gone() === undefined ? "exchange" : "session"
  }
  return error.outcome === "NotSent" && line.gone() !== undefined ? "session" : undefined
}

/** Why nothing could be sent: there is no session, and none could be begun. */
const noSession = (error: ConnectError, { outcome }: TransportError): TransportError =>
  error._tag === "TransportError"
    ? error.withOutcome(outcome)
    : TransportError.make(
        { _tag: "Unreachable", what: "a lost session could not be begun anew", cause: error },
        outcome
      )

/**
 * Sends requests on the session that is spoken, and begins another one when it is lost: once for all that wait. What had
 * not been sent, and what can do no harm twice, is then sent again, once. `tools/call` and `tasks/update` are not, once a
 * wire has had them: their error says what may have happened.
 *
 * @param isOn without it only what the era itself mends is mended
 */
export const recovering = (life: Life, isOn: boolean): Send => {
  /** On the session that has taken the place of a lost one. */
  const onNext = <A>(
    lost: Live,
    error: TransportError,
    use: (next: Live) => Effect.Effect<A, CallError>
  ): Effect.Effect<A, CallError> =>
    Effect.matchEffect(life.renew(lost), {
      onFailure: (failure) => Effect.fail(noSession(failure, error)),
      onSuccess: use
    })
  const mend = <A>(
    live: Live,
    error: CallError,
    method: Method,
    params: Methods[Method]["params"],
    again: (live: Live) => Effect.Effect<A, CallError>,
    mayBreak = true
  ): Effect.Effect<A, CallError> => {
    if (error._tag !== "TransportError") {
      const remedy = live.session.remedy?.(error, method, params)
      return remedy === undefined ? Effect.fail(error) : Effect.andThen(remedy, again(live))
    }
    const lost = lossOf(live, error)
    if (!isOn || lost === undefined || life.isClosed()) return Effect.fail(error)
    if (error.outcome !== "NotSent" && isOnce(method)) return Effect.fail(error)
    if (lost === "session") return onNext(live, error, again)
    if (!mayBreak) return Effect.fail(error)
    // a server that was started anew breaks what is open, and then says that it knows no such session
    const now = life.live()
    return again(now).pipe(Effect.catch((failure) => mend(now, failure, method, params, again, false)))
  }
  return (method, params, options) => {
    if (options !== undefined) requireTimes(options)
    return Effect.suspend(() => {
      if (life.isClosed()) return Effect.fail(closed)
      const live = life.live()
      const gone = live.line.gone()
      if (gone !== undefined) {
        const unsent = gone.withOutcome("NotSent")
        if (!isOn) return Effect.fail(unsent)
        return onNext(live, unsent, ({ session }) => session.request(method, params, options))
      }
      return live.session
        .request(method, params, options)
        .pipe(
          Effect.catch((error) =>
            mend(live, error, method, params, ({ session }) => session.request(method, params, goingOn(options, error)))
          )
        )
    })
  }
}

/** Watches on the session that is spoken, after one has taken the place of a lost one. */
export const watching =
  (life: Life, isOn: boolean): Watch =>
  (wish, hear) =>
    Effect.suspend(() => {
      if (life.isClosed()) return Effect.fail(closed)
      const live = life.live()
      if (!isOn || live.line.gone() === undefined) return watched(live, wish, hear)
      return Effect.matchEffect(life.renew(live), {
        onFailure: (failure) => Effect.fail(noSession(failure, closed)),
        onSuccess: (next) => watched(next, wish, hear)
      })
    })

const watched = (live: Live, ...[wish, hear]: Parameters<Watch>): ReturnType<Watch> =>
  Effect.tapError(live.session.watch(wish, hear), (error) =>
    Effect.sync(() => {
      if (error._tag === "TransportError") lossOf(live, error)
    })
  )
