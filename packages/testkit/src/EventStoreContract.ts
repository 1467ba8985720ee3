import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Case, casesOf, type Options, type Rule, unique } from "./Case.ts"
import { equal } from "./Mismatch.ts"

export type { Options } from "./Case.ts"

/** One event of a stream; its data may be empty. */
export interface Event {
  readonly id: string
  readonly data: string
}

/** What is on trial: the `EventStore` of `@effective-mcp/transport-http/server`, which says what its members owe. */
export interface EventStore {
  readonly append: (session: string, stream: string, event: Event) => Effect.Effect<void>
  readonly after: (session: string, stream: string, id: string) => Effect.Effect<ReadonlyArray<Event> | undefined>
  readonly forget: (session: string) => Effect.Effect<void>
}

/** A session of its own, and its first two streams, named as the transport names them. */
const names = () => {
  const session = unique()
  return { session, first: `${session}-1`, second: `${session}-2` }
}

/** The n-th event of a stream. */
const event = (stream: string, n: number, data = `"${n}"`): Event => ({ id: `${stream}.${n}`, data })

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)

const rules: ReadonlyArray<Rule<EventStore>> = [
  {
    name: "gives what a stream has said after an event, in order and as often as it is asked",
    check: Effect.fnUntraced(function* (here, there) {
      const { first, second, session } = names()
      // past nine, ids in the order of their letters are in another order
      for (const n of numbers(12)) {
        yield* here.append(session, first, event(first, n))
        yield* here.append(session, second, event(second, n))
      }
      for (const again of ["", ", again"]) {
        yield* equal(
          yield* there.after(session, first, `${first}.8`),
          [9, 10, 11, 12].map((n) => event(first, n)),
          `what comes after the eighth event${again}`
        )
        yield* equal(yield* there.after(session, second, `${second}.12`), [], `what comes after the last event${again}`)
      }
    })
  },
  {
    name: "keeps any text, and none",
    check: Effect.fnUntraced(function* (here, there) {
      const { first, session } = names()
      const texts = ["", '{"text":"\\u0000 \u2028 é 🦜 \\"\'%_"}', "null", " ", `"${"x".repeat(100_000)}"`]
      const events = texts.map((text, i) => event(first, i + 2, text))
      yield* here.append(session, first, event(first, 1, ""))
      for (const one of events) yield* here.append(session, first, one)
      yield* equal(yield* there.after(session, first, `${first}.1`), events, "what comes after the first event")
    })
  },
  {
    name: "knows no event of another session or stream, nor one that never was",
    check: Effect.fnUntraced(function* (here, there) {
      const [one, other] = [names(), names()]
      yield* here.append(one.session, one.first, event(one.first, 1))
      yield* here.append(other.session, other.first, event(other.first, 1))
      const id = `${one.first}.1`
      const strangers = [
        [other.session, one.first, id],
        [one.session, one.second, id],
        [one.session, one.first, `${one.first}.2`],
        [one.session, one.first, `${id}0`],
        [one.session, one.first, ""],
        [one.session, "__proto__", "constructor"],
        ["__proto__", "constructor", id]
      ] as const
      for (const [session, stream, unknown] of strangers) {
        const found = yield* there.after(session, stream, unknown)
        yield* equal(found === undefined, true, `whether ${unknown} in ${stream} of ${session} is undefined`)
      }
    })
  },
  {
    name: "keeps streams apart that say something at the same time",
    check: Effect.fnUntraced(function* (here, there) {
      const { session } = names()
      const streams = numbers(20).map((n) => `${session}-${n}`)
      yield* Effect.forEach(
        streams,
        (stream) => Effect.forEach(numbers(5), (n) => here.append(session, stream, event(stream, n))),
        { concurrency: "unbounded", discard: true }
      )
      for (const stream of streams) {
        const rest = [2, 3, 4, 5].map((n) => event(stream, n))
        yield* equal(yield* there.after(session, stream, `${stream}.1`), rest, `what ${stream} has said`)
      }
    })
  },
  {
    name: "forgets all streams of a session, and no other session",
    check: Effect.fnUntraced(function* (here, there) {
      const { first, second, session } = names()
      // another one whose name begins alike
      const other = { session: `${session}0`, first: `${session}0-1` }
      yield* here.append(session, first, event(first, 1))
      yield* here.append(session, second, event(second, 1))
      yield* here.append(other.session, other.first, event(other.first, 1))
      yield* here.forget(session)
      yield* here.forget(session)
      yield* here.forget(unique())
      for (const stream of [first, second]) {
        const found = yield* there.after(session, stream, `${stream}.1`)
        yield* equal(found === undefined, true, `whether ${stream} is forgotten`)
      }
      yield* equal(yield* there.after(other.session, other.first, `${other.first}.1`), [], "the other session")
    })
  }
]

/**
 * What every event store must do. Names are new each time, so that a store need not be empty; it keeps at least 20
 * streams of 12 events. What it throws away when it is full is its own affair.
 *
 * @example
 * for (const { check, name } of EventStoreContract.cases(make, { shared: true })) it(name, () => Effect.runPromise(check))
 */
export const cases = <R = never>(
  make: Effect.Effect<EventStore, unknown, R>,
  options: Options = {}
): ReadonlyArray<Case<Exclude<R, Scope.Scope>>> => casesOf(rules, make, options)
