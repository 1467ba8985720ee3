import { type Connection, JsonRpc, limits, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { type Case, inTime } from "./Case.ts"
import { asking } from "./contract/asking.ts"
import { carrying } from "./contract/carrying.ts"
import { type Ability, type Clause, deaf } from "./contract/Clause.ts"
import { hearing } from "./contract/hearing.ts"
import { leaving } from "./contract/leaving.ts"
import { type Fixture, make as makeFixture } from "./Fixture.ts"
import { equal, Mismatch, transportErrorOf } from "./Mismatch.ts"

export type { Case } from "./Case.ts"
export type { Ability } from "./contract/Clause.ts"
export { faultOf } from "./contract/faultOf.ts"
export { type FaultCase, faultCases, type FaultOptions, type MakeWire } from "./contract/faultCases.ts"
export type { Strike, Way, Wire } from "./contract/Wire.ts"

/** A connection to the fixture. */
export interface Pair extends Connection {
  /** Cuts the wire from the other side, as a server that dies does. */
  readonly goAway?: Effect.Effect<unknown>
}

/**
 * Hosts the fixture behind the transport on trial, and connects to it; its scope is the life of both. A transport with
 * a way back to its client hosts `fixture.on(client)`.
 */
export type MakePair<R = never> = (fixture: Fixture) => Effect.Effect<Pair, TransportError, Scope.Scope | R>

export interface Options<R = never> {
  /** What this wire cannot do; the cases that need it are left out. */
  readonly without?: ReadonlyArray<Ability> | undefined
  /** The longest message that the wire carries, in bytes. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** The transport, led to where nobody is. With it one more case looks at how it fails: as `Unreachable`, with nothing sent. */
  readonly nowhere?: Effect.Effect<Connection, TransportError, Scope.Scope | R> | undefined
}

const clauses: ReadonlyArray<Clause> = [...carrying, ...hearing, ...leaving, ...asking]

const noGoAway = Effect.suspend(() =>
  Effect.fail(
    new Mismatch({ what: "the pair", expected: 'a goAway, or the option `without: ["goingAway"]`', actual: "neither" })
  )
)

/** Whether it finds out when it is run or when it is first used, nothing was sent. */
const unreachable = <R>(nowhere: Effect.Effect<Connection, TransportError, Scope.Scope | R>): Case<R> => ({
  name: "where nobody is, nothing is sent",
  check: Effect.gen(function* () {
    const exit = yield* Effect.exit(
      Effect.flatMap(nowhere, ({ exchange }) => exchange(JsonRpc.request(1, "echo"), deaf))
    )
    const { outcome, reason } = yield* transportErrorOf(exit, "a request to nobody")
    yield* equal([reason._tag, outcome], ["Unreachable", "NotSent"], "how a request to nobody fails")
  }).pipe(Effect.scoped, inTime)
})

/**
 * The transport contract, case by case.
 *
 * @example
 * for (const { name, check } of TransportContract.cases(makePair)) it.live(name, () => check)
 */
export const cases = <R = never>(makePair: MakePair<R>, options: Options<R> = {}): ReadonlyArray<Case<R>> => {
  const { messageBytes = limits.messageBytes, nowhere, without = [] } = options
  const kept = clauses
    .filter(({ needs }) => needs === undefined || !without.includes(needs))
    .map(({ check, logs = false, name }) => ({
      name,
      check: Effect.gen(function* () {
        const scope = yield* Scope.fork(yield* Effect.scope)
        const peer = yield* Scope.provide(Effect.flatMap(makeFixture, makePair), scope)
        const goAway = peer.goAway === undefined ? noGoAway : Effect.asVoid(peer.goAway)
        yield* check({ peer, goAway, release: Scope.close(scope, Exit.void), messageBytes })
      }).pipe(Effect.scoped, inTime, logs ? Effect.provideService(References.MinimumLogLevel, "None") : identity)
    }))
  return nowhere === undefined ? kept : [...kept, unreachable(nowhere)]
}
