import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { type Connection, JsonRpc, Peer } from "@effective-mcp/protocol"
import { TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { pipe } from "../src/pipe.ts"
import { spawn } from "../src/spawn.ts"
import { isAlive } from "./support/processes.ts"
import { program } from "./support/program.ts"

// a process for each case: Node starts twice as fast when it need not compile again
const env = { NODE_COMPILE_CACHE: join(tmpdir(), "effective-mcp-compiled") }

describe("lines over a pair of streams", () => {
  const makePair: TransportContract.MakePair = Effect.fnUntraced(function* (fixture) {
    const [there, back] = [new PassThrough(), new PassThrough()]
    const goAway = Effect.sync(() => {
      there.destroy()
      back.destroy()
    })
    yield* Effect.gen(function* () {
      const client = yield* Peer.make(yield* pipe(there, back), { answerMalformed: true })
      yield* Peer.serve(client, fixture.on(client))
    }).pipe(Effect.scoped, Effect.ignore, Effect.ensuring(goAway), Effect.forkScoped)
    return { ...(yield* Peer.make(yield* pipe(back, there))), goAway }
  })
  // a stream in this process hands over what it is given as long as somebody reads it
  for (const { check, name } of TransportContract.cases(makePair, { without: ["waiting"] })) it.live(name, () => check)
})

describe("a child process", () => {
  const command = { ...program("contract"), env }
  const makePair: TransportContract.MakePair = () =>
    Effect.map(spawn(command), (peer) => ({
      ...peer,
      goAway: Effect.ignore(peer.send(JsonRpc.notification("leave")))
    }))
  const nowhere = spawn({ command: "no-such-program-xyz" })
  // Bun writes to a child at once, and a child that reads as quickly leaves nobody waiting
  const without: ReadonlyArray<TransportContract.Ability> = "Bun" in globalThis ? ["waiting"] : []
  for (const { check, name } of TransportContract.cases(makePair, { nowhere, without })) it.live(name, () => check)
})

// most of their time is that of processes that start, and there may be few processors
const two = Semaphore.makeUnsafe(2).withPermits(1)

describe.concurrent("T-01 a child process, when its wire fails it", () => {
  const folder = Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "runs-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const makeWire: TransportContract.MakeWire = Effect.fnUntraced(function* () {
    const file = join(yield* folder, "runs")
    writeFileSync(file, "")
    const pids: Array<number> = []
    let [strikes, peer]: [number, Connection | undefined] = [0, undefined]
    return {
      connect: Effect.tap(spawn({ ...program("faulty", file), env, graceMs: 500 }), (connection) =>
        Effect.gen(function* () {
          const answer = yield* connection.exchange(JsonRpc.request("pid", "pid"), () => Effect.void)
          if (JsonRpc.isSuccess(answer)) pids.push(Number(answer.result.pid))
          peer ??= connection
        })
      ),
      strike: (strike, way) =>
        Effect.suspend(() =>
          peer === undefined
            ? Effect.void
            : peer.exchange(JsonRpc.request(`strike ${++strikes}`, "strike", { strike, way }), () => Effect.void)
        ).pipe(Effect.asVoid),
      ran: (key) =>
        Effect.sync(
          () =>
            readFileSync(file, "utf8")
              .split("\n")
              .filter((ran) => ran === key).length
        ),
      held: Effect.sync(() => pids.filter(isAlive).length)
    }
  })
  // a process has no session that it could forget
  for (const { check, name } of TransportContract.faultCases(makeWire, { without: ["expire"] })) {
    it.live(name, () => two(check))
  }
})
