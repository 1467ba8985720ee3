import { Fixture, TransportContract } from "@effective-mcp/testkit"
import { proxy } from "@effective-mcp/testkit/tcp"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { connect } from "../src/client/index.ts"
import { serve } from "../src/server/index.ts"

/** A client of ours and a server of ours, over a socket. */
const makePair: TransportContract.MakePair = (fixture) =>
  Effect.gen(function* () {
    const life = yield* Scope.fork(yield* Effect.scope)
    const { url } = yield* Scope.provide(serve(fixture, { drainMs: 10 }), life)
    const connection = yield* connect(url, { notices: false })
    return { ...connection, goAway: Scope.close(life, Exit.void) }
  })

describe("HTTP+SSE", () => {
  // its server has gone
  const nowhere = Effect.flatMap(
    Effect.scoped(Effect.flatMap(Fixture.make, (fixture) => serve(fixture, { drainMs: 10 }))),
    ({ url }) => connect(url, { notices: false })
  )
  for (const { check, name } of TransportContract.cases(makePair, { nowhere })) it.live(name, () => check)
})

/** The same over sockets on which things go wrong; a server that dies is another server. */
const makeWire: TransportContract.MakeWire = (fixture) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    let life = Scope.makeUnsafe()
    let at = new URL("http://127.0.0.1")
    const rise = Effect.gen(function* () {
      life = yield* Scope.fork(scope)
      at = new URL((yield* Scope.provide(serve(fixture, { drainMs: 10 }), life)).url)
    }).pipe(Effect.orDie)
    const crash = Effect.andThen(
      Effect.suspend(() => Scope.close(life, Exit.void)),
      rise
    )
    yield* rise
    const between = yield* proxy({ port: () => Number(at.port), crash, events: true })
    const url = new URL(at)
    url.port = String(between.port)
    return { ...between, connect: connect(url, { notices: false }) }
  })

describe("T-01 HTTP+SSE, when its wire fails it", () => {
  // its session is its stream
  for (const { check, name } of TransportContract.faultCases(makeWire, { without: ["expire"] })) {
    it.live(name, () => check)
  }
})
