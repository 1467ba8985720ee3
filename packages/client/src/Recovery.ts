import { TransportError } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type CallError, type ConnectError, NotOffered } from "./ClientError.ts"
import { timedOut } from "./Deadlines.ts"
import { isAbandoned } from "./era/isAbandoned.ts"
import { goingOn } from "./InputLoop.ts"
import { isOnce } from "./isOnce.ts"
import { closed, type Life, type Live } from "./Life.ts"
import { type Method, type Methods, nameOf } from "./Methods.ts"
import { backOff } from "./persist.ts"
import type { Send } from "./Send.ts"
import type { Watch } from "./Session.ts"
import { final } from "./subscriptions/final.ts"
import { inTime, Spent, type Timed } from "./Spent.ts"
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

/** A request, for as long as it is on its way. */
interface Asked<A> {
  readonly method: Method
  readonly params: Methods[Method]["params"]
  readonly spent: Spent
  /** How long it may take in all, in ms, whatever is done for it meanwhile. */
  readonly totalMs: number
  /** Sends it once more. */
  readonly again: (live: Live) => Effect.Effect<A, CallError>
}

/**
 * Sends requests on the session that is spoken, and begins another one when it is lost: once for all that wait. What had
 * not been sent, and what can do no harm twice, is then sent again, once. `tools/call` and `tasks/update` are not, once a
 * wire has had them: their error says what may have happened. All of it takes no longer than the request may.
 *
 * @param isOn without it only what the era itself mends is mended
 * @param totalMs how long a request that does not say so itself may take in all
 */
export const recovering = (life: Life, isOn: boolean, totalMs: number): Send => {
  /** On the session that has taken the place of a lost one. */
  const onNext = <A>(
    lost: Live,
    error: TransportError,
    asked: Asked<A>,
    isNew: boolean
  ): Effect.Effect<A, CallError> => {
    const renewed = Effect.mapError(life.renew(lost, isNew), (failure) => noSession(failure, error))
    const late = () => timedOut(nameOf(asked.method, asked.params), asked.totalMs, error.outcome)
    return Effect.flatMap(inTime(renewed, asked.spent, asked.totalMs, late), asked.again)
  }
  const mend = <A>(live: Live, error: CallError, asked: Asked<A>, mayBreak = true): Effect.Effect<A, CallError> => {
    const { again } = asked
    if (error._tag !== "TransportError") {
      const remedy = live.session.remedy?.(error, asked.method, asked.params)
      if (remedy === undefined) return Effect.fail(error)
      // what the server said tells more than that there was no time left
      return Effect.andThen(
        inTime(remedy, asked.spent, asked.totalMs, () => error),
        again(live)
      )
    }
    const lost = lossOf(live, error)
    if (!isOn || lost === undefined || life.isClosed()) return Effect.fail(error)
    if (error.outcome !== "NotSent" && isOnce(asked.method)) return Effect.fail(error)
    if (lost === "session") return onNext(live, error, asked, false)
    if (!mayBreak) return Effect.fail(error)
    // a server that was started anew breaks what is open, and then says that it knows no such session
    const now = life.live()
    // other connections that the server has closed as well are not chosen again after a moment
    const later = Effect.andThen(Effect.flatMap(backOff(1), Effect.sleep), again(now))
    return later.pipe(Effect.catch((failure) => mend(now, failure, asked, false)))
  }
  return (method, params, options) => {
    if (options !== undefined) requireTimes(options)
    const ownMs = options?.totalTimeout === undefined ? totalMs : Duration.toMillis(options.totalTimeout)
    return Effect.withFiber((fiber) => {
      if (life.isClosed()) return Effect.fail(closed)
      const spent = new Spent()
      const timed: Timed = { ...options, spent }
      const live = life.live()
      const gone = live.line.gone()
      if (gone !== undefined) {
        const unsent = gone.withOutcome("NotSent")
        if (!isOn) return Effect.fail(unsent)
        const again = ({ session }: Live) => session.request(method, params, timed)
        return onNext(live, unsent, { method, params, spent, totalMs: ownMs, again }, true)
      }
      return live.session.attempt(fiber, method, params, timed, (error) => {
        const again = ({ session }: Live) => session.request(method, params, goingOn(timed, error))
        return mend(live, error, { method, params, spent, totalMs: ownMs, again })
      })
    })
  }
}

/**
 * Watches on the session that is spoken, after one has taken the place of a lost one. What a modern process had taken ends when
 * that process does too soon after its start, when none can be started in its place, or when that is a legacy one.
 */
export const watching = (life: Life, isOn: boolean): Watch => {
  const watch = (live: Live, ...[wish, hear, isAgain, eras]: Parameters<Watch>): ReturnType<Watch> => {
    const { era } = live.session
    if (isAbandoned(eras?.get(life), era)) {
      return Effect.fail(new NotOffered({ capability: "subscriptions/listen" }))
    }
    eras?.set(life, era)
    return Effect.catchTag(live.session.watch(wish, hear, isAgain), "TransportError", (error) =>
      Effect.fail(lossOf(live, error) === "session" && life.isLooping(live) ? final(error) : error)
    )
  }
  return (wish, hear, isAgain = false, eras) =>
    Effect.suspend(() => {
      if (life.isClosed()) return Effect.fail(closed)
      const live = life.live()
      if (!isOn || live.line.gone() === undefined) return watch(live, wish, hear, isAgain, eras)
      return Effect.matchEffect(life.renew(live, !isAgain), {
        onFailure: (failure) => {
          const error = noSession(failure, closed)
          return Effect.fail(live.line.isPipe && error !== closed ? final(error) : error)
        },
        onSuccess: (next) => watch(next, wish, hear, isAgain, eras)
      })
    })
}
