import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What is left of an answer that stays open, once it has begun: little is held for long. */
export interface Lasting {
  /** Completes when the response is due. It runs once, unless the exchange has failed, and needs nothing of the request. */
  readonly rest: () => Effect.Effect<void>
  /** Has `rest` complete soon. */
  readonly end: () => void
  /** Comes last, however `rest` has ended, and also where it never ran. */
  readonly leave: () => Effect.Effect<void>
}

export interface ClosingService {
  /**
   * Told at most once, when what the request came over closes: who answers it should then come to an end by itself, soon.
   * What it gives back stops listening.
   */
  readonly onClose: (closes: () => void) => () => void
  /**
   * Takes over what is left of the answer, so that the request and all that went around it can be let go: the exchange
   * then completes at once, with the response that is sent after `rest`. Absent where nobody can.
   */
  readonly keep?: (lasting: Lasting) => void
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
