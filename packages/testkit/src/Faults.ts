import { type Duplex, limits, TransportError } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { byteLines } from "./byteLines.ts"
import { type BytePipe, cut, type Cutter } from "./BytePipe.ts"
import { makeChoice } from "./faults/choose.ts"
import { frames, lines } from "./faults/matter.ts"
import type { Fault, Fired, Script, When } from "./faults/Rule.ts"
import { wire } from "./faults/wire.ts"
import { type End, type Options as PairOptions, pair } from "./pair.ts"

export type * from "./faults/Rule.ts"

/** A script of faults, and what it has done so far. Rules count over all wires that it wraps, one after the other. */
export interface Faults {
  /**
   * One end of a wire, with the faults. The scope owns it. A reset runs `close` of the duplex, if it has one, so that
   * the other end sees it, too.
   */
  readonly wrap: <D extends Duplex & { readonly close?: Effect.Effect<void> }>(
    duplex: D
  ) => Effect.Effect<D & Duplex, never, Scope.Scope>
  /** The same for bytes: each line is a message and is sent once its newline has come; half a frame is half a line. */
  readonly wrapBytes: (pipe: BytePipe) => Effect.Effect<BytePipe, never, Scope.Scope>
  /** Two ends of a pipe in memory. The first is wrapped: `"in"` and `"out"` are its own; a reset fails both. */
  readonly pair: (options?: PairOptions) => Effect.Effect<readonly [End, End], never, Scope.Scope>
  /**
   * Adds a rule while the wire is in use. It counts from now on, `nth` is 1 where it says nothing, and it comes before
   * all others; in reports the newest is rule 1.
   */
  readonly strike: (fault: Fault, when?: When) => void
  /** From now on only rules strike, and no chances. */
  readonly calm: () => void
  /** The last 1,000 faults that struck, in order. */
  readonly fired: () => ReadonlyArray<Fired>
  /** The seed and what struck, one fault a line: all that is needed to see a failure again. No message's content. */
  readonly report: () => string
  /** Logs the report when the effect fails. */
  readonly explain: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const closed = TransportError.make({ _tag: "Closed" })
const tooLarge = TransportError.make({ _tag: "TooLarge", limit: limits.messageBytes })

const show = ({ at, direction, fault, kind, method }: Fired): string => {
  const { _tag, ...rest } = fault
  const details = Object.entries(rest).map(([name, value]) => ` ${name}=${value}`)
  return `${direction} ${at}: ${_tag}${details.join("")} on a ${kind}${method === undefined ? "" : ` of ${JSON.stringify(method)}`}`
}

/** Fails an end that is not wrapped itself when the wire is reset. */
const failingWith = (end: End, reset: Deferred.Deferred<never, TransportError>): End => ({
  close: end.close,
  incoming: Stream.toPull(Stream.interruptWhen(Stream.fromPull(end.incoming), Deferred.await(reset))),
  send: (message) =>
    Effect.raceFirst(
      end.send(message),
      Effect.mapError(Deferred.await(reset), (error) => error.withOutcome("NotSent"))
    )
})

const LONGEST = limits.messageBytes + 1

/** Whole lines, each with its newline; a last one without stays so. */
const makeLines = (): Cutter<Uint8Array> => {
  const { push, rest } = byteLines(LONGEST)
  return {
    push,
    end: (onLine) => {
      const last = rest()
      if (last.length > 0) onLine(last)
      return true
    }
  }
}

/**
 * Faults for a wire, from a script that is plain data. The same seed, script and messages give the same faults; times
 * are Effect's, so that a test clock rules them. A script that means nothing is a mistake of the author: it throws.
 *
 * @example
 * const faults = Faults.make({ rules: [{ when: { direction: "in", method: "tools/call", nth: 3 }, do: { _tag: "Drop" } }] })
 * const peer = yield* Effect.flatMap(faults.wrap(duplex), Peer.make)
 */
export const make = (script: Script): Faults => {
  const { capacity = 64, seed = 0 } = script
  const choice = makeChoice(script)

  const wrapWith = <D extends Duplex>(duplex: D, hangUp: Effect.Effect<void>) => {
    const pipe = { incoming: Stream.scoped(Stream.fromPull(duplex.incoming)), send: duplex.send }
    return Effect.map(wire(pipe, frames, choice, { capacity, hangUp }), ({ incoming, send }) => ({
      ...duplex,
      incoming: Stream.toPull(incoming),
      send
    }))
  }
  const report = (): string => {
    const idle = choice.idle().map((rule) => `rule ${rule} has met nothing`)
    const title = `seed ${seed}, ${choice.fired.length === 0 ? "no faults" : "faults:"}`
    return [title, ...choice.fired.map(show), ...idle].join("\n  ")
  }
  return {
    wrap: (duplex) => wrapWith(duplex, duplex.close ?? Effect.void),
    wrapBytes: Effect.fnUntraced(function* (pipe) {
      const incoming = cut(pipe.incoming, makeLines, limits.messageBytes)
      const hangUp = pipe.close ?? Effect.void
      const wrapped = yield* wire({ incoming, send: pipe.send }, lines, choice, { capacity, hangUp })
      const { push } = makeLines()
      return {
        ...pipe,
        incoming: wrapped.incoming,
        send: (bytes) =>
          Effect.suspend(() => {
            const whole: Array<Uint8Array> = []
            const isWithin = push(bytes, (line) => whole.push(line))
            const sending = Effect.forEach(whole, wrapped.send, { discard: true })
            return isWithin ? sending : Effect.andThen(sending, Effect.fail(tooLarge))
          })
      }
    }),
    pair: Effect.fnUntraced(function* (options) {
      const [near, far] = yield* pair(options)
      const reset = Deferred.makeUnsafe<never, TransportError>()
      const hangUp = Effect.andThen(Deferred.fail(reset, closed), near.close)
      return [yield* wrapWith(near, hangUp), failingWith(far, reset)] as const
    }),
    strike: (fault, when = {}) => choice.add({ when: { nth: 1, ...when }, do: fault }),
    calm: choice.calm,
    fired: () => [...choice.fired],
    report,
    explain: (effect) => Effect.tapCause(effect, () => Effect.suspend(() => Effect.logError(report())))
  }
}
