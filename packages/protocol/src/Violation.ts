import * as Data from "effect/Data"
import type { Outcome } from "./TransportError.ts"

/** The peer answered, and its answer breaks the revision that was agreed on. `detail` says where, never what it held. */
export class Violation extends Data.TaggedError("Violation")<{
  readonly revision: string
  readonly method: string
  readonly detail: string
}> {
  readonly outcome: Outcome = "Unknown"

  override get message(): string {
    return `the answer to ${this.method} breaks revision ${this.revision}: ${this.detail}`
  }
}
