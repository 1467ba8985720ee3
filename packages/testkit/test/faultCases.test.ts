import { Peer } from "@effective-mcp/protocol"
import { Faults, TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"

const overPair: TransportContract.MakeWire = (fixture) =>
  Effect.sync(() => {
    const faults = Faults.make({})
    return {
      connect: Effect.gen(function* () {
        const [near, far] = yield* faults.pair()
        yield* Effect.forkScoped(Effect.ignore(Peer.host(far, fixture)))
        return yield* Peer.make(near)
      }),
      strike: (strike, way) =>
        Effect.sync(() =>
          faults.strike(TransportContract.faultOf(strike)!, { direction: way === "request" ? "out" : "in" })
        )
    }
  })

describe("over a pair, when its wire fails it", () => {
  // it has no session, and nothing in it can die
  const without = ["expire", "crash"] as const
  for (const { check, name } of TransportContract.faultCases(overPair, { without })) it.live(name, () => check)
})
