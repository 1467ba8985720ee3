import { type Duplex, ErrorCode, type Host, JsonRpc, limits, Peer, type TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { pipe } from "./pipe.ts"
import type { FrameLimits } from "./reading.ts"
import { takeStdout } from "./stdout.ts"

export interface ServeOptions extends FrameLimits, Peer.ServeOptions, Omit<Peer.Options, "answerMalformed"> {}

/** Says why it ends: without an id, since the request was never read. */
const refuse =
  (duplex: Duplex) =>
  ({ reason }: TransportError): Effect.Effect<void> => {
    if (reason._tag !== "TooLarge") return Effect.void
    const message = `Invalid request: longer than ${reason.limit} bytes`
    const refusal = JsonRpc.failure(undefined, { code: ErrorCode.InvalidRequest, message })
    return Effect.ignore(Effect.timeoutOption(duplex.send(refusal), limits.farewellMs))
  }

/**
 * Serves a host on this process's stdin and stdout, to a client of either era. It ends when stdin has ended and what
 * was asked has been answered, or 2 s after that. While it runs, all else that is written to stdout goes to stderr. One
 * at a time in a process: a second one dies.
 *
 * It fails with `Closed` when the reader of stdout has gone, and with `TooLarge` after a line over the limit; either
 * interrupts the handlers at once.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export const serve = <R>(host: Host<R>, options: ServeOptions = {}): Effect.Effect<void, TransportError, R> =>
  takeStdout.pipe(
    Effect.flatMap((output) => pipe(process.stdin, output, options)),
    Effect.flatMap((duplex) => Effect.tapError(Peer.host(duplex, host, options), refuse(duplex))),
    Effect.scoped
  )
