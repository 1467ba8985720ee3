import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { Mismatch } from "./Mismatch.ts"

/** How long one case may take, in ms. */
const bound = 5_000

/** One thing that whatever is on trial must do. Any test runner can run it, on the real clock; it ends within 5 s. */
export interface Case<R = never> {
  readonly name: string
  readonly check: Effect.Effect<void, unknown, R>
}

const late = Effect.suspend(() =>
  Effect.fail(new Mismatch({ what: "the time it takes", expected: `at most ${bound} ms`, actual: "no end" }))
)

/** Fails when the time is over, also for what will not be interrupted: it is left behind. */
export const inTime = <R>(check: Effect.Effect<void, unknown, R>): Effect.Effect<void, unknown, R> =>
  Effect.flatMap(Effect.forkDetach(check), (running) =>
    Fiber.join(running).pipe(
      Effect.timeoutOrElse({ duration: bound, orElse: () => late }),
      Effect.ensuring(Effect.sync(() => running.interruptUnsafe()))
    )
  )

/** One rule, and how to see whether it holds for what is written `here` and read `there`, on one node or two. */
export interface Rule<S> {
  readonly name: string
  readonly check: (here: S, there: S) => Effect.Effect<void, unknown, Scope.Scope>
}

export interface Options {
  /** Whether all that `make` makes is one and the same behind: each rule is then also tried between two of it. */
  readonly shared?: boolean | undefined
}

/** The cases of some rules about what `make` makes; its scope is the case. */
export const casesOf = <S, R>(
  rules: ReadonlyArray<Rule<S>>,
  make: Effect.Effect<S, unknown, R>,
  { shared = false }: Options
): ReadonlyArray<Case<Exclude<R, Scope.Scope>>> => {
  const on = (nodes: Effect.Effect<readonly [S, S], unknown, R>, where: string) =>
    rules.map(({ check, name }) => ({
      name: name + where,
      check: nodes.pipe(
        Effect.flatMap(([here, there]) => check(here, there)),
        Effect.scoped,
        inTime
      )
    }))
  const one = Effect.map(make, (store) => [store, store] as const)
  return [...on(one, ""), ...(shared ? on(Effect.all([make, make]), ", between two nodes") : [])]
}

/** A name that nobody else has. */
export const unique = (): string => crypto.randomUUID()
