import { type Duplex, type Frame, limits, Lines, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** A bare pipe of bytes, such as the standard streams of a process: one message a line. */
export interface BytePipe {
  /** Emits what was read, cut anywhere. */
  readonly incoming: Stream.Stream<Uint8Array, TransportError>
  readonly send: (bytes: Uint8Array) => Effect.Effect<void, TransportError>
  /** Ends the pipe from this end. */
  readonly close?: Effect.Effect<void>
}

/** Cuts what comes in pieces. */
export interface Cutter<A> {
  /** False when a line is longer than the limit: nothing after it can be read. */
  readonly push: (chunk: Uint8Array, onPiece: (piece: A) => void) => boolean
  readonly end: (onPiece: (piece: A) => void) => boolean
}

/** Cuts a stream of bytes; a line over `limit` bytes fails it, after what stood before. */
export const cut = <A>(
  bytes: BytePipe["incoming"],
  makeCutter: () => Cutter<A>,
  limit: number
): Stream.Stream<A, TransportError> =>
  Stream.suspend(() => {
    const cutter = makeCutter()
    const cutBy = (by: (onPiece: (piece: A) => void) => boolean): Stream.Stream<A, TransportError> => {
      const pieces: Array<A> = []
      const isWithin = by((piece) => pieces.push(piece))
      const whole = Stream.fromArray(pieces)
      return isWithin ? whole : Stream.concat(whole, Stream.fail(TransportError.make({ _tag: "TooLarge", limit })))
    }
    return Stream.concat(
      Stream.flatMap(bytes, (chunk) => cutBy((onPiece) => cutter.push(chunk, onPiece))),
      Stream.suspend(() => cutBy(cutter.end))
    )
  })

const encoder = new TextEncoder()

/**
 * A duplex over a pipe of bytes, as on stdio: for transcripts that talk to a process, and for faults of bytes.
 *
 * @param options.messageBytes the longest line, without its newline, either way; a longer one is not sent. Default 4 MiB
 */
export const overBytes = (
  pipe: BytePipe,
  { messageBytes = limits.messageBytes }: { readonly messageBytes?: number | undefined } = {}
): Duplex => ({
  incoming: Stream.toPull(cut<Frame.Frame>(pipe.incoming, () => Lines.splitter({ messageBytes }), messageBytes)),
  // suspended: what is no JSON dies when it is sent, not when it is composed
  send: (message) =>
    Effect.suspend(() => {
      const line = encoder.encode(Lines.encode(message))
      return line.length - 1 > messageBytes
        ? Effect.fail(TransportError.make({ _tag: "TooLarge", limit: messageBytes }, "NotSent"))
        : pipe.send(line)
    })
})
