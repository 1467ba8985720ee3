import type * as Effect from "effect/Effect"
import type { Exchanges } from "./Exchanges.ts"
import type { Learned } from "./Learned.ts"
import type { Settings } from "./Options.ts"
import type { Sessions } from "./Sessions.ts"
import type { Wire } from "./Wire.ts"

/** What all exchanges of one connection share. */
export interface Endpoint {
  readonly wire: Wire
  readonly settings: Settings
  readonly sessions: Sessions
  readonly exchanges: Exchanges
  readonly learned: Learned
  /** Tells of something that was left out; ever more rarely. */
  readonly warn: (detail: string) => Effect.Effect<void>
}
