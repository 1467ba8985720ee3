import { Changes } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

/** A `Changes` to try, and when what was published must have been heard. */
export interface Tried {
  readonly changes: Changes.Changes
  readonly settled: Effect.Effect<void>
}

const expectEqual = (what: string, actual: unknown, expected: unknown): Effect.Effect<void> =>
  JSON.stringify(actual) === JSON.stringify(expected)
    ? Effect.void
    : Effect.die(new Error(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`))

const listener = () => {
  const heard: Array<Changes.Change> = []
  return { heard, hear: (change: Changes.Change): void => void heard.push(change) }
}

type Case = (tried: Tried) => Effect.Effect<void, never, Scope.Scope>

const some = [Changes.updated("a://b"), Changes.listChanged("tools"), Changes.updated("é\u2028\u{1f600}")]

/** What any `Changes` must do, whatever it is built on: each case takes a fresh one. */
export const cases: { readonly [rule: string]: Case } = {
  "what one publishes everybody hears, in order": Effect.fnUntraced(function* ({ changes, settled }) {
    const [one, two] = [listener(), listener()]
    yield* changes.subscribe(one.hear)
    yield* changes.subscribe(two.hear)
    for (const change of some) yield* changes.publish(change)
    yield* settled
    yield* expectEqual("the first heard", one.heard, some)
    yield* expectEqual("the second heard", two.heard, some)
  }),
  "what was published before is not heard": Effect.fnUntraced(function* ({ changes, settled }) {
    const { hear, heard } = listener()
    yield* changes.publish(some[0]!)
    yield* settled
    yield* changes.subscribe(hear)
    yield* changes.publish(some[1]!)
    yield* settled
    yield* expectEqual("heard", heard, [some[1]])
  }),
  "whoever has left hears nothing, and the others go on": Effect.fnUntraced(function* ({ changes, settled }) {
    const [one, two] = [listener(), listener()]
    const scope = yield* Scope.make()
    yield* Scope.provide(changes.subscribe(one.hear), scope)
    yield* changes.subscribe(two.hear)
    yield* Scope.close(scope, Exit.void)
    yield* changes.publish(some[0]!)
    yield* settled
    yield* expectEqual("the one that left heard", one.heard, [])
    yield* expectEqual("the other heard", two.heard, [some[0]])
  }),
  "a listener may subscribe twice, and leave once": Effect.fnUntraced(function* ({ changes, settled }) {
    const { hear, heard } = listener()
    const scope = yield* Scope.make()
    yield* Scope.provide(changes.subscribe(hear), scope)
    yield* changes.subscribe(hear)
    yield* changes.publish(some[0]!)
    yield* settled
    yield* Scope.close(scope, Exit.void)
    yield* changes.publish(some[1]!)
    yield* settled
    yield* expectEqual("heard", heard, [some[0], some[0], some[1]])
  }),
  "publishing to nobody does no harm": ({ changes }) => changes.publish(some[0]!)
}
