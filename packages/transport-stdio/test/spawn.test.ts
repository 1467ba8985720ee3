import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { JsonRpc, limits, TransportError } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { type Command, spawn } from "../src/spawn.ts"
import { supervise } from "../src/supervise.ts"
import { call } from "./support/call.ts"
import { drive } from "./support/drive.ts"
import { gone, listenTo } from "./support/processes.ts"
import { program, shell } from "./support/program.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "stdio-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What a child that tells about itself says. */
const describe = (command: Command) =>
  Effect.scoped(
    Effect.gen(function* () {
      const response = yield* call(yield* spawn(command), 1)
      return (JsonRpc.isSuccess(response) ? response.result : {}) as {
        readonly args: ReadonlyArray<string>
        readonly cwd: string
        readonly env: Record<string, string>
      }
    })
  )

/** How long an effect takes, in ms, with what it fails with. */
const timedFailure = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const start = performance.now()
    const error = yield* Effect.flip(effect)
    return { error, ms: performance.now() - start }
  })

it.live("T-01 T-11 C-13 a command alone is enough, and its scope is the life of a connection", () =>
  Effect.gen(function* () {
    const words = listenTo()
    yield* Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* spawn({ ...program("child", "plain"), stderr: words.hear })
        for (const part of ["exchange", "send", "incoming"]) expect(connection).toHaveProperty(part)
        expect(yield* call(connection, 1)).toMatchObject({ id: 1, result: { args: [] } })
      })
    )
    const [, pid] = yield* words.find(/pid (\d+)/)
    yield* gone(Number(pid))
  })
)

it.live("T-10 without a command there is nothing to start", () =>
  Effect.gen(function* () {
    // @ts-expect-error a command is required
    const none: Command = {}
    expect(none).toEqual({})
    const { reason } = yield* Effect.flip(Effect.scoped(spawn({ command: "" })))
    expect(reason._tag).toBe("Unreachable")
  })
)

it.live("T-12 R-013 the environment is laid over this process's or replaces it, and a folder can be set", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const cwd = yield* folder
      const start = program("child", "plain")
      const extended = yield* describe({ ...start, cwd, env: { FIXTURE: "one", HOME: cwd } })
      expect(extended.cwd).toBe(cwd)
      expect(extended.env).toMatchObject({ FIXTURE: "one", HOME: cwd, PATH: process.env.PATH })
      const alone = yield* describe({ ...start, env: { FIXTURE: "two" }, extendEnv: false })
      expect(alone.env).toMatchObject({ FIXTURE: "two" })
      // Deno gives its own programs a PATH, this one or another
      expect(alone.env.PATH).not.toBe(process.env.PATH)
    })
  )
)

it.live("R-013 no shell reads the arguments", () =>
  Effect.gen(function* () {
    const args = ["a b", "$HOME", "`id`", "; exit 1", "*", '"', "'", "\\", "", "é🎉"]
    expect((yield* describe(program("child", "plain", ...args))).args).toEqual(args)
  })
)

it.live("T-13 nothing starts before the effect runs, and each run starts a process of its own", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const words = listenTo()
      const connect = spawn({ ...program("child", "plain"), stderr: words.hear })
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      expect(words.text()).toBe("")
      const [one, other] = yield* Effect.all([connect, connect])
      yield* Effect.forEach([one, other], (connection) => call(connection, 1))
      const [, first, second] = yield* words.find(/pid (\d+)\n[^]*pid (\d+)\n/)
      expect(first).not.toBe(second)
    })
  )
)

it.live("STD-07 R-011 noise on stdout is reported, never more than a little, and the answer still comes", () =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void logged.push(String(message)))
    const answered = (lines: number) =>
      Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* spawn(program("child", "banner", `${lines}`))
          expect(yield* call(connection, 0, "initialize")).toMatchObject({ id: 0 })
          // one more read: what the first owes the log comes after its answers
          yield* call(connection, 1)
        })
      ).pipe(Effect.provide(Logger.layer([logger])))
    yield* answered(7)
    // six lines are no message; the empty one is nothing
    expect(logged).toHaveLength(6)
    expect(logged[0]).toContain("line 1, 17 bytes")
    expect(logged.join()).not.toMatch(/ready|text|level/)

    logged.length = 0
    yield* answered(10_000)
    expect(logged.length).toBeLessThan(25)
  })
)

