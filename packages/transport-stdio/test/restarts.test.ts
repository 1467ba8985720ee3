import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, type ConnectError, NotOffered, Subscriptions, Tools } from "@effective-mcp/client"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Command, Restart, spawn, supervise } from "../src/index.ts"
import { lean, modern, result } from "./support/lean.ts"
import { gone, isAlive, kill, listenTo } from "./support/processes.ts"

const info = { name: "restarts", version: "1.0.0" }
const soon: Client.Options = { recover: { uptime: 0, attempts: 2 } }

/** Every way to a process that is started again. */
const ways = [
  ["spawn", (command: Command) => Effect.succeed(spawn(command))],
  ["lazy", (command: Command) => Effect.map(supervise(command), ({ transport }) => transport)],
  [
    "eager",
    (command: Command) =>
      Effect.map(supervise(command, { restart: Restart.eager(3), uptime: 0 }), ({ transport }) => transport)
  ]
] as const

/** What a child says, and the pids of all that have been started. */
const listening = () => {
  const words = listenTo()
  return { ...words, pids: () => [...words.text().matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid)) }
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "restarts-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Keeps count of its starts in a file: `$n` is 1 in the first process. */
const counting = Effect.map(
  folder,
  (path) => `n=$(($(cat '${path}/n' 2>/dev/null || echo 0) + 1)); echo $n > '${path}/n'`
)

/** The next change of a subscription, until the scope of the test ends. */
const subscribe = Effect.fnUntraced(function* (client: Client.Client) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const changes = Stream.rechunk(Subscriptions.listen(client, { toolsListChanged: true }), 1)
  const pull = yield* Scope.provide(Stream.toPull(changes), scope)
  const next = Effect.timeout(
    Effect.map(pull, ([{ _tag }]) => _tag),
    "10 seconds"
  )
  return { next, leave: Effect.exit(Effect.void).pipe(Effect.flatMap((exit) => Scope.close(scope, exit))) }
})

