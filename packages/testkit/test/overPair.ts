import { Peer } from "@effective-mcp/protocol"
import { Faults, TransportContract } from "@effective-mcp/testkit"
import * as Effect from "effect/Effect"

/** A pair in memory on which things go wrong: each run of the transport is a pair of its own. */
export const overPair: TransportContract.MakeWire = (fixture) =>
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

/** It has no session, and nothing in it can die. */
export const without: ReadonlyArray<TransportContract.Strike> = ["expire", "crash"]