it.live("STD-08 R-012 a child that logs more than a pipe holds is never kept waiting, whoever listens", () =>
  Effect.gen(function* () {
    let heard = 0
    const hear = (chunk: string): void => {
      heard += chunk.length
      throw new Error("a listener with a bug")
    }
    for (const stderr of ["tail", hear] as const) {
      const start = performance.now()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* spawn({ ...program("child", "logs"), stderr })
          for (let id = 0; id <= 20; id++) expect(yield* call(connection, id)).toMatchObject({ id, result: {} })
        })
      )
      expect(performance.now() - start).toBeLessThan(5_000)
    }
    expect(heard).toBeGreaterThanOrEqual(1024 * 1024 + 21 * 256 * 1024)
  })
)

it.live("STD-08 R-012 its lines are told one by one, and none of them is taken for a failure", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    yield* Effect.scoped(
      Effect.gen(function* () {
        const script = `echo 'Error: fatal' >&2; echo >&2; printf 'no end' >&2; read a; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read b`
        const connection = yield* spawn({ ...shell(script), stderr: { onLine: (line) => void lines.push(line) } })
        expect(yield* call(connection, 1)).toMatchObject({ result: {} })
      })
    )
    expect(lines).toEqual(["Error: fatal", "", "no end"])
  })
)

it.live("STD-08 a child may write to this process's own stderr", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* drive(program("inherits"))
      expect(yield* client.line).toBe("done")
      expect(yield* client.exit).toEqual({ code: 0, signal: null })
      expect(client.stderr().length).toBeGreaterThanOrEqual(1024 * 1024 + 21 * 256 * 1024)
    })
  )
)

it.live("STD-08 the last of stderr is kept, and no more than its limit, without half characters", () =>
  Effect.gen(function* () {
    const stderrOf = (script: string, stderrBytes?: number) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { reason } = yield* Effect.flip(call(yield* spawn({ ...shell(script), stderrBytes }), 1))
          return reason._tag === "Closed" ? reason.stderr : undefined
        })
      )
    const long = yield* stderrOf("head -c 300000 /dev/zero | tr '\\0' x >&2; printf end >&2")
    expect(long).toHaveLength(limits.stderrBytes)
    expect(long).toMatch(/^x+end$/)
    expect(yield* stderrOf("printf 'é—漢🎉' >&2", 5)).toBe("🎉")
    expect(yield* stderrOf("printf 'é—漢🎉' >&2")).toBe("é—漢🎉")
    expect(yield* stderrOf("exit 0")).toBeUndefined()
  })
)

for (const [how, exit] of [
  ["3", { code: 3, signal: null }],
  ["SIGKILL", { code: null, signal: "SIGKILL" }]
] as const) {
  it.live(`STD-09 R-026 a child that dies (${how}) fails all calls at once, with its exit and its last words`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* spawn(program("child", "dies", how))
        let settled = 0
        const calls = Array.from({ length: 12 }, (_, id) =>
          Effect.onExit(Effect.flip(call(connection, id)), () => Effect.sync(() => void (settled += 1)))
        )
        const errors = yield* Effect.all(calls, { concurrency: "unbounded" })
        for (const error of errors) {
          expect(error).toBeInstanceOf(TransportError)
          expect(error.outcome).toBe("Unknown")
          expect(error.reason).toMatchObject({ _tag: "Closed", exit })
          expect(error.reason._tag === "Closed" && error.reason.stderr).toMatch(/boom$/)
        }
        expect(settled).toBe(12)
        const later = yield* timedFailure(call(connection, 99))
        expect(later.error).toMatchObject({ reason: { _tag: "Closed", exit }, outcome: "NotSent" })
        expect(later.ms).toBeLessThan(50)
      })
    )
  )
}

