import type { Completer as EffectCompleter, Completion } from "../Completer.ts"
import type { Call as Current } from "../Call.ts"
import type { Call } from "./Call.ts"
import { type Awaitable, running } from "./running.ts"

/**
 * Completes one argument: all the values that it may have, of which those count that begin with what is typed, or a
 * function of what is typed and of what is known of the other arguments.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export type Completer =
  | ReadonlyArray<string>
  | ((
      value: string,
      others: { readonly [name: string]: string },
      call: Call
    ) => Awaitable<ReadonlyArray<string> | Completion>)

/** Completers by the argument that each is for. */
export type Completers<Name extends string = string> = { readonly [N in Name]?: Completer }

const effectOf = (completer: Completer): EffectCompleter<Current> =>
  typeof completer === "function" ? (value, others) => running((call) => completer(value, others, call)) : completer

/** The same completers as effects. */
export const completersOf = (completers: Completers = {}): { readonly [name: string]: EffectCompleter<Current> } =>
  Object.fromEntries(
    Object.entries(completers).flatMap(([name, completer]) =>
      completer === undefined ? [] : [[name, effectOf(completer)] as const]
    )
  )
