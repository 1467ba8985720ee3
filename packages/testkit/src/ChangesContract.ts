import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Case, casesOf, type Options, type Rule, unique } from "./Case.ts"
import { equal } from "./Mismatch.ts"

export type { Options } from "./Case.ts"

/** A change of a server: that a list is another one, or that a resource holds something else. */
export type Change =
  | { readonly _tag: "ListChanged"; readonly list: "tools" | "resources" | "prompts" }
  | { readonly _tag: "Updated"; readonly uri: string }

/** What is on trial: the `Changes` of `@effective-mcp/server`, which says what its members owe. */
export interface Changes {
  readonly publish: (change: Change) => Effect.Effect<void>
  readonly subscribe: (hear: (change: Change) => void) => Effect.Effect<void, never, Scope.Scope>
}

const updated = (uri: string): Change => ({ _tag: "Updated", uri })
const listChanged = (list: "tools" | "resources" | "prompts"): Change => ({ _tag: "ListChanged", list })

const some = [
  updated("a://b"),
  listChanged("tools"),
  listChanged("resources"),
  listChanged("prompts"),
  updated("é\u2028\u{1f600} '%_\"")
]
const [one, other] = [updated("one://1"), updated("other://1")]

/** Somebody who writes down what they hear, but for marks. */
const listener = () => {
  const heard: Array<Change> = []
  const marks = new Map<string, Deferred.Deferred<void>>()
  return {
    heard,
    hear: (change: Change): void => {
      if (change._tag !== "Updated" || !change.uri.startsWith("mark:")) return void heard.push(change)
      const mark = marks.get(change.uri)
      if (mark !== undefined) Deferred.doneUnsafe(mark, Exit.void)
    },
    /** Completes once the mark has been heard; it has to be asked for before. */
    awaits: (uri: string): Effect.Effect<void> => {
      const mark = Deferred.makeUnsafe<void>()
      marks.set(uri, mark)
      return Deferred.await(mark)
    }
  }
}

type Listener = ReturnType<typeof listener>

/**
 * Waits until these have heard what was published before. A mark comes from each node in turn, so that it comes behind
 * what took a way about the engine, and what comes twice has come.
 */
const settled = (nodes: ReadonlyArray<Changes>, ...listeners: ReadonlyArray<Listener>): Effect.Effect<void> =>
  Effect.forEach(
    nodes,
    (node) => {
      const uri = `mark:${unique()}`
      const all = listeners.map(({ awaits }) => awaits(uri))
      return Effect.andThen(node.publish(updated(uri)), Effect.all(all))
    },
    { discard: true }
  )

const rules: ReadonlyArray<Rule<Changes>> = [
  {
    name: "what one publishes everybody hears once, in order",
    check: Effect.fnUntraced(function* (here, there) {
      const [near, far] = [listener(), listener()]
      yield* here.subscribe(near.hear)
      yield* there.subscribe(far.hear)
      for (const change of some) yield* here.publish(change)
      yield* settled([here, there], near, far)
      yield* equal(near.heard, some, "what one hears")
      yield* equal(far.heard, some, "what the other hears")
    })
  },
  {
    name: "nothing of many is lost",
    check: Effect.fnUntraced(function* (here, there) {
      const { awaits, hear, heard } = listener()
      yield* there.subscribe(hear)
      const many = Array.from({ length: 200 }, (_, n) => updated(`many://${n}`))
      for (const change of many) yield* here.publish(change)
      yield* settled([here, there], { awaits, hear, heard })
      yield* equal(heard, many, "what is heard")
    })
  },
  {
    name: "what was published before is not heard",
    check: Effect.fnUntraced(function* (here, there) {
      const [early, late] = [listener(), listener()]
      yield* there.subscribe(early.hear)
      yield* here.publish(one)
      yield* settled([here, there], early)
      yield* there.subscribe(late.hear)
      yield* here.publish(other)
      yield* settled([here, there], early, late)
      yield* equal(late.heard, [other], "what one hears who came later")
    })
  },
  {
    name: "whoever has left hears nothing, and the others go on",
    check: Effect.fnUntraced(function* (here, there) {
      const [gone, still] = [listener(), listener()]
      const scope = yield* Scope.make()
      yield* Scope.provide(there.subscribe(gone.hear), scope)
      yield* there.subscribe(still.hear)
      yield* Scope.close(scope, Exit.void)
      yield* here.publish(one)
      yield* settled([here, there], still)
      yield* equal(gone.heard, [], "what one hears who has left")
      yield* equal(still.heard, [one], "what the other hears")
    })
  },
  {
    name: "whoever comes back, once all had left, hears again",
    check: Effect.fnUntraced(function* (here, there) {
      const [before, after] = [listener(), listener()]
      const scope = yield* Scope.make()
      yield* Scope.provide(there.subscribe(before.hear), scope)
      yield* Scope.close(scope, Exit.void)
      yield* there.subscribe(after.hear)
      yield* here.publish(one)
      yield* settled([here, there], after)
      yield* equal(after.heard, [one], "what is heard")
    })
  },
  {
    name: "a listener may subscribe twice, and leave once",
    check: Effect.fnUntraced(function* (here, there) {
      const twice = listener()
      const scope = yield* Scope.make()
      yield* Scope.provide(there.subscribe(twice.hear), scope)
      yield* there.subscribe(twice.hear)
      yield* here.publish(one)
      yield* settled([here, there], twice)
      yield* Scope.close(scope, Exit.void)
      yield* here.publish(other)
      yield* settled([here, there], twice)
      yield* equal(twice.heard, [one, one, other], "what is heard")
    })
  },
  { name: "publishing to nobody does no harm", check: (here) => here.publish(one) }
]

/**
 * What every `Changes` must do, whatever it is built on. Nobody else may publish meanwhile.
 *
 * @example
 * for (const { check, name } of ChangesContract.cases(make, { shared: true })) it(name, () => Effect.runPromise(check))
 */
export const cases = <R = never>(
  make: Effect.Effect<Changes, unknown, R>,
  options: Options = {}
): ReadonlyArray<Case<Exclude<R, Scope.Scope>>> => casesOf(rules, make, options)
