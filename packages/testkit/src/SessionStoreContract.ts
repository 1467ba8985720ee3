import type { Snapshot } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Case, casesOf, type Options as Shared, type Rule, unique } from "./Case.ts"
import { equal } from "./Mismatch.ts"

/** What is kept of a session. */
export interface Kept {
  readonly snapshot: Snapshot
  readonly owner?: string
  readonly origin?: string
}

/** What is on trial: the `SessionStore` of `@effective-mcp/transport-http/server`, which says what its members owe. */
export interface SessionStore {
  readonly put: (id: string, kept: Kept, ms: number) => Effect.Effect<void>
  readonly get: (id: string) => Effect.Effect<Kept | undefined>
  readonly remove: (id: string) => Effect.Effect<void>
}

export interface Options extends Shared {
  /** The shortest time that the store can keep something for, in ms: 1,000 where it counts in seconds. Default 100. */
  readonly shortestMs?: number | undefined
  /** Lets so many ms pass for the store. Default: waits for them on the clock of the runtime. */
  readonly wait?: ((ms: number) => Effect.Effect<void>) | undefined
}

const LONG = 60_000

const kept = (revision: string): Kept => ({ snapshot: { revision }, owner: "me" })

const whole: Kept = {
  snapshot: {
    revision: "any",
    client: { name: "c é \u2028 🦜", version: "1", title: "" },
    capabilities: { elicitation: {}, experimental: { "'%_\"": [null, 0, false, "", 1e21] } },
    logLevel: "info",
    subscriptions: ["a://b", "file:///%20"]
  },
  owner: '["https://issuer.example","ada"]',
  origin: "https://app.example.com"
}

const expectNone = (store: SessionStore, id: string, what: string) =>
  Effect.flatMap(store.get(id), (found) => equal(found === undefined, true, `whether ${what} is undefined`))

const rules = (shortestMs: number, wait: (ms: number) => Effect.Effect<void>): ReadonlyArray<Rule<SessionStore>> => [
  {
    name: "gives what was kept last under an id",
    check: Effect.fnUntraced(function* (here, there) {
      const [a, b] = [unique(), unique()]
      yield* expectNone(there, a, "what was never kept")
      yield* here.put(a, kept("1"), LONG)
      yield* here.put(b, kept("2"), LONG)
      yield* equal(yield* there.get(a), kept("1"), "what was kept")
      yield* here.put(a, kept("3"), LONG)
      yield* equal(yield* there.get(a), kept("3"), "what was kept last")
      yield* equal(yield* there.get(b), kept("2"), "what was kept beside it")
    })
  },
  {
    name: "gives all of it, and nothing that was not there",
    check: Effect.fnUntraced(function* (here, there) {
      const [all, least] = [unique(), unique()]
      yield* here.put(all, whole, LONG)
      yield* here.put(least, { snapshot: {} }, LONG)
      yield* equal(yield* there.get(all), whole, "a session with everything")
      yield* equal(yield* there.get(least), { snapshot: {} }, "a session with nothing")
    })
  },
  {
    name: "tells ids apart to the letter",
    check: Effect.fnUntraced(function* (here, there) {
      const id = `${unique()}a`
      yield* here.put(id, kept("1"), LONG)
      const others = [id.toUpperCase(), `${id} `, id.slice(0, -1), `${id}0`, "%", "*", "", "__proto__", "constructor"]
      for (const other of others) yield* expectNone(there, other, `the session "${other}"`)
      yield* equal(yield* there.get(id), kept("1"), "the session itself")
    })
  },
  {
    name: "forgets what was removed, and nothing else",
    check: Effect.fnUntraced(function* (here, there) {
      const [a, b] = [unique(), unique()]
      yield* here.put(a, kept("1"), LONG)
      yield* here.put(b, kept("2"), LONG)
      yield* equal(yield* there.get(a), kept("1"), "what was kept")
      yield* here.remove(a)
      yield* here.remove(a)
      yield* here.remove(unique())
      yield* expectNone(there, a, "what was removed")
      yield* equal(yield* there.get(b), kept("2"), "what was kept beside it")
      yield* here.put(a, kept("3"), LONG)
      yield* equal(yield* there.get(a), kept("3"), "what was kept after that")
    })
  },
  {
    name: "forgets what its time is over for, counted from when it was kept last",
    check: Effect.fnUntraced(function* (here, there) {
      const [brief, long, renewed, cut] = [unique(), unique(), unique(), unique()]
      yield* here.put(brief, kept("1"), shortestMs)
      yield* here.put(long, kept("2"), LONG)
      yield* here.put(renewed, kept("3"), shortestMs)
      yield* here.put(renewed, kept("3"), LONG)
      yield* here.put(cut, kept("4"), LONG)
      yield* here.put(cut, kept("4"), shortestMs)
      yield* wait(2 * shortestMs)
      yield* expectNone(there, brief, "what its time is over for")
      yield* expectNone(there, cut, "what was kept again, for a shorter time")
      yield* equal(yield* there.get(long), kept("2"), "what is to be kept for longer")
      yield* equal(yield* there.get(renewed), kept("3"), "what was kept again, for longer")
    })
  }
]

/**
 * What every session store must do. Ids are new each time, so that a store need not be empty.
 *
 * @example
 * for (const { check, name } of SessionStoreContract.cases(make, { shared: true })) it(name, () => Effect.runPromise(check))
 */
export const cases = <R = never>(
  make: Effect.Effect<SessionStore, unknown, R>,
  { shared, shortestMs = 100, wait = Effect.sleep }: Options = {}
): ReadonlyArray<Case<Exclude<R, Scope.Scope>>> => casesOf(rules(shortestMs, wait), make, { shared })
