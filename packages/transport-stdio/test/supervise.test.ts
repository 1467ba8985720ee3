import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { JsonRpc, limits, type TransportError } from "@effective-mcp/protocol"
import { expect, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  type Crash,
  type ProcessState,
  Restart,
  type Supervised,
  type SuperviseOptions,
  supervise
} from "../src/index.ts"
import { call } from "./support/call.ts"
import { lean } from "./support/lean.ts"
import { gone, isAlive, kill, listenTo } from "./support/processes.ts"

/** Completes with the first state that passes; a bug if there is none in 10 s. */
const until = <S extends ProcessState>(supervised: Supervised, test: (state: ProcessState) => state is S) =>
  Stream.runHead(Stream.filter(supervised.states, test)).pipe(
    Effect.flatMap(Option.match({ onNone: () => Effect.die("no such state"), onSome: Effect.succeed })),
    Effect.timeoutOrElse({
      duration: 10_000,
      orElse: () => Effect.flatMap(supervised.state, (state) => Effect.die(new Error(JSON.stringify(state))))
    })
  )
const runs =
  (generation: number) =>
  (state: ProcessState): state is ProcessState & { readonly _tag: "Running" } =>
    state._tag === "Running" && state.generation === generation
const isGone = (state: ProcessState): state is ProcessState & { readonly _tag: "Gone" } =>
  state._tag === "Gone" && state.reason._tag !== "NotStarted"

/** Takes down every state, in order. */
const follow = (supervised: Supervised) =>
  Effect.gen(function* () {
    const all: Array<ProcessState> = []
    yield* Effect.forkScoped(
      Stream.runForEach(supervised.states, (state) => Effect.sync(() => void all.push(state))),
      { startImmediately: true }
    )
    return all
  })

/** The connection in a scope that the test closes, or this effect's own does. */
const take = (supervised: Supervised) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (own) => Scope.close(own, Exit.void))
    const connection = yield* Scope.provide(supervised.transport, scope)
    return { connection, leave: Scope.close(scope, Exit.void) }
  })

const running = (supervised: Supervised) =>
  Effect.map(supervised.state, (state) => (state._tag === "Running" ? state : { pid: 0, generation: 0 }))

/** A program in a file, which can be taken away and put back. */
const file = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "supervise-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const path = join(folder, "server")
  return {
    command: path,
    put: () => {
      writeFileSync(path, `#!/bin/sh\n${lean().args[1]}\n`)
      chmodSync(path, 0o755)
    },
    remove: () => rmSync(path)
  }
})

it.live("T-13 R-001 nothing starts by itself, and all who ask at the same time get the one process", () =>
  Effect.gen(function* () {
    const words = listenTo()
    const supervised = yield* supervise({ ...lean(), stderr: words.hear })
    expect(yield* supervised.state).toEqual({ _tag: "Gone", reason: { _tag: "NotStarted" } })
    const all = yield* Effect.all(
      Array.from({ length: 16 }, () => take(supervised)),
      { concurrency: 16 }
    )
    expect(new Set(all.map(({ connection }) => connection)).size).toBe(1)
    yield* Effect.forEach(all, ({ connection }, id) => call(connection, id), { concurrency: 16 })
    const { generation, pid } = yield* running(supervised)
    yield* words.find(/pid (\d+)/)
    expect([...words.text().matchAll(/pid (\d+)/g)].map(([, said]) => Number(said))).toEqual([pid])
    expect(generation).toBe(1)
    // the process lives for as long as anybody has it
    for (const { leave } of all.slice(1)) yield* leave
    expect(isAlive(pid)).toBe(true)
    yield* all[0]!.leave
    expect(isAlive(pid)).toBe(false)
    expect(yield* supervised.state).toEqual({ _tag: "Gone", reason: { _tag: "Stopped" } })
  })
)

