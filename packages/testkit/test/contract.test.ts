import { local, Peer } from "@effective-mcp/protocol"
import { pair, TransportContract } from "@effective-mcp/testkit"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"

describe("in memory, without a wire", () => {
  const without = ["asking", "announcing", "goingAway", "limit", "releasing", "waiting"] as const
  for (const { check, name } of TransportContract.cases(local, { without })) it.live(name, () => check)
})

describe("in memory, as a host", () => {
  // there is no wire to cut, and nothing bounds what it carries
  const without = ["goingAway", "limit", "waiting"] as const
  for (const { check, name } of TransportContract.cases(Peer.local, { without })) it.live(name, () => check)
})

describe("in memory, over a pair", () => {
  const makePair: TransportContract.MakePair = Effect.fnUntraced(function* (fixture) {
    const [near, far] = yield* pair()
    const client = yield* Peer.make(far)
    yield* Effect.forkScoped(Effect.ignore(Peer.serve(client, fixture.on(client))))
    return { ...(yield* Peer.make(near)), goAway: far.close }
  })
  for (const { check, name } of TransportContract.cases(makePair)) it.live(name, () => check)
})

describe("as a host, over a pair", () => {
  const makePair: TransportContract.MakePair = Effect.fnUntraced(function* (fixture) {
    const [near, far] = yield* pair()
    yield* Effect.forkScoped(Effect.ignore(Peer.host(far, fixture)))
    return { ...(yield* Peer.make(near)), goAway: far.close }
  })
  for (const { check, name } of TransportContract.cases(makePair)) it.live(name, () => check)
})
