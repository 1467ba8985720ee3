import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Listener } from "../Connection.ts"
import type { JsonObject, Notification, Request, RequestId, Response } from "../JsonRpc.ts"
import { SUBSCRIPTION_ID } from "../Meta.ts"
import { TransportError } from "../TransportError.ts"
import type { Slot } from "./HandOver.ts"
import { weigh } from "./weigh.ts"

/** How one exchange ends. */
export type Outcome = Effect.Effect<Response, TransportError>

/** One exchange that we began and have not seen the end of. */
export interface Waiting extends Slot {
  request: Request
  listener: Listener
  /** What was said and not heard yet, from `at` on; made by the first notification, which most exchanges never have. */
  heard: Array<Notification | Request> | undefined
  /** About how many bytes each of `heard` takes. */
  weights: Array<number>
  at: number
  /** About how many bytes are waiting. */
  bytes: number
  /** Goes on without what the listener has in hand; set while that waits for something. */
  letListenerGo: (() => void) | undefined
  /** Resumes the exchange's fiber; set while it sleeps. */
  wake: ((outcome: Outcome) => void) | undefined
  /** Whether the peer has said its last word of it. */
  isAnswered: boolean
  /** The first end counts. */
  outcome: Outcome | undefined
  /** Why the exchange was ended from outside, for the peer. */
  reason: string | undefined
}

export interface Bounds {
  readonly mailbox: number
  readonly mailboxBytes: number
}

/** The exchange that a notification belongs to, when it says so: its progress token is always the request's own id. */
export const exchangeOf = ({ params }: Notification): unknown =>
  params === undefined
    ? undefined
    : (params.progressToken ?? (params._meta as JsonObject | undefined)?.[SUBSCRIPTION_ID])

/** A newer one of these makes up for a lost older one. */
export const isDroppable = ({ method }: { readonly method: string }): boolean =>
  method === "notifications/progress" || method === "notifications/message"

const NONE: Array<number> = []
const noRequest: Request = { jsonrpc: "2.0", id: "", method: "" }
const deaf: Listener = () => Effect.void

const backlog = (waiting: Waiting): number => (waiting.heard === undefined ? 0 : waiting.heard.length - waiting.at)

/**
 * The open exchanges of one pipe, and what their listeners have yet to hear. Plain code: `hear` and `settle` are called
 * for each message of a read, `deliver` once after it, so that a read costs each sleeper one resume.
 */