it.live("R-005 a start that fails leaves nothing, and the next one begins clean", () =>
  Effect.gen(function* () {
    const listeners = process.listenerCount("exit")
    const program = yield* file
    const supervised = yield* supervise({ command: program.command })
    const all = yield* Effect.all(
      Array.from({ length: 4 }, () => Effect.flip(take(supervised))),
      { concurrency: 4 }
    )
    for (const error of all)
      expect(error).toMatchObject({ reason: { _tag: "Unreachable", code: "ENOENT" }, outcome: "NotSent" })
    expect(yield* supervised.state).toMatchObject({ _tag: "Gone", reason: { _tag: "Failed", error: all.at(-1) } })
    expect(process.listenerCount("exit")).toBe(listeners)
    program.put()
    const { connection } = yield* take(supervised)
    expect(yield* call(connection, 1)).toMatchObject({ result: { content: [] } })
    expect(yield* running(supervised)).toMatchObject({ generation: 1 })
  })
)

it.live("R-006 R-007 R-009 a process that is lost is replaced when it is asked for, and speaks for itself alone", () =>
  Effect.gen(function* () {
    const crashes: Array<Crash> = []
    const supervised = yield* supervise(
      { ...lean(), stderr: "tail" },
      { onCrash: (crash) => Effect.sync(() => void crashes.push(crash)) }
    )
    const states = yield* follow(supervised)
    const first = yield* take(supervised)
    const { pid } = yield* running(supervised)
    const open = yield* Effect.forkChild(Effect.flip(call(first.connection, 1, "hold")), { startImmediately: true })
    yield* call(first.connection, 2)
    kill(pid)
    const exit = { code: null, signal: "SIGKILL" }
    expect(yield* Fiber.join(open)).toMatchObject({
      reason: { _tag: "Closed", exit, stderr: `pid ${pid}\n` },
      outcome: "Unknown"
    })
    expect(crashes).toEqual([
      { _tag: "Exited", exit, pid, generation: 1, stderr: `pid ${pid}\n`, uptimeMs: expect.any(Number) }
    ])
    expect(yield* until(supervised, isGone)).toEqual({ _tag: "Gone", reason: { _tag: "Crashed", crash: crashes[0] } })
    const second = yield* take(supervised)
    const next = yield* running(supervised)
    expect(next.generation).toBe(2)
    expect(next.pid).not.toBe(pid)
    expect(yield* call(second.connection, 1)).toMatchObject({ result: { structuredContent: { pid: next.pid } } })
    // nothing that is meant for the one is ever written to the other
    expect(yield* Effect.flip(call(first.connection, 3))).toMatchObject({ reason: { exit }, outcome: "NotSent" })
    yield* first.leave
    expect(isAlive(next.pid)).toBe(true)
    yield* second.leave
    expect(isAlive(next.pid)).toBe(false)
    expect(crashes.length).toBe(1)
    yield* Effect.yieldNow
    expect(states.map((state) => (state._tag === "Gone" ? state.reason._tag : state._tag))).toEqual([
      "NotStarted",
      "Starting",
      "Running",
      "Crashed",
      "Restarting",
      "Running",
      "Stopped"
    ])
  })
)

it.live("R-006 a process is replaced only once all that it has left behind is gone", () =>
  Effect.gen(function* () {
    const words = listenTo()
    const first = `(trap '' TERM; echo "left $BASHPID $(sh -c 'echo $PPID')" >&2; while :; do sleep 0.05; done) &`
    const supervised = yield* supervise({ ...lean({ first }), graceMs: 100, stderr: words.hear })
    const { connection } = yield* take(supervised)
    yield* call(connection, 1)
    const [, left] = yield* words.find(/left\D+(\d+)/)
    expect(isAlive(Number(left))).toBe(true)
    kill((yield* running(supervised)).pid)
    yield* Effect.flip(call(connection, 2, "hold"))
    yield* take(supervised)
    expect(isAlive(Number(left))).toBe(false)
  })
)

for (const restart of [Restart.lazy, Restart.eager(1)]) {
  it.live(`T-18 a crash is told, then the connection fails, then it is replaced: ${restart._tag}`, () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const supervised = yield* supervise(lean(), {
        restart,
        onCrash: ({ _tag, generation }) =>
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => void told.push(`crash ${generation} ${_tag}`))
          )
      })
      const { connection } = yield* take(supervised)
      const { pid } = yield* running(supervised)
      const open = yield* Effect.forkChild(
        Effect.tapError(call(connection, 1, "hold"), ({ reason }) => Effect.sync(() => void told.push(reason._tag))),
        { startImmediately: true }
      )
      const states = yield* Effect.forkChild(
        Stream.runForEach(Stream.takeUntil(supervised.states, runs(2)), (state) =>
          Effect.sync(() => void (runs(2)(state) && told.push("replaced")))
        ),
        { startImmediately: true }
      )
      kill(pid)
      yield* Effect.flip(Fiber.join(open))
      if (restart._tag === "Lazy") yield* take(supervised)
      yield* Fiber.join(states)
      expect(told).toEqual(["crash 1 Exited", "Closed", "replaced"])
    })
  )
}

