import { type Duplex, limits, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type FrameLimits, read } from "./reading.ts"
import type { Input, Output } from "./streams.ts"
import { write } from "./writing.ts"

const closed = TransportError.make({ _tag: "Closed" })

const open = (input: Input, output: Output, options: FrameLimits) => {
  const incoming = read(input, options, (error) => {
    incoming.end(error)
    if (error?.reason._tag === "Closed") outgoing.fail(error)
  })
  const outgoing = write(output, options, (cause) => {
    const error = cause === undefined ? closed : TransportError.make({ _tag: "Closed", cause })
    incoming.end(error)
    outgoing.fail(error)
  })
  const duplex: Duplex = { incoming: incoming.incoming, send: outgoing.send }
  const close = Effect.suspend(() => {
    incoming.end(closed)
    outgoing.fail(closed)
    outgoing.flush()
    return Effect.map(Effect.timeoutOption(outgoing.written, limits.farewellMs), () => {
      incoming.detach()
      outgoing.detach()
    })
  })
  return { duplex, close }
}

/**
 * One message per line over a pair of Node streams: the framing of stdio, for any pair of byte streams. All that is
 * said in one turn leaves in one write, and the input rests while nobody reads it.
 *
 * `incoming` ends with the input; `send` goes on working. A stream that fails, and an output that closes, fail both
 * with `Closed`; a line over the limit fails `incoming` with `TooLarge`, after the lines before it, and nothing more is
 * read. Closing the scope writes what was handed over, for at most 1 s, and lets go of the streams without ending them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export const pipe = (
  input: Input,
  output: Output,
  options: FrameLimits = {}
): Effect.Effect<Duplex, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => open(input, output, options)),
      ({ close }) => close
    ),
    ({ duplex }) => duplex
  )
