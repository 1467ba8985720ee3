import { JsonRpc } from "@effective-mcp/protocol"
import { Fixture, TransportContract } from "@effective-mcp/testkit"
import { proxy } from "@effective-mcp/testkit/tcp"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { connect } from "../../src/client/plain.ts"
import { plainly, served } from "./plainServer.ts"

describe("T-01 plain HTTP keeps the transport contract, but for what a server cannot say over it", () => {
  const makePair: TransportContract.MakePair = (fixture) =>
    Effect.gen(function* () {
      const life = yield* Scope.fork(yield* Effect.scope)
      const url = yield* Scope.provide(served(plainly(fixture)), life)
      return { ...(yield* connect(url)), goAway: Scope.close(life, Exit.void) }
    })
  const without = ["hearing", "asking", "announcing"] as const
  // its server has gone
  const nowhere = Effect.flatMap(
    Effect.scoped(Effect.flatMap(Fixture.make, (fixture) => served(plainly(fixture)))),
    (url) => connect(url)
  )
  for (const { check, name } of TransportContract.cases(makePair, { nowhere, without })) {
    it.live(name, () => check)
  }
  it.live("never mixes up a thousand exchanges, whatever their ids are", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Effect.flatMap(Fixture.make, makePair)
      const ids = [0, "", "1", "0", "__proto__", ...Array.from({ length: 1_000 }, (_, i) => i + 1)]
      const answers = yield* Effect.forEach(
        ids,
        (id) => exchange(JsonRpc.request(id, "echo", { id }), () => Effect.void),
        { concurrency: 50 }
      )
      expect(answers).toEqual(ids.map((id) => JsonRpc.success(id, { id })))
    })
  )
})

describe("T-01 plain HTTP, when its wire fails it", () => {
  const makeWire: TransportContract.MakeWire = (fixture) =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      let life = Scope.makeUnsafe()
      let url = ""
      const rise = Effect.gen(function* () {
        life = yield* Scope.fork(scope)
        url = yield* Scope.provide(served(plainly(fixture)), life)
      })
      const crash = Effect.andThen(
        Effect.suspend(() => Scope.close(life, Exit.void)),
        rise
      )
      yield* rise
      const between = yield* proxy({ port: () => Number(new URL(url).port), crash })
      return { ...between, connect: connect(`http://127.0.0.1:${between.port}/rpc`) }
    })
  // it has no sessions
  for (const { check, name } of TransportContract.faultCases(makeWire, { without: ["expire"] })) {
    it.live(name, () => check)
  }
})