for (const [way, reach] of ways) {
  it.live(`R-001 R-006 a process that was killed is started once for all who ask at the same time: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const transport = yield* reach({ ...lean(), stderr: words.hear })
      const client = yield* Client.connect(transport, info, { ...soon, era: "legacy" })
      yield* words.find(/pid/)
      for (let starts = 2; starts <= 4; starts++) {
        const pid = words.pids().at(-1)!
        kill(pid)
        yield* gone(pid)
        yield* Effect.forEach(Array.from({ length: 16 }), () => Tools.list(client), { concurrency: 16 })
        yield* words.find(new RegExp(`(pid \\d+\\n[^]*){${starts}}`))
        expect(words.pids().length).toBe(starts)
        expect(words.pids().filter(isAlive).length).toBe(1)
      }
    })
  )

  it.live(`what is asked right after a line that was too long is asked of the next process: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const cases = `*'"long"'*) printf '%020000d' 0;;`
      const transport = yield* reach({ ...lean({ cases }), stderr: words.hear, messageBytes: 10_000 })
      const client = yield* Client.connect(transport, info, { ...soon, era: "legacy" })
      expect(yield* Effect.flip(Tools.call(client, "long"))).toMatchObject({ reason: { _tag: "TooLarge" } })
      yield* Tools.call(client, "next")
      yield* words.find(/(pid \d+\n[^]*){2}/)
    })
  )

  it.live(`R-005 a process that cannot be come to terms with is not left, and why is told as it was said: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const cases = `*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32099,"message":"not today"}}';;`
      const transport = yield* reach({ ...lean({ cases }), stderr: words.hear })
      const connect: Effect.Effect<unknown, ConnectError, Scope.Scope> = Client.connect(transport, info, {
        era: "legacy"
      })
      for (let i = 0; i < 3; i++) {
        const error = yield* Effect.flip(connect)
        expect(error).toMatchObject({ _tag: "RpcError", code: -32099, message: "not today" })
        expect(words.pids().filter(isAlive)).toEqual([])
      }
    })
  )

  it.live(
    `R-008 a server that dies of being asked what it speaks is started again, and what it speaks is its own: ${way}`,
    () =>
      Effect.gen(function* () {
        const words = listening()
        const transport = yield* reach({ ...lean({ cases: `*'"server/discover"'*) exit 1;;` }), stderr: words.hear })
        const client = yield* Client.connect(transport, info, soon)
        expect(client.era).toBe("legacy")
        yield* Tools.list(client)
        yield* words.find(/(pid \d+\n[^]*){2}/)
        expect(words.pids().filter(isAlive).length).toBe(1)
      })
  )

  it.live(
    `R-008 R-023 a process of another era is spoken with in its own, and gets nothing that was meant for the one before: ${way}`,
    () =>
      Effect.gen(function* () {
        const words = listening()
        const first = yield* counting
        const cases = `${modern("[ $n = 1 ]")}
        *'"tools/call"'*) echo "call $n: $line" >&2; case $line in *stuck*) ;; *) ${result(`{"resultType":"complete","content":[]}`)};; esac;;`
        const transport = yield* reach({ ...lean({ first, cases }), stderr: words.hear })
        const client = yield* Client.connect(transport, info, soon)
        expect(client.era).toBe("modern")
        const stuck = yield* Effect.forkChild(Effect.flip(Tools.call(client, "stuck")), { startImmediately: true })
        yield* words.find(/call 1/)
        kill(words.pids()[0]!)
        expect(yield* Fiber.join(stuck)).toMatchObject({
          reason: { _tag: "Closed", exit: { signal: "SIGKILL" } },
          outcome: "Unknown"
        })
        yield* Tools.call(client, "next")
        expect(client.era).toBe("legacy")
        const [, call = ""] = yield* words.find(/call 2: (.*)\n/)
        expect(call).toContain('"next"')
        expect(call).not.toContain("2026-07-28")
        expect(words.text().match(/stuck/g)?.length).toBe(1)
      })
  )

  it.live(`a modern process in place of a legacy one may end when it is greeted as that: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const first = yield* counting
      const cases = `${modern("[ $n -gt 1 ]")}
      *'"initialize"'*) if [ $n -gt 1 ]; then exit 2; fi; ${result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`)};;
      *'"tools/list"'*) ${result(`{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`)};;`
      const transport = yield* reach({ ...lean({ first, cases }), stderr: words.hear })
      const client = yield* Client.connect(transport, info, soon)
      expect(client.era).toBe("legacy")
      yield* words.find(/pid/)
      kill(words.pids()[0]!)
      yield* gone(words.pids()[0]!)
      yield* Tools.list(client)
      expect(client.era).toBe("modern")
      yield* words.find(/(pid \d+\n[^]*){3}/)
      expect(words.pids().filter(isAlive).length).toBe(1)
    })
  )

  it.live(`R-082 R-083 R-085 a subscription is asked for again at once, and ended where it is: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const transport = yield* reach({ ...lean({ cases: modern() }), stderr: words.hear })
      const client = yield* Client.connect(transport, info, soon)
      const { leave, next } = yield* subscribe(client)
      expect(yield* next).toBe("Listening")
      const [, id, pid] = yield* words.find(/listen (\d+) by (\d+)/)
      kill(Number(pid))
      expect(yield* next).toBe("Listening")
      expect(yield* next).toBe("Missed")
      const [, newId, newPid] = yield* words.find(/listen [^]*listen (\d+) by (\d+)/)
      expect(newId).not.toBe(id)
      expect(newPid).not.toBe(pid)
      yield* leave
      yield* words.find(/cancel/)
      expect(words.text().match(/cancel.*/g)).toEqual([`cancel ${newId} by ${newPid}`])
    })
  )

  it.live(`R-086 a subscription ends with its process that was not up for 5 s, and with how that ended: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const transport = yield* reach({ ...lean({ cases: modern() }), stderr: words.hear })
      const client = yield* Client.connect(transport, info)
      const { next } = yield* subscribe(client)
      expect(yield* next).toBe("Listening")
      yield* words.find(/listen/)
      kill(words.pids()[0]!)
      const error = yield* Effect.flip(next)
      expect(error).toMatchObject({ reason: { _tag: "Closed", exit: { signal: "SIGKILL" } } })
      expect(words.text().match(/listen/g)?.length).toBe(1)
      // whoever asks for something has it started
      yield* client.ping().pipe(Effect.ignore)
      const { next: again } = yield* subscribe(client)
      expect(yield* again).toBe("Listening")
    })
  )

  it.live(`R-087 a subscription ends when a legacy server takes the place of a modern one: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const first = yield* counting
      const transport = yield* reach({ ...lean({ first, cases: modern("[ $n = 1 ]") }), stderr: words.hear })
      const client = yield* Client.connect(transport, info, soon)
      const { next } = yield* subscribe(client)
      expect(yield* next).toBe("Listening")
      yield* words.find(/listen/)
      kill(words.pids()[0]!)
      expect(yield* Effect.flip(next)).toBeInstanceOf(NotOffered)
      expect(client.era).toBe("legacy")
      expect(words.text().match(/listen/g)?.length).toBe(1)
    })
  )

  it.live(`R-088 a subscription ends with why its process cannot be started again: ${way}`, () =>
    Effect.gen(function* () {
      const words = listening()
      const file = join(yield* folder, "server")
      writeFileSync(file, `#!/bin/sh\n${lean({ cases: modern() }).args[1]}\n`)
      chmodSync(file, 0o755)
      const transport = yield* reach({ command: file, stderr: words.hear })
      const client = yield* Client.connect(transport, info, soon)
      const { next } = yield* subscribe(client)
      expect(yield* next).toBe("Listening")
      yield* words.find(/listen/)
      rmSync(file)
      kill(words.pids()[0]!)
      expect(yield* Effect.flip(next)).toMatchObject({
        _tag: "TransportError",
        reason: { _tag: "Unreachable", code: "ENOENT" },
        outcome: "NotSent"
      })
    })
  )
}

it.live("R-003 a process that the program has started itself is the one that is come to terms with", () =>
  Effect.gen(function* () {
    const words = listening()
    const supervised = yield* supervise({ ...lean(), stderr: words.hear })
    yield* supervised.transport
    yield* words.find(/pid/)
    const client = yield* Client.connect(supervised.transport, info, { era: "legacy" })
    yield* Tools.list(client)
    expect(words.pids().length).toBe(1)
    yield* client.close
    // it is still the program's
    expect(words.pids().filter(isAlive).length).toBe(1)
  })
)

it.live("R-014 a call has one result, whatever is reported before it and said after it", () =>
  Effect.gen(function* () {
    const report = (progress: number) =>
      `echo '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'"$id"',"progress":${progress}}}'`
    const answer = (text: string) => result(`{"content":[{"type":"text","text":"${text}"}]}`)
    const cases = `*'"tools/call"'*) ${report(1)}; ${report(2)}; ${answer("first")}; ${answer("second")}; ${report(3)};;`
    const client = yield* Client.connect(spawn(lean({ cases })), info, { era: "legacy" })
    const heard: Array<number> = []
    const results: Array<unknown> = []
    yield* Effect.tap(
      Tools.call(client, "report", {}, { onProgress: ({ progress }) => void heard.push(progress) }),
      (called) => Effect.sync(() => void results.push(called))
    )
    yield* Tools.list(client)
    expect(heard).toEqual([1, 2])
    expect(results).toEqual([{ content: [{ type: "text", text: "first" }] }])
  })
)
