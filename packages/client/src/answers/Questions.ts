import { limits, type Revision } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Asked } from "../Answers.ts"
import type { Answerer, Answering, Put } from "./Answerer.ts"
import { timedOut, tooMany, Unanswered } from "./Unanswered.ts"

/** Time that stands still while a question is open. */
export interface Clock {
  readonly standStill: () => void
  readonly goOn: () => void
}

/** Does not wait for anything. */
export const noClock: Clock = { standStill: () => {}, goOn: () => {} }

/** What one server asks its host: few questions at a time, each for a bounded time. */
export interface Questions {
  /** How a question is answered, in its turn, or why it is not; nothing has run yet. */
  readonly prepare: (revision: Revision, question: Put, asked: Asked, clock: Clock) => Answering | Unanswered
  /** Hears that what a person was sent to a page for is done; ids that are not known are let pass. */
  readonly complete: (elicitationId: unknown) => void
}

/**
 * At most 16 answers run at once, and as many as `limits` say wait; each question has 600 s from when it is asked.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#security-considerations
 */
export const make = (answerer: Answerer): Questions => {
  const turns = Semaphore.makeUnsafe(limits.questions)
  const visits = new Map<string, Deferred.Deferred<void>>()
  let open = 0

  const doneOf = (elicitationId: string | undefined): Effect.Effect<void> => {
    if (elicitationId === undefined) return Effect.never
    const known = visits.get(elicitationId)
    const done = known ?? Deferred.makeUnsafe<void>()
    if (known === undefined) {
      const [oldest] = visits.keys()
      if (visits.size >= limits.visits && oldest !== undefined) visits.delete(oldest)
      visits.set(elicitationId, done)
    }
    return Deferred.await(done)
  }
  /** Until it is answered, or withdrawn. */
  const inTurn = (answering: Answering, clock: Clock): Answering =>
    Effect.suspend(() => {
      if (open >= limits.questions + limits.questionsQueued) return Effect.fail(tooMany)
      open++
      clock.standStill()
      return turns
        .withPermits(1)(answering)
        .pipe(
          Effect.timeoutOrElse({
            duration: limits.questionMs,
            orElse: () => Effect.fail(timedOut(limits.questionMs))
          }),
          Effect.ensuring(
            Effect.sync(() => {
              open--
              clock.goOn()
            })
          )
        )
    })

  return {
    prepare: (revision, question, asked, clock) => {
      const answering = answerer.prepare(revision, question, asked, doneOf)
      return answering instanceof Unanswered ? answering : inTurn(answering, clock)
    },
    complete: (elicitationId) => {
      const id = elicitationId as string // cast: any value may be looked up
      const done = visits.get(id)
      visits.delete(id)
      if (done !== undefined) Deferred.doneUnsafe(done, Effect.void)
    }
  }
}

/** Tells the host's log what stays on this side. */
export const logged = (method: string, unanswered: Unanswered): Effect.Effect<void> =>
  unanswered.why === "Failed"
    ? Effect.logError(`The answer to ${method} failed`, unanswered.cause)
    : unanswered.why === "Unfit" || unanswered.why === "TimedOut"
      ? Effect.logWarning(`The answer to ${method} is of no use: ${unanswered.detail}`)
      : Effect.void
