import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Host, type JsonRpc, Peer, type TransportError } from "@effective-mcp/protocol"
import { Faults } from "@effective-mcp/testkit"
import { proxy, type TcpChances, type TcpOptions } from "@effective-mcp/testkit/tcp"
import { connect } from "@effective-mcp/transport-http/client"
import { connect as connectPlain } from "@effective-mcp/transport-http/client/plain"
import { EventStore, serve } from "@effective-mcp/transport-http/server"
import { connect as connectSse } from "@effective-mcp/transport-sse/client"
import { serve as serveSse } from "@effective-mcp/transport-sse/server"
import { spawn } from "@effective-mcp/transport-stdio"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { WebSocketServer } from "ws"
import * as WebSocketWire from "../WebSocket.ts"
import { servePlainly } from "./plainServer.ts"
import { counting } from "./server.ts"
import { seed, storm, type Weather } from "./storm.ts"

type Making = Effect.Effect<Weather, unknown, Scope.Scope>

/** A server whose runs are counted here. */
const counted = () => {
  const runs = new Map<string, number>()
  const count = (key: string): void => void runs.set(key, (runs.get(key) ?? 0) + 1)
  const server: Host = counting(count)
  return { server, count, ran: (key: string) => runs.get(key) ?? 0 }
}

/** A server for one connection, where what the wire doubles, id and all, counts as one run even if it comes late. */
const countingIds = (count: (key: string) => void): Host => {
  const seen = new Set<JsonRpc.RequestId>()
  return counting((key, id) => {
    if (!seen.has(id)) count(key)
    seen.add(id)
  })
}

const overPair: Making = Effect.sync(() => {
  const { count, ran } = counted()
  const chances = { drop: 0.01, delay: 0.05, duplicate: 0.05, half: 0.01, reset: 0.01, blackHole: 0.002, delayMs: 50 }
  const faults = Faults.make({ seed, chances })
  return {
    ran,
    calm: Effect.sync(faults.calm),
    report: faults.report,
    transport: Effect.gen(function* () {
      const [near, far] = yield* faults.pair()
      yield* Effect.forkScoped(Effect.ignore(Peer.host(far, countingIds(count))))
      return yield* Peer.make(near)
    })
  }
})

const overStdio: Making = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "chaos-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const [runs, flag] = [join(folder, "runs"), join(folder, "storm")]
  for (const file of [runs, flag]) writeFileSync(file, "")
  const child = fileURLToPath(new URL("child.ts", import.meta.url))
  const start = ["Deno" in globalThis ? ["run", "-A"] : [], "--conditions=@effective-mcp/source", child].flat()
  let processes = 0
  return {
    ran: (key) =>
      readFileSync(runs, "utf8")
        .split("\n")
        .filter((ran) => ran === key).length,
    // it is a while before a process answers at all
    timeoutMs: 1_000,
    calm: Effect.sync(() => rmSync(flag)),
    report: () => `seed ${seed}, ${processes} processes, each with the next seed`,
    transport: Effect.suspend(() =>
      spawn({
        command: process.execPath,
        args: [...start, runs, flag, String(seed + processes++)],
        env: { NODE_COMPILE_CACHE: join(tmpdir(), "effective-mcp-compiled") },
        graceMs: 200
      })
    )
  }
})

const broken = { drop: 0.005, delay: 0.05, duplicate: 0.01, half: 0.02, reset: 0.02, blackHole: 0.005, delayMs: 50 }

/** A server on sockets that fail, which dies once in the middle, and what stands before it. */
const failing = Effect.fnUntraced(function* <E>(
  serving: Effect.Effect<{ readonly port: number }, E, Scope.Scope>,
  options: Omit<TcpOptions, "port"> = {}
) {
  const scope = yield* Effect.scope
  let [port, life] = [0, Scope.makeUnsafe()]
  const rise = Effect.gen(function* () {
    life = yield* Scope.fork(scope)
    port = (yield* Scope.provide(serving, life)).port
  }).pipe(Effect.orDie)
  const restart = Effect.andThen(
    Effect.suspend(() => Scope.close(life, Exit.void)),
    rise
  )
  yield* rise
  const between = yield* proxy({ port: () => port, crash: restart, seed, chances: broken, ...options })
  return {
    ...between,
    origin: `http://127.0.0.1:${between.port}`,
    crash: Effect.ignore(between.strike("crash", "request"))
  }
})

const overHttp: Making = Effect.gen(function* () {
  const { ran, server } = counted()
  const events = EventStore.memory()
  const between = yield* failing(serve(server, { drainMs: 10, sessions: { events, retryMs: 20 } }))
  return { ...between, ran, transport: connect(`${between.origin}/mcp`, { reconnect: { delayMs: 20, floorMs: 20 } }) }
})

const overSse: Making = Effect.gen(function* () {
  const { ran, server } = counted()
  const between = yield* failing(serveSse(server, { drainMs: 10 }), { events: true })
  return { ...between, ran, transport: connectSse(`${between.origin}/sse`, { notices: false }) }
})

const overPlain: Making = Effect.gen(function* () {
  const { ran, server } = counted()
  const between = yield* failing(servePlainly(server.modern))
  return { ...between, ran, transport: connectPlain(`${between.origin}/rpc`) }
})

const overWebSocket: Making = Effect.gen(function* () {
  const { ran, server } = counted()
  const listening = yield* Effect.acquireRelease(
    Effect.callback<WebSocketServer, TransportError>((resume) => {
      const sockets = new WebSocketServer({ host: "127.0.0.1", port: 0 })
      sockets.once("listening", () => resume(Effect.succeed(sockets)))
    }),
    (sockets) => Effect.sync(() => sockets.close())
  )
  yield* WebSocketWire.serve(listening, server)
  const address = listening.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const chances: TcpChances = { delay: 0.05, half: 0.005, reset: 0.01, blackHole: 0.002, delayMs: 50 }
  const between = yield* proxy({ port: () => port, seed, chances })
  return { ...between, ran, transport: WebSocketWire.connect(`ws://127.0.0.1:${between.port}`) }
})

const wires: ReadonlyArray<readonly [name: string, era: "modern" | "legacy", Making]> = [
  ["a pair in memory", "modern", overPair],
  ["a child process", "legacy", overStdio],
  ["Streamable HTTP", "modern", overHttp],
  ["Streamable HTTP", "legacy", overHttp],
  ["HTTP+SSE", "legacy", overSse],
  ["plain HTTP", "modern", overPlain],
  ["WebSocket", "modern", overWebSocket]
]

describe("FEA-04 sixteen callers in a storm of faults lose no call and run none twice", () => {
  for (const [name, era, making] of wires) {
    it.live(`${name}, ${era}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { answered, calls } = yield* storm(yield* making, era)
          console.log(`chaos ${name}, ${era}: ${answered} of ${calls} calls answered, seed ${seed}`)
          expect(answered).toBeGreaterThan(0)
        })
      )
    )
  }
})
