import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import { make } from "../src/subscriptions/Pending.ts"

/** An effect that begins when its fiber has done so many steps: it gives up its turn after some of them. */
const after = <A, E>(steps: number, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  steps === 0 ? effect : Effect.flatMap(Effect.void, () => after(steps - 1, effect))

it.effect("a change that comes while its reader gives up its turn between two steps is told", () =>
  Effect.gen(function* () {
    for (let steps = 0; steps < 20; steps++) {
      const { add, pull } = make<never>()
      const reader = yield* Effect.forkChild(after(steps, pull), { startImmediately: true }).pipe(
        Effect.provideService(References.MaxOpsBeforeYield, 10)
      )
      add({ _tag: "ListChanged", list: "tools" })
      for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
      const told = Exit.succeed([{ _tag: "ListChanged", list: "tools" }])
      expect([steps, reader.pollUnsafe()]).toEqual([steps, told])
    }
  })
)
