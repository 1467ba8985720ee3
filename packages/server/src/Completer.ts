import type * as Effect from "effect/Effect"
import type { Call } from "./Call.ts"

/** Values that complete what is typed, the likeliest first; `total` counts those that are not said, too. */
export interface Completion {
  readonly values: ReadonlyArray<string>
  readonly total?: number
  readonly hasMore?: boolean
}

/**
 * Completes one argument: all the values that it may have, of which those count that begin with what is typed, or a
 * function of what is typed and of what is known of the other arguments.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export type Completer<R = never> =
  | ReadonlyArray<string>
  | ((
      value: string,
      others: { readonly [name: string]: string }
    ) => Effect.Effect<ReadonlyArray<string> | Completion, unknown, R>)

/** Completers by the argument that each is for. */
export type Completers<R = never, Name extends string = string> = { readonly [N in Name]?: Completer<R | Call> }

/** Completers for some of these names, and for no others. */
export type CompletersFor<C, Name extends string> = C &
  Completers<unknown, Name> &
  (string extends keyof C ? unknown : { readonly [N in Exclude<keyof C, Name>]: never })

/** What some completers need. */
export type CompleterNeeds<C> = {
  [N in keyof C]: C[N] extends (...args: never) => Effect.Effect<infer _A, infer _E, infer R> ? R : never
}[keyof C]