export const make = ({ mailbox, mailboxBytes }: Bounds) => {
  const open = new Map<RequestId, Waiting>()
  /** Asleep, and told something since. */
  const stirred = new Set<Waiting>()
  /** Half full or more, with the backlog last seen. */
  const crowded = new Map<Waiting, number>()

  const rouse = (waiting: Waiting, outcome: Outcome): void => {
    const wake = waiting.wake
    waiting.wake = undefined
    wake?.(outcome)
  }
  const settle = (waiting: Waiting, outcome: Outcome): void => {
    if (waiting.outcome !== undefined) return
    waiting.outcome = outcome
    if (waiting.wake === undefined) return
    if (backlog(waiting) === 0) rouse(waiting, outcome)
    else stirred.add(waiting)
  }
  /** Makes room by dropping the oldest that can be dropped; false when there is none. */
  const makeRoom = (waiting: Waiting, heard: Array<Notification | Request>, weight: number): boolean => {
    while (backlog(waiting) > 0 && (backlog(waiting) >= mailbox || waiting.bytes + weight > mailboxBytes)) {
      const oldest = heard.findIndex((said, i) => i >= waiting.at && isDroppable(said))
      if (oldest < 0) return false
      heard.splice(oldest, 1)
      waiting.bytes -= waiting.weights.splice(oldest, 1)[0]!
    }
    return true
  }
  const hear = (waiting: Waiting, said: Notification | Request): void => {
    if (waiting.outcome !== undefined) return
    if (waiting.heard === undefined) waiting.weights = []
    const heard = (waiting.heard ??= [])
    if (waiting.at > mailbox) {
      heard.splice(0, waiting.at)
      waiting.weights.splice(0, waiting.at)
      waiting.at = 0
    }
    const weight = weigh(said)
    if (!makeRoom(waiting, heard, weight)) {
      const limit = backlog(waiting) >= mailbox ? mailbox : mailboxBytes
      return settle(waiting, Effect.fail(TransportError.make({ _tag: "Overflow", limit })))
    }
    heard.push(said)
    waiting.weights.push(weight)
    waiting.bytes += weight
    if (waiting.wake !== undefined) stirred.add(waiting)
    if (backlog(waiting) >= mailbox / 2) crowded.set(waiting, Infinity)
  }
  const deliver = (): void => {
    if (stirred.size === 0) return
    for (const waiting of stirred)
      if (waiting.wake !== undefined)
        rouse(
          waiting,
          Effect.suspend(() => attend(waiting))
        )
    stirred.clear()
  }
  const sleep = (waiting: Waiting): Outcome =>
    Effect.callback((resume) => {
      // its fiber may have given up its turn since it looked
      if (waiting.outcome === undefined && backlog(waiting) === 0) waiting.wake = resume
      else resume(Effect.suspend(() => attend(waiting)))
    })
  /** In a fiber of its own, so that an exchange can be ended without what its listener has in hand. */
  const attendTo = (waiting: Waiting, hearing: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.withFiber((caller) => begin(waiting, caller.context, hearing))
  const begin = (
    waiting: Waiting,
    context: Context.Context<never>,
    hearing: Effect.Effect<void>
  ): Effect.Effect<void> =>
    // begun inside: whoever the listener wakes may interrupt the exchange before it has returned
    Effect.callback((resume) => {
      const fiber = Effect.runForkWith(context)(hearing)
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return resume(exit)
      const end = (outcome: Effect.Effect<void>): void => {
        waiting.letListenerGo = undefined
        resume(outcome)
      }
      waiting.letListenerGo = () => {
        end(Effect.void)
        fiber.interruptUnsafe()
      }
      fiber.addObserver(end)
      return Effect.suspend(() => {
        waiting.letListenerGo = undefined
        return Fiber.interrupt(fiber)
      })
    })
  /** All that was heard, in order, then what comes after it. */
  const listen = (waiting: Waiting, heard: Array<Notification | Request>): Outcome => {
    while (waiting.at < heard.length) {
      waiting.bytes -= waiting.weights[waiting.at]!
      const hearing = waiting.listener(heard[waiting.at++]!)
      // most listeners are done at once, and need no step of their own
      if (hearing === Effect.void || (Exit.isExit(hearing) && Exit.isSuccess(hearing))) continue
      return Effect.andThen(
        attendTo(waiting, hearing),
        Effect.suspend(() => listen(waiting, heard))
      )
    }
    heard.length = waiting.weights.length = waiting.at = waiting.bytes = 0
    return attend(waiting)
  }
  /** For the exchange's own fiber to call: all that was heard, in order, then the outcome. */
  const attend = (waiting: Waiting): Outcome => {
    const { heard } = waiting
    return heard === undefined || backlog(waiting) === 0 ? (waiting.outcome ?? sleep(waiting)) : listen(waiting, heard)
  }

  return {
    open,
    settle,
    hear,
    deliver,
    attend,
    /** Ends an exchange, whatever its listener has yet to hear or has in hand: with `outcome`, unless it has one. */
    drop: (waiting: Waiting, outcome: Outcome): void => {
      waiting.outcome ??= outcome
      waiting.at = waiting.heard?.length ?? 0
      waiting.bytes = 0
      waiting.letListenerGo?.()
      rouse(waiting, waiting.outcome)
    },
    begin: (request: Request, listener: Listener): Waiting => {
      const waiting: Waiting = {
        request,
        listener,
        heard: undefined,
        weights: NONE,
        at: 0,
        bytes: 0,
        letListenerGo: undefined,
        wake: undefined,
        isAnswered: false,
        outcome: undefined,
        written: false,
        letGo: undefined,
        reason: undefined
      }
      open.set(request.id, waiting)
      return waiting
    },
    /**
     * Drops what an exchange that is over holds. A table that many entries pass through keeps them for a while, which
     * costs more than a call when they hold what was said.
     */
    forget: (waiting: Waiting): void => {
      waiting.request = noRequest
      waiting.listener = deaf
      waiting.heard = undefined
      waiting.weights = NONE
      waiting.wake = undefined
      waiting.outcome = undefined
    },
    /** Whether some listener that only needs the processor should get its turn before more is read. */
    isCrowded: (): boolean => {
      for (const [waiting, last] of crowded) {
        const now = backlog(waiting)
        if (now < mailbox / 2 || now >= last) crowded.delete(waiting)
        else crowded.set(waiting, now)
      }
      return crowded.size > 0
    }
  }
}

export type Exchanges = ReturnType<typeof make>
