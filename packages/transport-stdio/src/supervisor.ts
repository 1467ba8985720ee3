import { type Connection, limits, TransportError } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Command } from "./command.ts"
import { begin, type Process } from "./process.ts"
import type { Crash, GoneReason, ProcessState } from "./ProcessState.ts"
import { Restart } from "./Restart.ts"
import { make as makeStates } from "./states.ts"
import type { Supervised, SuperviseOptions } from "./supervise.ts"

const closed = TransportError.make({ _tag: "Closed" }, "NotSent")

/** The wait before a restart that follows `failures` failed ones, in ms: doubled each time, of which a random half is left out. */
const backOff = (failures: number): Effect.Effect<number> =>
  Effect.map(Random.next, (random) => {
    const most = Math.min(limits.backOffMostMs, limits.backOffMs * 2 ** Math.min(failures - 1, 16))
    return most * (1 - random / 2)
  })

/** Supervises: its scope is that of every process. */
export const make = Effect.fnUntraced(function* (
  command: Command,
  { healthCheck = limits.healthCheckMs, onCrash, restart = Restart.lazy, uptime = limits.uptimeMs }: SuperviseOptions
): Effect.fn.Return<Supervised, never, Scope.Scope> {
  const Stream = yield* Effect.promise(() => import("effect/Stream"))
  const healthMs = Duration.toMillis(healthCheck)
  const uptimeMs = Duration.toMillis(uptime)
  const onGone = restart._tag === "Eager" ? restart.onGone : undefined
  const states = makeStates<ProcessState>({ _tag: "Gone", reason: { _tag: "NotStarted" } })
  /** Of what goes on beside the processes: it ends before the last of them does. */
  const beside = Scope.makeUnsafe()
  /** Processes are started one after the other, by whoever has the turn. */
  const turn = Semaphore.makeUnsafe(1)
  const holders = new WeakMap<Process, number>()
  let isOver = false
  let generation = 0
  /** The process that was started last. */
  let last: Process | undefined
  /** Whether it was lost, and no other has taken its place. */
  let isLost = false
  /** Whether it had taken the place of another, and ended at once, before anybody had it: the next may as well. */
  let isHasty = false
  /** Restarts that have failed since one has not, and what the last of them failed with. */
  let failures = 0
  let failure = closed
  /** How often restarting was given up. */
  let givenUp = 0

  const goAway = (reason: GoneReason): void => states.set({ _tag: "Gone", reason })
  const restarting = (): void => {
    const now = states.now()
    const n = failures + 1
    if (now._tag !== "Restarting" || now.n !== n) states.set({ _tag: "Restarting", n })
  }
  /** Lets a listener hear something, without being held up by it for long, or harmed: not even where it throws at once. */
  const tell = (what: string, telling: () => Effect.Effect<void>): Effect.Effect<void> =>
    Effect.interruptible(Effect.suspend(telling)).pipe(
      Effect.catchCause((cause) => Effect.logError(`${what} failed`, cause)),
      Effect.forkIn(beside, { startImmediately: true }),
      Effect.flatMap((fiber) => Effect.timeoutOption(Fiber.await(fiber), limits.crashTellMs)),
      Effect.asVoid
    )

  /** Starts the next process; whoever does so has the turn. Not to be interrupted. */
  const start = Effect.suspend(() => {
    const isRestart = isLost
    if (isRestart) restarting()
    else states.set({ _tag: "Starting" })
    const onLost = (process: () => Process | undefined) => (crash: Crash, error: TransportError) => {
      const lost = process()
      isHasty = isRestart && crash.uptimeMs < limits.backOffMs && (lost === undefined || !holders.has(lost))
      failures = isRestart && crash.uptimeMs < uptimeMs ? failures + 1 : 0
      failure = error
      isLost = true
      const stopped = Effect.suspend(() => Effect.uninterruptible(process()?.stop ?? Effect.void))
      if (restart._tag === "Lazy") goAway({ _tag: "Crashed", crash })
      const next = restart._tag === "Lazy" ? Effect.void : Effect.interruptible(revive(restart.maxRetries))
      return Effect.asVoid(Effect.forkIn(Effect.andThen(stopped, next), beside))
    }
    let begun: Process | undefined
    return begin(command, {
      generation: generation + 1,
      healthMs,
      onCrash: (crash) => (onCrash === undefined ? Effect.void : tell("onCrash", () => onCrash(crash))),
      onLost: onLost(() => begun)
    }).pipe(
      Effect.map((process) => {
        begun = last = process
        isLost = false
        generation += 1
        states.set({ _tag: "Running", pid: process.pid, generation })
        return process
      }),
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (isRestart) failures += 1
          failure = error
        })
      )
    )
  })

  /** Restarts until one has not failed, or so many have. */
  const revive = (maxRetries: number): Effect.Effect<void> => {
    const go: Effect.Effect<void> = Effect.suspend(() => {
      // whoever had the turn before may have started it
      if (isOver || !isLost) return Effect.void
      if (failures >= maxRetries) return giveUp
      restarting()
      const attempt = Effect.matchEffect(Effect.uninterruptible(start), {
        onFailure: () => go,
        onSuccess: () => Effect.void
      })
      return failures === 0 && !isHasty
        ? attempt
        : Effect.andThen(
            Effect.flatMap(backOff(Math.max(1, failures)), (ms) => Effect.sleep(ms)),
            attempt
          )
    })
    return turn.withPermits(1)(go)
  }
  const giveUp = Effect.suspend(() => {
    givenUp += 1
    failures = 0
    const told = onGone === undefined ? Effect.void : tell("onGone", () => onGone(failure))
    return Effect.andThen(
      told,
      Effect.sync(() => goAway({ _tag: "Failed", error: failure }))
    )
  })

  const letGo = (process: Process): Effect.Effect<void> =>
    Effect.suspend(() => {
      const left = holders.get(process)! - 1
      holders.set(process, left)
      if (left > 0) return Effect.void
      if (process.isUp()) goAway({ _tag: "Stopped" })
      return process.stop
    })
  const hold = (process: Process): Effect.Effect<Connection, never, Scope.Scope> => {
    holders.set(process, (holders.get(process) ?? 0) + 1)
    return Effect.andThen(
      Effect.addFinalizer(() => letGo(process)),
      process.connection
    )
  }
  const transport = Effect.suspend(() => {
    const before = givenUp
    return turn.withPermits(1)(
      Effect.suspend((): Effect.Effect<Connection, TransportError, Scope.Scope> => {
        if (isOver) return Effect.fail(closed)
        if (givenUp !== before) return Effect.fail(failure.withOutcome("NotSent"))
        if (last?.isUp() === true) return Effect.uninterruptible(hold(last))
        const started = Effect.tapError(start, (error) => Effect.sync(() => goAway({ _tag: "Failed", error })))
        return Effect.andThen(last?.gone ?? Effect.void, Effect.uninterruptible(Effect.flatMap(started, hold)))
      })
    )
  })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isOver = true
      return Scope.close(beside, Exit.void)
    }).pipe(
      Effect.andThen(turn.withPermits(1)(Effect.suspend(() => last?.stop ?? Effect.void))),
      Effect.andThen(
        Effect.sync(() => {
          goAway({ _tag: "Stopped" })
          states.end()
        })
      )
    )
  )
  return {
    transport,
    state: Effect.sync(states.now),
    states: Stream.unwrap(Effect.map(states.follow, (pull) => Stream.fromPull(Effect.succeed(pull))))
  }
})
