import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Intake } from "./Intake.ts"

/** One HTTP request as a server has it before its body is read, whatever serves it. */
export interface HttpRequest {
  readonly method: string
  /** The target as it came: a path with its query, or a whole URL. */
  readonly url: string
  /** A header by its lower-case name; several of one name are joined by `, `. */
  header(name: string): string | undefined
  /** Reads the body as it came, at most `limit` bytes of it, and as one of all that `intake` counts. It can be read once. */
  body(limit: number, intake?: Intake): Effect.Effect<Uint8Array, BodyError>
}

/**
 * Why a body could not be had: over the limit, in an encoding that is not taken, cut off or not what it says it is, or too
 * much beside all others that come.
 */
export class BodyError extends Data.TaggedError("BodyError")<{
  readonly reason: "TooLarge" | "Encoded" | "Broken" | "Busy"
}> {}