it.live("STD-09 calls fail within a second of the exit, also while something else holds the child's output", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* spawn(shell("sleep 30 & read line; exit 5"))
      const { error, ms } = yield* timedFailure(call(connection, 1))
      expect(error.reason).toMatchObject({ _tag: "Closed", exit: { code: 5, signal: null } })
      expect(ms).toBeLessThan(1_000)
    })
  )
)

it.live("R-025 an answer that came before the exit wins", () =>
  Effect.forEach(
    Array.from({ length: 5 }),
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* spawn(program("child", "last"))
          expect(yield* call(connection, 1)).toMatchObject({ result: { last: true } })
          expect((yield* Effect.flip(call(connection, 2))).reason).toMatchObject({ _tag: "Closed", exit: { code: 0 } })
        })
      ),
    { discard: true }
  )
)

it.live(
  "STD-10 a child that closes its output and stays fails the call within a second, and is ended with the scope",
  () =>
    Effect.gen(function* () {
      const words = listenTo()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const script = `echo pid $$ >&2; read a; echo '{"jsonrpc":"2.0","id":0,"result":{}}'; read b; exec 1>&-; sleep 3600`
          const connection = yield* spawn({ ...shell(script), stderr: words.hear, graceMs: 200 })
          yield* call(connection, 0, "initialize")
          const { error, ms } = yield* timedFailure(call(connection, 1))
          expect(error).toMatchObject({ reason: { _tag: "Closed" }, outcome: "Unknown" })
          expect(error.reason).not.toHaveProperty("exit")
          expect(ms).toBeLessThan(1_000)
        })
      )
      const [, pid] = yield* words.find(/pid (\d+)/)
      yield* gone(Number(pid))
    })
)

it.live("STD-16 T-02 what cannot start is a typed failure within a second that names what is missing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "program")
      writeFileSync(file, "#!/bin/sh\n")
      chmodSync(file, 0o644)
      const listeners = process.listenerCount("exit")
      const failing = (command: Command) => timedFailure(Effect.scoped(spawn(command)))

      const missing = yield* failing({ command: "no-such-program-xyz" })
      expect(missing.error).toMatchObject({ reason: { _tag: "Unreachable", code: "ENOENT" }, outcome: "NotSent" })
      expect(missing.error.message).toContain("no-such-program-xyz")
      const forbidden = yield* failing({ command: file })
      expect(forbidden.error.reason).toMatchObject({ _tag: "Unreachable", code: "EACCES", what: `command ${file}` })
      const nowhere = yield* failing({ ...program("child", "plain"), cwd: join(path, "nowhere") })
      expect(nowhere.error.reason).toMatchObject({ code: "ENOENT", what: `cwd ${join(path, "nowhere")}` })
      const noFolder = yield* failing({ ...program("child", "plain"), cwd: file })
      expect(noFolder.error.reason).toMatchObject({ code: "ENOTDIR", what: `cwd ${file}` })
      for (const { ms } of [missing, forbidden, nowhere, noFolder]) expect(ms).toBeLessThan(1_000)
      expect(process.listenerCount("exit")).toBe(listeners)
    })
  )
)

for (const [what, part] of [
  ["command, which holds a NUL character", { command: "s3cr3t\0" }],
  ["args[2], which holds a NUL character", { args: ["a", "b", "s3cr3t\0"] }],
  ["env KEY, which holds a NUL character", { env: { OTHER: "o", KEY: "s3cr3t\0" } }],
  ['env "a\\u0000b", which holds a NUL character', { env: { "a\0b": "s3cr3t" } }],
  ["cwd, which holds a NUL character", { cwd: "/s3cr3t\0" }],
  // cast: as plain JavaScript may have it
  ["args[0], which is no text", { args: [{ key: "s3cr3t" }] as unknown as ReadonlyArray<string> }]
] as const) {
  it.live(`STD-16 a command that no system takes is refused by the place of what is wrong alone: ${what}`, () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(spawn({ command: "sh", ...part })))
      expect(error).toMatchObject({ reason: { _tag: "Unreachable", what }, outcome: "NotSent" })
      expect(inspect(error, { depth: 9 })).not.toContain("s3cr3t")
    })
  )
}

