import type * as Effect from "effect/Effect"
import type { KeepAlive } from "./KeepAlive.ts"

/** Headers to send, by their names. */
export type Headers = { readonly [name: string]: string }

/**
 * How a request is answered: `whole` at once, or a `head`, some `write`s and an `end`. Once the client has left, or the
 * answer has ended, all of it does nothing.
 */
export interface HttpResponse {
  /** Sends all of an answer. Without a text there is no body. */
  whole(status: number, headers: Headers, text?: string): void
  /** Sends the head of an answer that comes in parts, at once. */
  head(status: number, headers: Headers): void
  /**
   * Sends one part; waits while the reader is behind, and no longer than it is there. A reader that takes nothing between
   * two beats of `patience` while somebody waits is let go: its connection closes, and it counts as one that has left.
   */
  write(text: string, patience?: KeepAlive): Effect.Effect<void>
  /** Sends one part unless the reader is behind. */
  offer(text: string): void
  /** Ends an answer that came in parts. */
  end(text?: string): void
}

/** Turns a request away, with a text of our own. */
export type Refuse = (
  response: HttpResponse,
  status: number,
  message: string,
  more?: { readonly headers: Headers }
) => void
