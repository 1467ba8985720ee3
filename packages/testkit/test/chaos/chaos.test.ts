import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Host, Peer, type TransportError } from "@effective-mcp/protocol"
import { Faults } from "@effective-mcp/testkit"
import { proxy, type TcpChances } from "@effective-mcp/testkit/tcp"
import { connect } from "@effective-mcp/transport-http/client"
import { connect as connectPlain } from "@effective-mcp/transport-http/client/plain"
import { serve } from "@effective-mcp/transport-http/server"
import { connect as connectSse } from "@effective-mcp/transport-sse/client"
import { serve as serveSse } from "@effective-mcp/transport-sse/server"
import { spawn } from "@effective-mcp/transport-stdio"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { WebSocketServer } from "ws"
import * as WebSocketWire from "../WebSocket.ts"
import { servePlainly } from "./plainServer.ts"
import { counting } from "./server.ts"
import { seed, storm, type Weather } from "./storm.ts"

type Making = Effect.Effect<Weather, unknown, Scope.Scope>

/** A server whose runs are counted here. */
const counted = () => {
  const runs = new Map<string, number>()
  const server: Host = counting((key) => void runs.set(key, (runs.get(key) ?? 0) + 1))
  return { server, ran: (key: string) => runs.get(key) ?? 0 }
}

const overPair: Making = Effect.sync(() => {
  const { ran, server } = counted()
  const chances = { drop: 0.01, delay: 0.05, duplicate: 0.05, half: 0.01, reset: 0.01, blackHole: 0.002, delayMs: 50 }
  const faults = Faults.make({ seed, chances })
  return {
    ran,
    calm: Effect.sync(faults.calm),
    report: faults.report,
    transport: Effect.gen(function* () {
      const [near, far] = yield* faults.pair()
      yield* Effect.forkScoped(Effect.ignore(Peer.host(far, server)))
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

const overHttp: Making = Effect.gen(function* () {
  const { ran, server } = counted()
  const { port } = yield* serve(server, { drainMs: 10 })
  const between = yield* proxy({ port: () => port, seed, chances: broken })
  return { ...between, ran, transport: connect(`http://127.0.0.1:${between.port}/mcp`) }
})

const overSse: Making = Effect.gen(function* () {
  const { ran, server } = counted()
  const { port, url } = yield* serveSse(server, { drainMs: 10 })
  const between = yield* proxy({ port: () => port, seed, chances: broken, events: true })
  const address = new URL(url)
  address.port = String(between.port)
  return { ...between, ran, transport: connectSse(address, { notice: false }) }
})

const overPlain: Making = Effect.gen(function* () {
  const { ran, server } = counted()
  const { port } = yield* servePlainly(server.modern)
  const between = yield* proxy({ port: () => port, seed, chances: broken })
  return { ...between, ran, transport: connectPlain(`http://127.0.0.1:${between.port}/rpc`) }
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