it.live("T-18 whoever hears of a crash can neither hold up what follows for long, nor harm it", () =>
  Effect.gen(function* () {
    let ended = false
    const supervised = yield* supervise(lean(), {
      restart: Restart.eager(1),
      uptime: 0,
      onCrash: ({ generation }) =>
        generation === 1
          ? Effect.die(new Error("a listener with a bug"))
          : Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (ended = true)))
    })
    const { connection } = yield* take(supervised)
    kill((yield* running(supervised)).pid)
    yield* Effect.flip(call(connection, 1, "hold"))
    const { pid } = yield* until(supervised, runs(2))
    const second = yield* take(supervised)
    const start = performance.now()
    kill(pid)
    yield* Effect.flip(call(second.connection, 1, "hold"))
    expect(performance.now() - start).toBeLessThan(limits.crashTellMs + 700)
    yield* until(supervised, runs(3))
    expect(ended).toBe(false)
  }).pipe(Effect.provide(Logger.layer([])))
)

it.live("T-18 whoever hears of a crash, or of the end of restarts, may throw at once", () =>
  Effect.gen(function* () {
    const told: Array<string> = []
    const hear = (what: string): never => {
      told.push(what)
      throw new Error("a listener with a bug")
    }
    const supervised = yield* supervise(lean(), {
      restart: Restart.eager(1, { onGone: () => hear("gone") }),
      onCrash: ({ generation }) => hear(`crash ${generation}`)
    })
    const { connection } = yield* take(supervised)
    kill((yield* running(supervised)).pid)
    const lost = Effect.timeout(Effect.flip(call(connection, 1, "hold")), 5_000)
    expect(yield* lost).toMatchObject({ reason: { _tag: "Closed" } })
    kill((yield* until(supervised, runs(2))).pid)
    expect(yield* until(supervised, isGone)).toMatchObject({ reason: { _tag: "Failed" } })
    expect(told).toEqual(["crash 1", "crash 2", "gone"])
  }).pipe(Effect.provide(Logger.layer([])))
)

for (const [what, first, cases, crash] of [
  ["an exit", "", "*last*) exit 3;;", { _tag: "Exited", exit: { code: 3, signal: null } }],
  ["an output that closes", "", "*last*) exec 1>&-; sleep 30;;", { _tag: "Disconnected" }],
  // Bun keeps the other end of it open itself
  ...("Bun" in globalThis
    ? []
    : ([
        ["an input that nobody reads", "", "*last*) exec 0<&-; echo closed >&2; sleep 30;;", { _tag: "Disconnected" }]
      ] as const)),
  [
    "a line over the limit",
    "",
    "*last*) head -c 100000 /dev/zero | tr '\\0' x; sleep 30;;",
    { _tag: "Disconnected", cause: { _tag: "TooLarge", limit: 10_000 } }
  ]
] as const) {
  it.live(`T-17 a crash is ${what}, and what is left is ended before the next starts`, () =>
    Effect.gen(function* () {
      const crashes: Array<Crash> = []
      const words = listenTo()
      const supervised = yield* supervise(
        { ...lean({ first, cases }), stderr: words.hear, messageBytes: 10_000, graceMs: 100 },
        { restart: Restart.eager(1), onCrash: (told) => Effect.sync(() => void crashes.push(told)) }
      )
      const { connection } = yield* take(supervised)
      const { pid } = yield* running(supervised)
      const last = yield* Effect.forkChild(Effect.flip(call(connection, 1, "last")), { startImmediately: true })
      if (what.includes("input")) {
        yield* words.find(/closed/)
        // not every runtime hears of it with the first
        const more = connection.send(JsonRpc.notification("notifications/more"))
        yield* Effect.flip(Effect.forever(Effect.andThen(more, Effect.sleep(5))))
      }
      yield* Fiber.join(last)
      yield* until(supervised, runs(2))
      expect(isAlive(pid)).toBe(false)
      expect(crashes).toHaveLength(1)
      expect(crashes[0]).toMatchObject({ ...crash, pid, generation: 1 })
    })
  )
}

