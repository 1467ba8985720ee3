import { ChildProcess } from "node:child_process"
import { limits } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { findDead } from "../src/process.ts"
import { type Crash, Restart, supervise } from "../src/index.ts"
import { call } from "./support/call.ts"
import { lean, result } from "./support/lean.ts"
import { isAlive, kill, listenTo } from "./support/processes.ts"

/** While it is open, this runtime tells of no exit of a child. */
const deaf = Effect.acquireRelease(
  Effect.sync(() => {
    const { emit } = ChildProcess.prototype
    ChildProcess.prototype.emit = function (event: string | symbol, ...args: ReadonlyArray<unknown>) {
      return event === "exit" || event === "close" ? true : Reflect.apply(emit, this, [event, ...args])
    }
    return emit
  }),
  (emit) =>
    Effect.sync(() => {
      ChildProcess.prototype.emit = emit
    })
)

it.effect("T-16 a process is looked after every 15 s, which sends it nothing", () =>
  Effect.gen(function* () {
    expect(limits.healthCheckMs).toBe(15_000)
    const cases = `*) n=$((n+1)); ${result(`{"heard":'"$n"'}`)};;`
    const supervised = yield* supervise(lean({ first: "n=0", cases }))
    const connection = yield* supervised.transport
    const heard = (id: number) => TestClock.withLive(call(connection, id, "ping"))
    expect(yield* heard(1)).toMatchObject({ result: { heard: 1 } })
    for (let i = 0; i < 20; i++) yield* TestClock.adjust(limits.healthCheckMs)
    expect(yield* heard(2)).toMatchObject({ result: { heard: 2 } })
    expect(yield* supervised.state).toMatchObject({ _tag: "Running", generation: 1 })
  })
)

it.live("T-16 T-17 a process whose end nobody tells is found dead, and replaced", () =>
  Effect.gen(function* () {
    const words = listenTo()
    const crashes: Array<Crash> = []
    const supervised = yield* supervise(
      // something else holds its streams
      { ...lean({ first: `exec 3<&0; sleep 30 <&3 & echo "left $!" >&2` }), stderr: words.hear, graceMs: 200 },
      { restart: Restart.eager(1), healthCheck: 50, onCrash: (crash) => Effect.sync(() => void crashes.push(crash)) }
    )
    const connection = yield* supervised.transport
    yield* call(connection, 1)
    const [, left] = yield* words.find(/left (\d+)/)
    const [, pid] = yield* words.find(/pid (\d+)/)
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* deaf
        const open = yield* Effect.forkChild(Effect.flip(call(connection, 2, "hold")), { startImmediately: true })
        kill(Number(pid))
        const error = yield* Fiber.join(open)
        expect(error).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
        expect(error.reason).not.toHaveProperty("exit")
        yield* Effect.timeout(
          Stream.runDrain(
            Stream.takeUntil(supervised.states, (state) => state._tag === "Running" && state.generation === 2)
          ),
          "10 seconds"
        )
      })
    )
    expect(crashes).toMatchObject([{ _tag: "FoundDead", pid: Number(pid), generation: 1 }])
    expect(isAlive(Number(left))).toBe(false)
  })
)

it.live("a process that is there is never found dead, and one that has told of its end is none to find", () =>
  Effect.gen(function* () {
    const found = { pid: process.pid, exit: () => undefined }
    const looking = yield* Effect.forkChild(findDead(found, 1), { startImmediately: true })
    yield* Effect.sleep(50)
    expect(looking.pollUnsafe()).toBeUndefined()
    yield* Fiber.interrupt(looking)
    expect(yield* findDead({ ...found, exit: () => ({ code: 0, signal: null }) }, 1)).toBe(false)
  })
)
