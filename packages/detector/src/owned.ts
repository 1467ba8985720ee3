import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

/** Runs in a scope of its own, which is closed at once unless something comes of it. */
export const owned = <A, E, R>(effect: Effect.Effect<A, E, R | Scope.Scope>): Effect.Effect<A, E, R | Scope.Scope> =>
  Effect.flatMap(Effect.scope, (outer) =>
    Effect.flatMap(
      Scope.fork(outer),
      (scope) =>
        effect.pipe(
          Effect.provideService(Scope.Scope, scope),
          Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
        ) as Effect.Effect<A, E, R> // cast: the scope is provided
    )
  )