it.live("T-15 T-19 a process is restarted at once and kept, as often as that succeeds, and taken over", () =>
  Effect.gen(function* () {
    let final = 0
    const supervised = yield* supervise(lean(), {
      restart: Restart.eager(2, { onGone: () => Effect.sync(() => void (final += 1)) }),
      uptime: 0
    })
    const { leave } = yield* take(supervised)
    for (let generation = 1; generation <= 6; generation++) {
      const { pid } = yield* until(supervised, runs(generation))
      kill(pid)
    }
    const { pid } = yield* until(supervised, runs(7))
    yield* leave
    expect(isAlive(pid)).toBe(true)
    const all = yield* Effect.all(
      Array.from({ length: 4 }, () => take(supervised)),
      { concurrency: 4 }
    )
    expect(yield* call(all[0]!.connection, 1)).toMatchObject({ result: { structuredContent: { pid } } })
    expect(yield* running(supervised)).toMatchObject({ generation: 7 })
    expect(final).toBe(0)
  })
)

it.live("T-15 T-19 T-20 restarts go on until so many have failed, and then one error is told, once", () =>
  Effect.gen(function* () {
    const final: Array<TransportError> = []
    const program = yield* file
    program.put()
    const supervised = yield* supervise(
      { command: program.command },
      { restart: Restart.eager(3, { onGone: (error) => Effect.sync(() => void final.push(error)) }) }
    )
    const states = yield* follow(supervised)
    yield* take(supervised)
    program.remove()
    kill((yield* running(supervised)).pid)
    yield* until(
      supervised,
      (state): state is ProcessState & { readonly _tag: "Restarting" } => state._tag === "Restarting"
    )
    // who asks while it is tried waits for what comes of it
    const waiting = yield* Effect.forkChild(Effect.flip(take(supervised)), { startImmediately: true })
    const { reason } = yield* until(supervised, isGone)
    expect(reason).toMatchObject({ _tag: "Failed", error: { reason: { _tag: "Unreachable", code: "ENOENT" } } })
    expect(yield* Fiber.join(waiting)).toMatchObject({ reason: { code: "ENOENT" }, outcome: "NotSent" })
    expect(final).toEqual([reason._tag === "Failed" && reason.error])
    expect(states.flatMap((state) => (state._tag === "Restarting" ? [state.n] : []))).toEqual([1, 2, 3])
    // it is still there for who asks
    program.put()
    const { connection } = yield* take(supervised)
    yield* call(connection, 1)
    expect(final).toHaveLength(1)
  })
)

it.live("T-19 R-086 a restart has failed, too, when its process is lost within the uptime", () =>
  Effect.gen(function* () {
    const final: Array<TransportError> = []
    const words = listenTo()
    const supervised = yield* supervise(
      { command: "sh", args: ["-c", "echo pid >&2; exit 7"], stderr: words.hear },
      { restart: Restart.eager(2, { onGone: (error) => Effect.sync(() => void final.push(error)) }) }
    )
    yield* take(supervised)
    const { reason } = yield* until(supervised, isGone)
    expect(reason).toMatchObject({ _tag: "Failed", error: { reason: { _tag: "Closed", exit: { code: 7 } } } })
    expect(final).toHaveLength(1)
    expect([...words.text().matchAll(/pid/g)].length).toBe(3)
  })
)

it.live("a program that ends at once is started at a pace, even where no time is too short", () =>
  Effect.gen(function* () {
    const supervised = yield* supervise(
      { command: "sh", args: ["-c", "exit 0"] },
      { restart: Restart.eager(1), uptime: 0 }
    )
    const start = performance.now()
    yield* take(supervised)
    yield* until(supervised, runs(5))
    // three waits, each of 125 ms at the least
    expect(performance.now() - start).toBeGreaterThan(300)
  })
)

