import { TransportContract } from "@effective-mcp/testkit"
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
    const connection = yield* connect(url, { notice: false })
    return { ...connection, goAway: Scope.close(life, Exit.void) }
  })

describe("HTTP+SSE", () => {
  for (const { check, name } of TransportContract.cases(makePair)) it.live(name, () => check)
})
