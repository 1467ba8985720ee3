import { limits, type TransportError } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { ConnectError } from "./ClientError.ts"
import { isDown } from "./isDown.ts"
import { ticksOf } from "./Spent.ts"

/** How often something is tried, and how long in all, in ms. */
export interface Patience {
  readonly attempts: number
  readonly totalMs: number
}

/** The wait before the n-th attempt again, in ms: doubled each time, of which a random half is left out. */
export const backOff = (
  n: number,
  firstMs: number = limits.backOffMs,
  mostMs: number = limits.backOffMostMs
): Effect.Effect<number> =>
  Effect.map(Random.next, (random) => Math.min(mostMs, firstMs * 2 ** Math.min(n - 1, 16)) * (1 - random / 2))

export const monotonicMs: Effect.Effect<number> = Effect.map(Clock.Clock, ticksOf)

/** What a connection that is begun anew may mend as well. */
const passes = (error: TransportError): boolean => {
  const { reason } = error
  const isLost = reason._tag === "Closed" || reason._tag === "TimedOut"
  return isDown(error) || isLost || (reason._tag === "HttpStatus" && reason.status === 408)
}

/** How long a failure that may pass asks to be waited for, in ms; undefined where waiting is of no use. */
export const passing = (error: ConnectError): number | undefined => {
  if (error._tag !== "TransportError" || !passes(error)) return undefined
  return error.reason._tag === "HttpStatus" ? (error.reason.retryAfterMs ?? 0) : 0
}

/** Tries again after a failure that may pass, as long as `patience` lasts; never sooner than the server asks. */
export const persist = <A, E extends ConnectError, R>(
  attempt: Effect.Effect<A, E, R>,
  patience: Patience,
  isWorth: (error: E) => number | undefined = passing
): Effect.Effect<A, E, R> =>
  Effect.flatMap(monotonicMs, (begun) => {
    const go = (n: number): Effect.Effect<A, E, R> =>
      attempt.pipe(
        Effect.catch((error: E) => {
          const least = isWorth(error)
          if (least === undefined || n >= patience.attempts) return Effect.fail(error)
          return Effect.flatMap(Effect.all([backOff(n), monotonicMs]), ([own, now]) => {
            const wait = Math.max(own, least)
            if (now - begun + wait > patience.totalMs) return Effect.fail(error)
            return Effect.andThen(Effect.sleep(wait), go(n + 1))
          })
        })
      )
    return go(1)
  })