it.live("R-005 a bound that is no count starts nothing", () =>
  Effect.gen(function* () {
    const listeners = process.listenerCount("exit")
    for (const bound of [
      { messageBytes: 0 },
      { depth: -1 },
      { mailbox: 1.5 },
      { mailboxBytes: 0 },
      { unread: Number.NaN }
    ]) {
      const supervised = yield* supervise({ ...shell("sleep 30"), ...bound })
      for (const connect of [spawn({ ...shell("sleep 30"), ...bound }), supervised.transport]) {
        expect(yield* Effect.exit(Effect.scoped(connect))).toMatchObject({ cause: { reasons: [{ _tag: "Die" }] } })
        expect(process.listenerCount("exit")).toBe(listeners)
      }
    }
  })
)

it.live("STD-16 what cannot start keeps its arguments to itself", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(Effect.scoped(spawn({ command: "no-such-program-xyz", args: ["s3cr3t"] })))
    expect(error.reason).toMatchObject({ _tag: "Unreachable", code: "ENOENT" })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cr3t")
  })
)

it.live("STD-16 a program that exits at once fails the first call with its exit", () =>
  Effect.gen(function* () {
    const first = Effect.scoped(Effect.flatMap(spawn(shell("exit 0")), (connection) => call(connection, 1)))
    const { error, ms } = yield* timedFailure(first)
    expect(error.reason).toMatchObject({ _tag: "Closed", exit: { code: 0, signal: null } })
    expect(ms).toBeLessThan(1_000)
  })
)

it.live("R-031 a notification that cannot be written is a transport failure", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* spawn(shell("exit 7"))
      yield* Effect.flip(call(connection, 1))
      const error = yield* Effect.flip(connection.send(JsonRpc.notification("notifications/initialized")))
      expect(error).toBeInstanceOf(TransportError)
      expect(error).toMatchObject({ reason: { _tag: "Closed", exit: { code: 7 } }, outcome: "NotSent" })
    })
  )
)

it.live("a child that reads no more fails what waits to be sent", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* spawn(shell("sleep 0.3; echo enough >&2; exit 4"))
      const large = JsonRpc.notification("notifications/large", { text: "x".repeat(1024 * 1024) })
      yield* connection.send(large)
      const error = yield* Effect.flip(connection.send(large))
      expect(error).toMatchObject({
        reason: { _tag: "Closed", exit: { code: 4 }, stderr: "enough\n" },
        outcome: "NotSent"
      })
    })
  )
)

it.live("C-14 S-02 a line over the limit fails the connection, and the child is ended with the scope", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* spawn({
        ...shell("read line; head -c 100000 /dev/zero | tr '\\0' x; sleep 30"),
        messageBytes: 10_000,
        graceMs: 100
      })
      const { reason } = yield* Effect.flip(call(connection, 1))
      expect(reason).toEqual({ _tag: "TooLarge", limit: 10_000 })
    })
  )
)

it.live("what a child says outside any exchange is heard, and ends with its exit", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const said = JsonRpc.notification("notifications/tools/list_changed")
      const connection = yield* spawn(shell(`echo '${JSON.stringify(said)}'; exit 2`))
      const heard: Array<unknown> = []
      const reader = yield* Effect.forkChild(
        Effect.flip(
          Stream.runForEach(Stream.fromPull(connection.incoming), (message) =>
            Effect.sync(() => void heard.push(message))
          )
        )
      )
      const { reason } = yield* Effect.timeout(Fiber.join(reader), "5 seconds")
      expect(heard).toEqual([said])
      expect(reason).toMatchObject({ _tag: "Closed", exit: { code: 2 } })
    })
  )
)
