import { limits, type TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { CallError } from "./ClientError.ts"
import { goingOn } from "./InputLoop.ts"
import { isDown } from "./isDown.ts"
import { isOnce } from "./isOnce.ts"
import type { Method, Methods } from "./Methods.ts"
import type { Sender } from "./Send.ts"
import type { RequestOptions } from "./Session.ts"
import { leftOf, Spent, spentOf, type Timed } from "./Spent.ts"
import { toMillis } from "./times.ts"

/** How requests that failed are sent again. */
export interface RetryOptions {
  /** How often one request is sent again at the most. Default 2. */
  readonly attempts?: number | undefined
  /** The longest wait before the first time; it doubles with each, and a part of it is left to chance. Default 200 ms. */
  readonly delay?: Duration.Input | undefined
  /** How long one request may wait for its turns in all, whatever `Retry-After` asks. Default 10 s. */
  readonly total?: Duration.Input | undefined
  /**
   * Which tools may run twice. Default none: a call whose outcome is not known is not sent again. What a server says of
   * its own tools is a hint, so that trusting `annotations.idempotentHint` is for servers that you trust.
   */
  readonly mayRepeat?: ((tool: string) => boolean) | undefined
}

/**
 * A request that never left may always be sent; one that left, only if doing it twice is doing it once. A connection that
 * has closed is begun anew elsewhere; what was too large, ill-formed or too slow fails again.
 */
const mayResend = (error: TransportError, method: Method, name: string | undefined, options: RetryOptions): boolean =>
  isDown(error) &&
  (error.outcome === "NotSent" || !isOnce(method) || (name !== undefined && options.mayRepeat?.(name) === true))

/** A request, and what is to be done for it. */
interface Asked<M extends Method> {
  readonly fiber: Fiber.Fiber<unknown, unknown>
  readonly method: M
  readonly params: Methods[M]["params"]
  readonly next: Sender
  readonly otherwise: (error: CallError) => Effect.Effect<Methods[M]["result"], CallError>
}

/** The budget is counted in tenths: what a request that succeeds gives back, and what sending one again costs. */
const RESTORED = 1
const PRICE = 10

const requireCount = (attempts: number): number => {
  if (!Number.isSafeInteger(attempts) || attempts < 0) throw new Error(`attempts is not a count: ${attempts}`)
  return attempts
}

/** As `Effect.catch`, with one function for each request instead of three. */
const onFailure = <A>(
  sent: Effect.Effect<A, CallError>,
  handle: (error: CallError) => Effect.Effect<A, CallError>
): Effect.Effect<A, CallError> =>
  Effect.catchCause(sent, (cause) => {
    const error = Cause.hasDies(cause) ? Option.none() : Cause.findErrorOption(cause)
    return Option.isSome(error) ? handle(error.value) : Effect.failCause(cause)
  })

/**
 * Sends a request, again where that helps, and leaves what it fails with in the end to `otherwise`: one handler for both, since
 * every request that succeeds pays for each.
 */
export type Attempt = <M extends Method>(
  fiber: Fiber.Fiber<unknown, unknown>,
  method: M,
  params: Methods[M]["params"],
  timed: Timed,
  otherwise: (error: CallError) => Effect.Effect<Methods[M]["result"], CallError>
) => Effect.Effect<Methods[M]["result"], CallError>

/** Without any retry. */
export const once =
  (next: Sender): Attempt =>
  (fiber, method, params, timed, otherwise) =>
    onFailure(next(fiber, method, params, timed), otherwise)

/** An attempt by itself, for which nothing else is done. */
export const alone = (attempt: Attempt): Sender => {
  const fail = (error: CallError) => Effect.fail(error)
  return (fiber, method, params, options) => {
    const timed: Timed = spentOf(options) === undefined ? { ...options, spent: new Spent() } : options
    return attempt(fiber, method, params, timed, fail)
  }
}

/**
 * Sends requests again that failed on the wire, after a wait with jitter, and within a budget that all requests of a
 * client share: each time costs one of ten, each success gives a tenth back, so that a server that is down is not
 * flooded. A wait that is longer than what its request has left of its time in all is not begun.
 *
 * @param requestTotalMs how long a request that does not say so itself may take in all
 */
export const make = (
  options: RetryOptions = {},
  requestTotalMs: number = limits.requestTotalMs
): ((next: Sender) => Attempt) => {
  const requestTotalOf = (request: RequestOptions | undefined): number =>
    request?.totalTimeout === undefined ? requestTotalMs : Duration.toMillis(request.totalTimeout)
  const attempts = requireCount(options.attempts ?? limits.retryAttempts)
  const delayMs = toMillis("delay", options.delay ?? limits.retryDelayMs)
  const totalMs = toMillis("total", options.total ?? limits.retryTotalMs)
  const most = limits.retryBudget * PRICE
  let budget = most

  const paid = (): boolean => {
    if (budget < PRICE) return false
    budget -= PRICE
    return true
  }
  /** How long to wait before the next attempt, or undefined when none is left. */
  const waitFor = Effect.fnUntraced(function* (error: TransportError, sent: number, since: number, leftMs: number) {
    const longest = delayMs * 2 ** (sent - 1)
    const jittered = longest * (0.5 + (yield* Random.next) / 2)
    const { reason } = error
    const asked = reason._tag === "HttpStatus" ? (reason.retryAfterMs ?? 0) : 0
    const wait = Math.max(asked, jittered)
    if (wait >= leftMs) return undefined
    return (yield* Clock.currentTimeMillis) - since + wait <= totalMs && paid() ? wait : undefined
  })

  /** What comes of a request that has failed after it was sent so many times. */
  const again = <M extends Method>(
    asked: Asked<M>,
    error: CallError,
    sent: number,
    since: number | undefined,
    given: Timed
  ): Effect.Effect<Methods[M]["result"], CallError> => {
    const { fiber, method, next, otherwise, params } = asked
    const name = "name" in params ? params.name : undefined
    if (error._tag !== "TransportError" || sent > attempts || !mayResend(error, method, name, options)) {
      return otherwise(error)
    }
    return Effect.gen(function* () {
      const began = since ?? (yield* Clock.currentTimeMillis)
      const spent = spentOf(given) ?? new Spent()
      const left = yield* leftOf(spent, requestTotalOf(given))
      const wait = yield* waitFor(error, sent, began, left)
      if (wait === undefined) return yield* otherwise(error)
      yield* Effect.sleep(wait)
      const onward = goingOn(given, error)
      const resent = next(fiber, method, params, onward)
      return yield* onFailure(resent, (failure) => again(asked, failure, sent + 1, began, onward))
    })
  }

  return (next) => (fiber, method, params, timed, otherwise) => {
    // given back at once, and taken again by a failure: a success has nothing left to do
    const isRestoring = budget < most
    if (isRestoring) budget += RESTORED
    return onFailure(next(fiber, method, params, timed), (error) => {
      if (isRestoring) budget -= RESTORED
      return again({ fiber, method, params, next, otherwise }, error, 1, undefined, timed)
    })
  }
}
