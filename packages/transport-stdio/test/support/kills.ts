import { Client, Tools } from "@effective-mcp/client"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { type Restart, supervise } from "../../src/index.ts"
import { lean, result } from "./lean.ts"
import { gone, kill, zombies } from "./processes.ts"

/** What became of calls whose process was killed. */
export interface Tally {
  kills: number
  calls: number
  values: number
  /** Failures by their tag and what was sent. */
  readonly errors: Map<string, number>
  /** Calls that had neither a value nor a typed error 1 s after the kill. */
  late: number
  /** Calls of tools that reached more than one process, or one twice. */
  repeated: number
  /** How long after its kill the last call of a process ended, at the most, in ms. */
  slowestMs: number
  /** Killed processes that nobody has taken note of. */
  zombies: number
  processes: number
}

const AT_ONCE = 16
/** A kill comes so late after the calls at the most, mostly sooner, in ms. */
const WITHIN_MS = 12
const LATE_MS = 1_000

/** Takes down each call of a tool by its name; those whose name ends in `hold` are never answered. */
const cases = `*'"tools/call"'*) n=\${line#*'"name":"'}; n=\${n%%'"'*}; echo "got $n" >&2
  case $n in *hold) ;; *) ${result(`{"content":[]}`)};; esac;;`

/** Kills a supervised process again and again, at a moment that is left to chance, under 16 calls of one client. */
export const killing = Effect.fnUntraced(function* (
  times: number,
  restart: Restart,
  onRound: (tally: Tally) => void = () => {}
) {
  const tally: Tally = {
    kills: 0,
    calls: 0,
    values: 0,
    errors: new Map(),
    late: 0,
    repeated: 0,
    slowestMs: 0,
    zombies: 0,
    processes: 0
  }
  const pids = new Set<number>()
  const got = new Set<string>()
  const onLine = (line: string): void => {
    if (!line.startsWith("got ")) return
    if (got.has(line)) tally.repeated += 1
    got.add(line)
  }
  const round = Effect.fnUntraced(function* (client: Client.Client, pid: number, n: number) {
    const use = (at: number): Effect.Effect<unknown, { readonly _tag: string; readonly outcome?: string }> => {
      // what may be sent again is, to the next process
      if (at % 4 === 0) return Tools.list(client)
      return Tools.call(client, `${n}-${at}${at % 4 === 1 ? "hold" : ""}`)
    }
    const calls = yield* Effect.forEach(Array.from({ length: AT_ONCE }), (_, at) =>
      Effect.forkChild(Effect.result(use(at)), { startImmediately: true })
    )
    yield* Effect.sleep((yield* Random.next) ** 2 * WITHIN_MS)
    const killed = performance.now()
    kill(pid)
    tally.kills += 1
    yield* Effect.forEach(
      calls,
      (call) =>
        Effect.map(Effect.timeoutOption(Fiber.join(call), LATE_MS), (ended) => {
          tally.calls += 1
          if (ended._tag === "None") tally.late += 1
          else if (ended.value._tag === "Success") tally.values += 1
          else {
            const { _tag, outcome } = ended.value.failure
            const what = `${_tag} ${outcome}`
            tally.errors.set(what, (tally.errors.get(what) ?? 0) + 1)
          }
        }),
      { concurrency: "unbounded" }
    )
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - killed)
  })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const supervised = yield* supervise({ ...lean({ cases }), stderr: { onLine } }, { restart, uptime: 0 })
      const client = yield* Client.connect(
        supervised.transport,
        { name: "killer", version: "1.0.0" },
        { era: "legacy", recover: { uptime: 0 } }
      )
      for (let n = 1; n <= times; n++) {
        yield* Tools.list(client)
        const state = yield* supervised.state
        const pid = state._tag === "Running" ? state.pid : undefined
        if (pid === undefined) return yield* Effect.die(new Error(`no process after an answer: ${state._tag}`))
        pids.add(pid)
        yield* round(client, pid, n)
        onRound(tally)
      }
    })
  )
  for (const pid of pids) yield* gone(pid)
  tally.processes = pids.size
  tally.zombies = zombies()
  return tally
})
