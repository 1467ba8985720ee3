import { type Era, limits, TransportError } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { ConnectError } from "./ClientError.ts"
import type { Negotiated } from "./era/Negotiate.ts"
import type { Dressed } from "./layers.ts"
import { monotonicMs, type Patience, passing, persist } from "./persist.ts"
import { ticksOf } from "./Spent.ts"
import type { State } from "./State.ts"

/** What there is once a session has begun, on a connection of its own. */
export interface Begun extends Negotiated {
  readonly session: Dressed
}

/** A session that has begun, and may be over. */
export interface Live extends Begun {
  readonly scope: Scope.Closeable
  /** When it began, in ms. */
  readonly since: number
}

/** A client's sessions, one after the other. */
export interface Life {
  /** The session that is spoken, or was the last. */
  readonly live: () => Live
  readonly isConnected: () => boolean
  /** Whether the client was closed, or its scope: nothing is begun by itself any more. */
  readonly isClosed: () => boolean
  /** Begins a session where there is none; else it does nothing. */
  readonly connect: Effect.Effect<void, ConnectError>
  /** Ends the session and begins another. All who wait share one attempt. */
  readonly reconnect: Effect.Effect<void, ConnectError>
  /** Ends the session. */
  readonly close: Effect.Effect<void>
  /**
   * A session other than `lost`: the one that has begun since, or a new one. All who wait share one attempt. A process that
   * ended too soon after its start is not started again for what it has had (`isAsked` is false), and once not for something new.
   */
  readonly renew: (lost: Live, isAsked: boolean) => Effect.Effect<Live, ConnectError>
  /** Whether the process of a session has ended by itself, too soon after its start. Asking makes the next request start it. */
  readonly isLooping: (lost: Live) => boolean
}

export interface Options {
  /** For the first session, and for one that is asked for: where a failure to connect may pass. */
  readonly patience: Patience
  readonly mayPass: () => boolean
  /** For one that takes the place of a lost one. */
  readonly recovery: Patience
  /** How long a server on a pipe is up at the least to be started anew when it ends, in ms. */
  readonly uptimeMs: number
  /** Hears of each change, in the turn in which it happens. */
  readonly tell: (state: State) => void
}

/** The client was closed. It is this very error alone that says so: what else is closed may be begun anew. */
export const closed = TransportError.make({ _tag: "Closed" }, "NotSent")
const ended = TransportError.make({ _tag: "Closed" }, "NotSent")

/**
 * Begins the first session. The scope is the client's: when it closes, all is over.
 *
 * @param negotiate begins a session on a connection of its own, whose life is the scope's; told what was found out before
 */
