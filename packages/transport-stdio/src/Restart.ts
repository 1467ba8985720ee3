/**
 * When a process that has ended is replaced.
 *
 * - `Lazy`: when the transport is run the next time.
 * - `Eager`: at once, so that the next run finds it there; until `maxRetries` restarts in a row have failed.
 */
export type Restart = { readonly _tag: "Lazy" } | { readonly _tag: "Eager"; readonly maxRetries: number }

const eager = (maxRetries: number): Restart => {
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0) throw new Error(`maxRetries is not a count: ${maxRetries}`)
  return { _tag: "Eager", maxRetries }
}
const lazy: Restart = { _tag: "Lazy" }

export const Restart = { lazy, eager } as const
