import { JsonRpc } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { spawn, supervise } from "../src/index.ts"
import { call } from "./support/call.ts"
import { lean } from "./support/lean.ts"
import { gone, isAlive, kill, listenTo, zombies } from "./support/processes.ts"
import { shell } from "./support/program.ts"

/** Ignores the end of its input, and TERM; so does a child of its own, and a child of that. */
const deaf = `trap '' TERM
(trap '' TERM; (trap '' TERM; while :; do sleep 5; done) & echo "pid $!" >&2; while :; do sleep 5; done) &
echo "pid $!" >&2
read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{}}'
echo "pid $$" >&2
while :; do sleep 5; done`

/** Starts one, until all three processes are there; completes with them and what ends them. */
const open = (graceMs?: number) =>
  Effect.gen(function* () {
    const words = listenTo()
    const scope = yield* Effect.acquireRelease(Scope.make(), (own) => Scope.close(own, Exit.void))
    yield* Scope.provide(
      Effect.flatMap(spawn({ ...shell(deaf), stderr: words.hear, graceMs }), (connection) => call(connection, 1)),
      scope
    )
    const [, ...pids] = yield* words.find(/pid (\d+)\n[^]*pid (\d+)\n[^]*pid (\d+)\n/)
    return { pids: pids.map(Number), close: Scope.close(scope, Exit.void) }
  })

it.live("C-16 R-010 50 children that ignore all, with children of their own, are ended at once: none survives", () =>
  Effect.gen(function* () {
    const all = yield* Effect.forEach(Array.from({ length: 50 }), () => open(50), { concurrency: 10 })
    const pids = all.flatMap((one) => one.pids)
    expect(new Set(pids).size).toBe(150)
    expect(pids.filter(isAlive).length).toBe(150)
    const start = performance.now()
    yield* Effect.forEach(all, ({ close }) => close, { concurrency: "unbounded" })
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(pids.filter(isAlive)).toEqual([])
    expect(zombies()).toBe(0)
  })
)

it.live("C-16 R-010 one of them is ended with the waits that are the default: after 4 s", () =>
  Effect.gen(function* () {
    const { close, pids } = yield* open()
    const start = performance.now()
    yield* close
    const ms = performance.now() - start
    expect(ms).toBeGreaterThanOrEqual(3_900)
    expect(ms).toBeLessThan(6_000)
    expect(pids.filter(isAlive)).toEqual([])
  })
)

it.live("STD-08 R-012 one that never stops logging answers as ever, and is ended like any other", () =>
  Effect.gen(function* () {
    let heard = 0
    const flood = `while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done >&2 &`
    const supervised = yield* supervise({
      ...lean({ first: flood }),
      stderr: { onLine: () => void heard++ },
      graceMs: 100
    })
    const connection = yield* supervised.transport
    for (let id = 0; id < 50; id++) expect(yield* call(connection, id, "ping")).toMatchObject({ id, result: {} })
    while (heard < 1_000) yield* Effect.yieldNow
    const state = yield* supervised.state
    const pid = state._tag === "Running" ? state.pid : 0
    kill(pid)
    const { reason } = yield* Effect.flip(call(connection, 99, "hold"))
    expect(reason).toMatchObject({ _tag: "Closed", exit: { signal: "SIGKILL" } })
    expect(reason._tag === "Closed" && reason.stderr?.length).toBeLessThanOrEqual(64 * 1024)
    yield* gone(pid)
  })
)

it.live("STD-07 R-011 one that talks on stdout as well is answered as ever, and so is its successor", () =>
  Effect.gen(function* () {
    const first = `chatter() { echo 'Server v1.2 ready'; echo '[1,2,3]'; echo '"text"'; echo; echo '{"level":"info"}'; }; chatter`
    const supervised = yield* supervise(lean({ first, cases: `*'"die"'*) chatter; exit 3;; *'"chat"'*) chatter;;` }))
    for (const generation of [1, 2]) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* supervised.transport
          yield* connection.send(JsonRpc.notification("chat"))
          expect(yield* call(connection, 1, "ping")).toMatchObject({ id: 1, result: {} })
          expect(yield* supervised.state).toMatchObject({ _tag: "Running", generation })
          expect(yield* Effect.flip(call(connection, 2, "die"))).toMatchObject({
            reason: { _tag: "Closed", exit: { code: 3 } },
            outcome: "Unknown"
          })
        })
      )
    }
  }).pipe(Effect.provide(Logger.layer([])))
)

it.live("R-009 R-026 one that answers after its death is heard by nobody, whose call has long failed", () =>
  Effect.gen(function* () {
    const words = listenTo()
    // something else holds its output, and answers what comes next in its place
    const cases = `*'"late"'*) (trap '' TERM; sleep 0.7; echo '{"jsonrpc":"2.0","id":2,"result":{"late":true}}'; echo said >&2; sleep 5) & exit 4;;`
    const supervised = yield* supervise({ ...lean({ cases }), stderr: words.hear, graceMs: 1_500 })
    const second = yield* Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* supervised.transport
        yield* call(connection, 1, "ping")
        const start = performance.now()
        const error = yield* Effect.flip(call(connection, 2, "late"))
        expect(performance.now() - start).toBeLessThan(700)
        expect(error).toMatchObject({ reason: { _tag: "Closed", exit: { code: 4 } }, outcome: "Unknown" })
        yield* words.find(/said/)
        return yield* Effect.exit(call(connection, 2, "ping"))
      })
    )
    expect(second).toMatchObject({ _tag: "Failure" })
    const connection = yield* supervised.transport
    expect(yield* call(connection, 2, "ping")).toEqual({ jsonrpc: "2.0", id: 2, result: {} })
  })
)