export const make = Effect.fnUntraced(function* <R>(
  negotiate: (known: Era | undefined) => Effect.Effect<Begun, ConnectError, R | Scope.Scope>,
  { mayPass, patience, recovery, tell, uptimeMs }: Options
): Effect.fn.Return<Life, ConnectError, R | Scope.Scope> {
  // sessions close after the life has been marked as over, so that nobody takes the end of one for a loss
  const sessions = Scope.makeUnsafe()
  let isClosed = false
  let isOver = false
  let attempt: Fiber.Fiber<Live, ConnectError> | undefined
  let live: Live | undefined
  /** The one that we have ended ourselves. */
  let left: Live | undefined
  /** The one that ended too soon after it had begun, and whether somebody has been refused for that. */
  let early: Live | undefined
  let isSpent = false
  let isTold = false
  const tellClosed = (): void => {
    if (!isTold) tell({ _tag: "Closed" })
    isTold = true
  }
  yield* Effect.addFinalizer((exit) =>
    Effect.suspend(() => {
      isOver = true
      tellClosed()
      return Effect.andThen(attempt === undefined ? Effect.void : Fiber.interrupt(attempt), Scope.close(sessions, exit))
    })
  )
  const clock = yield* Clock.Clock
  const context = yield* Effect.context<R>()
  const run = Effect.runForkWith(context)

  const settle = (begun: Live): Live => {
    live = begun
    const { line, session, since } = begun
    tell({ _tag: "Connected", era: session.era, revision: session.revision })
    line.onLost((error) => {
      if (begun === left || isOver) return
      early = line.isPipe && ticksOf(clock) - since < uptimeMs ? begun : undefined
      isSpent = false
      tell({ _tag: "Lost", error })
    })
    return begun
  }
  const isLooping = (lost: Live): boolean => {
    if (early !== lost) return false
    isSpent = true
    return true
  }
  const begin: Effect.Effect<Live, ConnectError, R> = Effect.flatMap(Scope.fork(sessions), (scope) =>
    negotiate(live?.session.era).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.flatMap((negotiated) => Effect.map(monotonicMs, (since) => settle({ ...negotiated, scope, since }))),
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
    )
  ) as Effect.Effect<Live, ConnectError, R> // cast: the scope is provided

  const leave = Effect.suspend(() => {
    if (live === undefined) return Effect.void
    left = live
    live.line.lose(ended)
    return Scope.close(live.scope, Exit.void)
  })
  /** Makes room for the next session. What is open on one that has expired gets to hear so from the server. */
  const part = Effect.suspend(() => {
    if (live?.line.gone()?.reason._tag !== "SessionExpired") return leave
    const closing = Effect.andThen(Effect.sleep(limits.farewellMs), Scope.close(live.scope, Exit.void))
    return Effect.forkIn(closing, sessions)
  })
  /** The attempt that is under way, or a new one. */
  const start = (how: Effect.Effect<Live, ConnectError, R>): Effect.Effect<Live, ConnectError> =>
    Effect.suspend(() => {
      if (isOver) return Effect.fail(closed)
      // a turn first: what fails as the session ends asks for the attempt at once, and must find it
      const fiber = attempt ?? run(Effect.andThen(Effect.yieldNow, Effect.andThen(part, how)))
      if (attempt === undefined) {
        attempt = fiber
        fiber.addObserver(() => {
          attempt = undefined
        })
      }
      return Effect.flatMap(Fiber.await(fiber), (exit) => (Exit.hasInterrupts(exit) ? Effect.fail(closed) : exit))
    })
  const telling = (how: Effect.Effect<Live, ConnectError, R>): Effect.Effect<Live, ConnectError, R> =>
    Effect.suspend(() => {
      isTold = false
      tell({ _tag: "Connecting" })
      return Effect.tapError(how, (error) => Effect.sync(() => tell({ _tag: "Lost", error })))
    })
  const first = telling(persist(begin, patience, (error) => (mayPass() ? passing(error) : undefined)))
  const next = telling(persist(begin, recovery))
  yield* first

  const isUp = (): boolean => !isClosed && !isOver && live !== undefined && live.line.gone() === undefined
  const now = (): Live => live! // the first session has begun
  return {
    live: now,
    isConnected: isUp,
    isClosed: () => isClosed || isOver,
    connect: Effect.suspend(() => {
      if (isUp() && attempt === undefined) return Effect.void
      isClosed = false
      return Effect.asVoid(start(first))
    }),
    reconnect: Effect.suspend(() => {
      isClosed = false
      return Effect.asVoid(start(first))
    }),
    close: Effect.uninterruptible(
      Effect.suspend(() => {
        isClosed = true
        tellClosed()
        return Effect.andThen(attempt === undefined ? Effect.void : Fiber.interrupt(attempt), leave)
      })
    ),
    isLooping,
    renew: (lost, isAsked) =>
      Effect.flatMap(monotonicMs, (time) => {
        if (isClosed || isOver) return Effect.fail(closed)
        if (attempt === undefined) {
          const gone = now().line.gone()
          if (now() !== lost && gone === undefined) return Effect.succeed(now())
          const wasSpent = isSpent
          const isRefused = isLooping(now()) && (!isAsked || (!wasSpent && time - now().since < uptimeMs))
          if (isRefused) return Effect.fail((gone ?? ended).withOutcome("NotSent"))
        }
        return start(next)
      })
  }
})
