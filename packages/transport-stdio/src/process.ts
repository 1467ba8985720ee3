import { type Connection, limits, Peer, type TransportError } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Child, start } from "./child.ts"
import type { Command } from "./command.ts"
import { end } from "./ending.ts"
import { isThere } from "./group.ts"
import type { Crash, CrashKind } from "./ProcessState.ts"
import { wire } from "./wire.ts"

/** One process of a supervisor, and all that is known of it. */
export interface Process {
  readonly pid: number
  /** Whether it can be spoken with: not once it was lost, or is being ended. */
  readonly isUp: () => boolean
  /** The connection to it, made when it is first asked for and then the same for all. */
  readonly connection: Effect.Effect<Connection>
  /** Ends it, and all that it has started; completes with `gone`, however often it is run. */
  readonly stop: Effect.Effect<void>
  /** Completes once nothing of it is left. */
  readonly gone: Effect.Effect<void>
}

export interface ProcessOptions {
  readonly generation: number
  /** How often it is looked whether it is there, in ms. */
  readonly healthMs: number
  /** Told when it is lost, before its connection fails; never when it is stopped. */
  readonly onCrash: (crash: Crash) => Effect.Effect<void>
  /** Told once its connection has failed. It is the process's own fiber that tells, and must not wait for the process to be gone. */
  readonly onLost: (crash: Crash, error: TransportError) => Effect.Effect<void>
}

const kindOf = (child: Child, isMissing: boolean, { reason }: TransportError): CrashKind => {
  const exit = child.exit()
  if (exit !== undefined) return { _tag: "Exited", exit }
  if (isMissing) return { _tag: "FoundDead" }
  const cause = reason._tag === "Closed" ? reason.cause : reason
  return { _tag: "Disconnected", ...(cause === undefined ? undefined : { cause }) }
}

/** Looks again and again whether a process is there. True once it is not, and nothing has told so. */
export const findDead = (child: Pick<Child, "pid" | "exit">, everyMs: number): Effect.Effect<boolean> =>
  Effect.flatMap(Effect.sleep(everyMs), () => {
    if (child.exit() !== undefined) return Effect.succeed(false)
    return isThere(child.pid) ? findDead(child, everyMs) : Effect.succeed(true)
  })

const millis = Effect.map(Clock.Clock, (clock) => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n))

/** Starts a process, with a life of its own until `stop`. A start that fails leaves nothing. Not to be interrupted. */
export const begin = Effect.fnUntraced(function* (
  command: Command,
  { generation, healthMs, onCrash, onLost }: ProcessOptions
): Effect.fn.Return<Process, TransportError> {
  const child = yield* start(command)
  const { close, duplex, fail, watch } = wire(child, command)
  const { pid } = child
  const since = yield* millis
  const scope = Scope.makeUnsafe()
  const over = Deferred.makeUnsafe<void>()
  const gone = Deferred.await(over)
  let isUp = true
  let isMissing = false

  const lose = Effect.fnUntraced(function* (error: TransportError) {
    isUp = false
    const crash: Crash = {
      ...kindOf(child, isMissing, error),
      pid,
      generation,
      uptimeMs: (yield* millis) - since,
      stderr: child.lastWords()
    }
    yield* onCrash(crash)
    fail(error)
    yield* onLost(crash, error)
  })
  yield* Scope.addFinalizer(
    scope,
    Effect.andThen(Effect.sync(close), end(child, command.graceMs ?? limits.graceMs)).pipe(
      Effect.ensuring(Deferred.succeed(over, undefined))
    )
  )
  yield* Effect.forkIn(
    Effect.interruptible(Effect.flatMap(watch, (error) => Effect.uninterruptible(lose(error)))),
    scope,
    { startImmediately: true }
  )
  if (healthMs !== Infinity) {
    const looking = Effect.map(findDead(child, healthMs), (isDead) => {
      isMissing = isDead
      if (isDead) child.presumeDead()
    })
    yield* Effect.forkIn(Effect.interruptible(looking), scope)
  }
  return {
    pid,
    isUp: () => isUp,
    connection: yield* Effect.cached(Scope.provide(Peer.make(duplex, command), scope)),
    gone,
    stop: Effect.suspend(() => {
      isUp = false
      return Effect.andThen(Scope.close(scope, Exit.void), gone)
    })
  }
})
