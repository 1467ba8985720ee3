import type { TransportError } from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"

export interface EagerOptions {
  /** Hears, once, that no restart is tried any more, and what the last one failed with. */
  readonly onGone?: ((error: TransportError) => Effect.Effect<void>) | undefined
}

/**
 * When a process that has ended is replaced.
 *
 * - `Lazy`: when the transport is run the next time.
 * - `Eager`: at once, so that the next run finds it there; until `maxRetries` restarts in a row have failed.
 */
export type Restart =
  | { readonly _tag: "Lazy" }
  | ({ readonly _tag: "Eager"; readonly maxRetries: number } & EagerOptions)

const eager = (maxRetries: number, { onGone }: EagerOptions = {}): Restart => {
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0) throw new Error(`maxRetries is not a count: ${maxRetries}`)
  return { _tag: "Eager", maxRetries, onGone }
}
const lazy: Restart = { _tag: "Lazy" }

export const Restart = { lazy, eager } as const
