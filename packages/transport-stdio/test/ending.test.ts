import { limits } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { type Command, spawn } from "../src/spawn.ts"
import { call } from "./support/call.ts"
import { drive } from "./support/drive.ts"
import { gone, isAlive, isZombie, listenTo } from "./support/processes.ts"
import { program, shell } from "./support/program.ts"

/** A scope that a test closes itself, and that does not outlive it. */
const makeScope = Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))

/** Runs a child until it has answered and said `ready`, then closes its scope, and tells how long that took. */
const close = (command: Command, times = 1, ready = /pid (\d+)/) =>
  Effect.gen(function* () {
    const words = listenTo()
    const scope = yield* makeScope
    const connection = yield* Scope.provide(spawn({ ...command, stderr: words.hear }), scope)
    yield* call(connection, 1)
    const [, pid] = yield* words.find(ready)
    const start = performance.now()
    const closing = Array.from({ length: times }, () => Scope.close(scope, Exit.void))
    const exits = yield* Effect.all(closing.map(Effect.exit), { concurrency: "unbounded" })
    return { connection, exits, ms: performance.now() - start, pid: Number(pid), scope, words }
  })

it.live("STD-11 C-16 R-010 a child that ignores all hears its input close, then TERM, then is killed", () =>
  Effect.gen(function* () {
    const graceMs = 300
    const start = program("child", "stubborn")
    const { exits, ms, pid, scope, words } = yield* close({ ...start, graceMs }, 3)
    exits.push(yield* Effect.exit(Scope.close(scope, Exit.void)))
    expect(exits).toEqual([Exit.void, Exit.void, Exit.void, Exit.void])
    expect(words.text()).toMatch(/^pid \d+\neof\nterm\n$/)
    expect(ms).toBeGreaterThanOrEqual(2 * graceMs - 20)
    expect(ms).toBeLessThan(2 * graceMs + 500)
    expect(isAlive(pid)).toBe(false)
    expect(isZombie(pid)).toBe(false)
  })
)

it.live("STD-11 a child that leaves after its input has closed gets no signal, and nobody waits longer", () =>
  Effect.gen(function* () {
    const { ms, pid, words } = yield* close(program("child", "lags"))
    expect(words.text()).toMatch(/^pid \d+\neof\n$/)
    expect(ms).toBeGreaterThanOrEqual(180)
    expect(ms).toBeLessThan(1_000)
    expect(isAlive(pid)).toBe(false)
  })
)

it.live("STD-11 what is still open when the scope closes fails, and nothing is left to keep this process", () =>
  Effect.gen(function* () {
    const listeners = process.listenerCount("exit")
    const scope = yield* makeScope
    const connection = yield* Scope.provide(spawn({ ...shell("read a; read b"), graceMs: 200 }), scope)
    const open = yield* Effect.forkChild(Effect.flip(call(connection, 1)), { startImmediately: true })
    expect(process.listenerCount("exit")).toBeGreaterThan(0)
    yield* Scope.close(scope, Exit.void)
    expect((yield* Fiber.join(open)).reason._tag).toBe("Closed")
    expect(yield* Effect.flip(call(connection, 2))).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
    expect(process.listenerCount("exit")).toBe(listeners)
  })
)

it.effect("C-16 R-010 each wait is 2 s unless told otherwise, by Effect's own clock", () =>
  Effect.gen(function* () {
    expect(limits.graceMs).toBe(2_000)
    const words = listenTo()
    const scope = yield* makeScope
    yield* Scope.provide(spawn({ ...program("child", "stubborn"), stderr: words.hear }), scope)
    const hears = (pattern: RegExp) => TestClock.withLive(words.find(pattern))
    yield* hears(/pid/)
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* hears(/eof/)
    yield* TestClock.adjust(1_999)
    expect(words.text()).not.toContain("term")
    yield* TestClock.adjust(1)
    yield* hears(/term/)
    yield* TestClock.adjust(1_999)
    expect(closing.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust(1)
    yield* TestClock.withLive(Effect.timeout(Fiber.join(closing), "5 seconds"))
  })
)

it.live("R-010 the whole tree ends: what the child has started, and what it leaves behind", () =>
  Effect.gen(function* () {
    const grandchild = program("child", "stubborn").args
    const command = { ...program("child", "parent", JSON.stringify(grandchild)), graceMs: 300 }
    const { ms, pid, words } = yield* close(command, 1, /^(?=[^]*eof)[^]*child (\d+)/)
    yield* gone(pid)
    expect(words.text()).toContain("term")
    expect(ms).toBeLessThan(2 * 300 + 500)
  })
)

it.live("R-010 what a child leaves behind ends with it, before the scope does", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const words = listenTo()
      const script = "sleep 30 & echo pid $! >&2; read line; exit 1"
      const connection = yield* spawn({ ...shell(script), stderr: words.hear, graceMs: 300 })
      yield* Effect.flip(call(connection, 1))
      const [, pid] = yield* words.find(/pid (\d+)/)
      yield* gone(Number(pid))
    })
  )
)

it.live("R-010 a child that has much to say on its way out is not kept by it", () =>
  Effect.gen(function* () {
    const script = `echo pid $$ >&2; read a; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; cat; head -c 1000000 /dev/zero; echo bye >&2`
    const { ms, words } = yield* close(shell(script))
    expect(words.text()).toContain("bye")
    expect(ms).toBeLessThan(1_500)
  })
)

it.live("R-010 a process that exits without closing its scopes kills what it has started", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const leaver = yield* drive(program("leaver"))
      expect(yield* leaver.line).toBe("ready")
      const pids = [...leaver.stderr().matchAll(/(?:pid|child) (\d+)/g)].map(([, pid]) => Number(pid))
      expect(pids.length).toBeGreaterThanOrEqual(2)
      for (const pid of pids) expect(isAlive(pid)).toBe(true)
      leaver.write("leave\n")
      yield* leaver.exit
      for (const pid of pids) yield* gone(pid)
    })
  )
)
