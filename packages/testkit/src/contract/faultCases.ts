import type { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { type Case, inTime } from "../Case.ts"
import { type Fixture, make as makeFixture } from "../Fixture.ts"
import { equal, transportErrorOf } from "../Mismatch.ts"
import { callOf, endOf, expectService, type FaultClause, promptly } from "./Blow.ts"
import { deaf } from "./Clause.ts"
import { striking } from "./striking.ts"
import type { Strike, Wire } from "./Wire.ts"

/** Hosts the fixture on a wire on which things can go wrong; its scope is the life of the server and of the wire. */
export type MakeWire<R = never> = (fixture: Fixture) => Effect.Effect<Wire, TransportError, Scope.Scope | R>

export interface FaultOptions {
  /** What cannot be made to happen on this wire: its cases are there, under a name that says that they do not apply. */
  readonly without?: ReadonlyArray<Strike> | undefined
  /**
   * Whether the transport comes back to what it was being told when its wire broke, so that calls which have said something
   * are answered after all. Default false.
   */
  readonly resumes?: boolean | undefined
}

/** A case about one fault. */
export interface FaultCase<R = never> extends Case<R> {
  /** False where the wire is `without` the fault: the name says so as well, and there is nothing to check. */
  readonly applies: boolean
}

/** Waits until the transport holds nothing any more. */
const letsGo = (held: Effect.Effect<number, unknown>): Effect.Effect<void, unknown> =>
  Effect.flatMap(held, (left) => (left === 0 ? Effect.void : Effect.andThen(Effect.sleep(10), letsGo(held))))

/** Whatever has happened: the scope closes soon, twice does no harm, nothing is left, and the transport runs once more. */
const afterwards = Effect.fnUntraced(function* (
  wire: Wire,
  peer: Effect.Success<Wire["connect"]>,
  life: Scope.Closeable
) {
  const release = promptly(Scope.close(life, Exit.void), "the end of the scope")
  yield* release
  const closed = yield* endOf(peer.exchange(callOf("closed"), deaf), "a call after the end of the scope")
  const { outcome } = yield* transportErrorOf(closed, "a call after the end of the scope")
  yield* equal(outcome, "NotSent", "the outcome of a call after the end of the scope")
  yield* release
  yield* wire.heal ?? Effect.void
  if (wire.held !== undefined) yield* promptly(letsGo(wire.held), "what the transport has let go of")
  const fresh = Effect.flatMap(wire.connect, (next) => expectService(next, "fresh"))
  yield* promptly(Effect.scoped(fresh), "another run of the transport")
})

/** Wires that break are told of, as they should be; nobody needs to read it. */
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

const checkOf = <R>(clause: FaultClause, makeWire: MakeWire<R>, resumes: boolean) =>
  Effect.gen(function* () {
    const fixture = yield* makeFixture
    const wire = yield* makeWire(fixture)
    const life = yield* Scope.fork(yield* Effect.scope)
    const after: Array<Effect.Effect<void, unknown>> = []
    const peer = yield* Scope.provide(wire.connect, life)
    yield* clause.check({
      peer,
      resumes,
      connect: wire.connect,
      strike: wire.strike,
      ran: wire.ran ?? ((key) => Effect.sync(() => fixture.ran(key))),
      after: (check) => void after.push(check)
    })
    yield* afterwards(wire, peer, life)
    yield* Effect.all(after)
  })

/**
 * What a transport owes when its wire fails it, case by case. Each fault strikes a live exchange, and then: everything
 * settles in bounded time, with an answer of its own or a `TransportError` whose outcome is true of what the server has
 * run; no call runs twice; the scope closes in bounded time and leaves nothing; the transport can be run anew.
 *
 * @example
 * for (const { name, check } of TransportContract.faultCases(makeWire, { without: ["expire"] })) it.live(name, () => check)
 */
export const faultCases = <R = never>(
  makeWire: MakeWire<R>,
  { resumes = false, without = [] }: FaultOptions = {}
): ReadonlyArray<FaultCase<Exclude<R, Scope.Scope>>> =>
  striking.map((clause) => {
    const missing = clause.needs.find((strike) => without.includes(strike))
    return missing === undefined
      ? {
          name: clause.name,
          applies: true,
          check: checkOf(clause, makeWire, resumes).pipe(Effect.scoped, inTime, quietly)
        }
      : { name: `does not apply (no ${missing}): ${clause.name}`, applies: false, check: Effect.void }
  })
