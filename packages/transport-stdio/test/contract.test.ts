import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { JsonRpc, Peer } from "@effective-mcp/protocol"
import { TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { pipe } from "../src/pipe.ts"
import { spawn } from "../src/spawn.ts"
import { program } from "./support/program.ts"

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
  for (const { check, name } of TransportContract.cases(makePair)) it.live(name, () => check)
})

describe("a child process", () => {
  // a process for each case: Node starts twice as fast when it need not compile again
  const command = { ...program("contract"), env: { NODE_COMPILE_CACHE: join(tmpdir(), "effective-mcp-compiled") } }
  const makePair: TransportContract.MakePair = () =>
    Effect.map(spawn(command), (peer) => ({
      ...peer,
      goAway: Effect.ignore(peer.send(JsonRpc.notification("leave")))
    }))
  for (const { check, name } of TransportContract.cases(makePair)) it.live(name, () => check)
})
