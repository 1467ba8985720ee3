import { Client, Tools } from "@effective-mcp/client"
import type { Connection, TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { identity } from "./server.ts"

const { CHAOS_MS = "500", CHAOS_SEED } = process.env

/** `CHAOS_SEED`: where all wires begin, `CHAOS_MS`: how long each storm takes. */
export const seed = CHAOS_SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(CHAOS_SEED)
const stormMs = Number(CHAOS_MS)

/** What a storm needs of a wire. */
export interface Weather {
  readonly transport: Effect.Effect<Connection, TransportError, Scope.Scope>
  /** How often the call with this key has run. */
  readonly ran: (key: string) => number
  /** Has the server die of the next request, and another one take its place. */
  readonly crash?: Effect.Effect<void>
  /** Ends the storm: what is begun anew meets no faults. */
  readonly calm: Effect.Effect<void>
  readonly report: () => string
  /** How long a request waits for its response, in ms; it takes four times as long in all. Default 250. */
  readonly timeoutMs?: number
}

const CALLERS = 16
/** How much later than its time a call may end, on a machine that has other things to do, in ms. */
const SLACK = 2_000

/** One call, and how long it took. */
interface Ending {
  readonly key: string
  readonly exit: Exit.Exit<string, unknown>
  readonly ms: number
}

/** What is wrong about how a call has ended; undefined when nothing is. */
const wrongIn = ({ exit, key, ms }: Ending, ran: number, totalMs: number): string | undefined => {
  if (ms > totalMs + SLACK) return `${key} took ${Math.round(ms)} ms`
  if (ran > 1) return `${key} ran ${ran} times`
  if (Exit.isSuccess(exit)) {
    return exit.value === key && ran === 1 ? undefined : `${key} was answered with ${exit.value}, and ran ${ran} times`
  }
  const [reason] = exit.cause.reasons
  if (reason?._tag !== "Fail") return `${key} ended with no typed error: ${Cause.pretty(exit.cause)}`
  const error = reason.error as { readonly _tag: string; readonly outcome?: string } // cast: errors of a client have both
  return error.outcome !== "Unknown" && ran > 0 ? `${key} fails as ${error._tag}, ${error.outcome}, and ran` : undefined
}

/**
 * Sixteen callers on one client, with recovery on, while things go wrong at random: each call ends in time with a value
 * or a typed error, none runs twice, and none says that it did not run when it did. When it is over, all is well again.
 */
export const storm = Effect.fnUntraced(
  function* (
    weather: Weather,
    era: "modern" | "legacy"
  ): Effect.fn.Return<{ readonly calls: number; readonly answered: number }, unknown, Scope.Scope> {
    const { timeoutMs = 250 } = weather
    const totalMs = timeoutMs * 4
    const life = yield* Scope.fork(yield* Effect.scope)
    const connecting = Client.connect(weather.transport, identity, {
      era,
      probeTimeout: timeoutMs,
      timeout: timeoutMs,
      totalTimeout: totalMs,
      recover: { attempts: 3, totalTimeout: totalMs, uptime: 0 }
    })
    // the first one may meet a fault as well
    const client = yield* Scope.provide(Effect.retry(connecting, { times: 50 }), life)
    const endings: Array<Ending> = []
    const until = performance.now() + stormMs

    const call = (key: string) =>
      Effect.gen(function* () {
        const from = performance.now()
        // some calls are answered with a stream where the wire has such, the others with one text
        const heard = key.length % 2 === 0 ? { onProgress: () => {} } : {}
        const exit = yield* Effect.exit(Effect.map(Tools.call(client, "count", { key }, heard), Tools.text))
        endings.push({ key, exit, ms: performance.now() - from })
        return Exit.isSuccess(exit)
      })
    let wellAt = performance.now()
    const caller = Effect.fnUntraced(function* (who: number) {
      for (let n = 0; performance.now() < until; n++) {
        const isWell =
          n % 4 === 3 ? Exit.isSuccess(yield* Effect.exit(Tools.list(client))) : yield* call(`call ${who}.${n}`)
        if (isWell) wellAt = performance.now()
        // what has become a black hole is noticed by nobody else
        if (performance.now() - wellAt < timeoutMs * 2) continue
        wellAt = performance.now()
        yield* Effect.ignore(client.reconnect)
      }
    })
    yield* Effect.forkScoped(Effect.delay(weather.crash ?? Effect.void, stormMs / 2))
    const callers = Array.from({ length: CALLERS }, (_, who) => caller(who))
    yield* Effect.timeoutOrElse(Effect.all(callers, { concurrency: "unbounded" }), {
      duration: stormMs + 15_000,
      orElse: () => Effect.die(new Error("a caller never came to its end"))
    })
    yield* weather.calm
    // one that was under way already is shared, and may still meet a fault
    yield* Effect.retry(client.reconnect, { times: 5 })
    const isWell = yield* call("in the end")
    yield* Effect.timeout(Scope.close(life, Exit.void), 6_000)
    const wrong = endings.flatMap((ending) => wrongIn(ending, weather.ran(ending.key), totalMs) ?? [])
    if (!isWell) wrong.push("nothing is answered in the end")
    if (wrong.length > 0) {
      const how = `see it again with CHAOS_SEED=${seed}`
      return yield* Effect.die(new Error([how, ...wrong.slice(0, 10), weather.report()].join("\n")))
    }
    return { calls: endings.length, answered: endings.filter(({ exit }) => Exit.isSuccess(exit)).length }
  },
  Effect.provideService(References.MinimumLogLevel, "None")
)