it.live("a process that the program lets go of is no crash, and nothing takes its place", () =>
  Effect.gen(function* () {
    const crashes: Array<Crash> = []
    const supervised = yield* supervise(lean(), {
      restart: Restart.eager(3),
      onCrash: (crash) => Effect.sync(() => void crashes.push(crash))
    })
    for (let i = 1; i <= 3; i++) {
      const { connection, leave } = yield* take(supervised)
      yield* call(connection, 1)
      expect(yield* running(supervised)).toMatchObject({ generation: i })
      yield* leave
      expect(yield* supervised.state).toEqual({ _tag: "Gone", reason: { _tag: "Stopped" } })
    }
    expect(crashes).toEqual([])
  })
)

it.live("nothing survives the scope: not the process, not one that was kept, not a restart", () =>
  Effect.gen(function* () {
    const listeners = process.listenerCount("exit")
    const pids: Array<number> = []
    const states: Array<ProcessState> = []
    const program = yield* file
    for (const when of ["used", "kept", "restarting"] as const) {
      program.put()
      const scope = yield* Scope.make()
      const supervised = yield* Scope.provide(
        supervise({ command: program.command }, { restart: Restart.eager(20), uptime: 0 }),
        scope
      )
      const reader = yield* Effect.forkChild(
        Stream.runForEach(supervised.states, (state) => Effect.sync(() => void states.push(state))),
        { startImmediately: true }
      )
      const { connection } = yield* take(supervised)
      const { pid } = yield* running(supervised)
      if (when === "restarting") program.remove()
      if (when !== "used") kill(pid)
      if (when === "kept") pids.push((yield* until(supervised, runs(2))).pid)
      if (when === "restarting")
        yield* until(
          supervised,
          (state): state is ProcessState & { readonly _tag: "Restarting" } => state._tag === "Restarting" && state.n > 1
        )
      pids.push(pid)
      const later = yield* Effect.forkChild(Effect.exit(take(supervised)), { startImmediately: true })
      yield* Scope.close(scope, Exit.void)
      yield* Fiber.join(later)
      yield* Fiber.join(reader)
      expect(yield* Effect.flip(call(connection, 9))).toMatchObject({ reason: { _tag: "Closed" } })
      expect(yield* Effect.flip(take(supervised))).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
      expect(states.at(-1)).toEqual({ _tag: "Gone", reason: { _tag: "Stopped" } })
    }
    for (const pid of pids) yield* gone(pid)
    expect(process.listenerCount("exit")).toBe(listeners)
  })
)

it.live("a reader of the states that is behind loses the oldest", () =>
  Effect.gen(function* () {
    const supervised = yield* supervise(lean())
    const scope = yield* Effect.scope
    const pull = yield* Scope.provide(Stream.toPull(supervised.states), scope)
    expect(yield* pull).toEqual([{ _tag: "Gone", reason: { _tag: "NotStarted" } }])
    for (let i = 0; i < 40; i++) yield* Effect.scoped(supervised.transport)
    const late = yield* pull
    expect(late).toHaveLength(limits.unreadStates)
    expect(late.at(-1)).toEqual({ _tag: "Gone", reason: { _tag: "Stopped" } })
  })
)

it("options that mean nothing throw", () => {
  for (const maxRetries of [-1, 1.5, Number.NaN, Infinity])
    expect(() => Restart.eager(maxRetries)).toThrow("maxRetries")
  for (const healthCheck of [0, -1, Number.NaN]) expect(() => supervise(lean(), { healthCheck })).toThrow("healthCheck")
  expect(() => supervise(lean(), { uptime: -1 })).toThrow("uptime")
})

it("who hears of the end of restarts goes with those that end: elsewhere it does not compile", () => {
  const onGone = () => Effect.void
  expectTypeOf(Restart.eager).toBeCallableWith(1, { onGone })
  expectTypeOf<SuperviseOptions>().not.toHaveProperty("onGone")
  // @ts-expect-error: nothing would ever be told
  const beside: SuperviseOptions = { restart: Restart.lazy, onGone }
  // @ts-expect-error: nor here
  const within: Restart = { _tag: "Lazy", onGone }
  expect([beside.restart?._tag, within._tag]).toEqual(["Lazy", "Lazy"])
})
