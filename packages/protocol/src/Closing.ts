import * as Context from "effect/Context"

export interface ClosingService {
  /**
   * Told at most once, when what the request came over closes: who answers it should then come to an end by itself, soon.
   * What it gives back stops listening.
   */
  readonly onClose: (closes: () => void) => () => void
}

const never: ClosingService = { onClose: () => () => {} }

/**
 * How the answer to a request that stays open hears that its endpoint closes, and no other: one that does not listen is
 * interrupted. Where a wire tells of no such thing, nothing is ever told.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure
 */
export const Closing = Context.Reference<ClosingService>("@effective-mcp/protocol/Closing", {
  defaultValue: () => never
})
