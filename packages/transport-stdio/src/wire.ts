import { type Duplex, TransportError } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Child } from "./child.ts"
import { type FrameLimits, read } from "./reading.ts"
import { write } from "./writing.ts"

/** How far an exit and what was said before it may lie apart, in ms, while nothing is read; and how often that long. */
const APART_MS = 100
const APART_TIMES = 5

/** The pipe to a child. */
export interface Wire {
  readonly duplex: Duplex
  /** Completes when the pipe is down, with what both ends of the duplex are to fail with; until `fail` they wait. */
  readonly watch: Effect.Effect<TransportError>
  /** Both ends fail, after what was said before. Only the first failure counts. */
  readonly fail: (error: TransportError) => void
  /** Writes what was said, and takes and reads no more. */
  readonly close: () => void
}

const closed = (child: Child, cause?: unknown): TransportError => {
  const exit = child.exit()
  const stderr = child.lastWords()
  return TransportError.make({
    _tag: "Closed",
    ...(exit === undefined ? undefined : { exit }),
    ...(stderr === "" ? undefined : { stderr }),
    ...(cause === undefined ? undefined : { cause })
  })
}

/**
 * Makes the pipe to a child. However it goes down (the child exits, closes its output, or reads no more), both ends are
 * to fail with the exit and the last words as far as they are known; what was said before is heard first.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#unexpected-termination
 */
export const wire = (child: Child, limit: FrameLimits): Wire => {
  const broken = Deferred.makeUnsafe<unknown>()
  const goDown = (cause: unknown): void => {
    outgoing.hold()
    Deferred.doneUnsafe(broken, Effect.succeed(cause))
  }
  const fail = (error: TransportError): void => {
    incoming.end(error)
    outgoing.fail(error)
  }
  const incoming = read(child.stdout, limit, (error) => {
    if (error?.reason._tag === "TooLarge") child.stdout.destroy()
    goDown(error?.reason._tag === "Closed" ? error.reason.cause : error)
  })
  const outgoing = write(child.stdin, limit, goDown)

  const settle = (times: number, bytes: number): Effect.Effect<void> =>
    Effect.flatMap(Effect.timeoutOption(child.over, APART_MS), (over) =>
      Option.isSome(over) || times === 1 || incoming.bytes() === bytes
        ? Effect.void
        : settle(times - 1, incoming.bytes())
    )
  return {
    duplex: { incoming: incoming.incoming, send: outgoing.send },
    watch: Effect.flatMap(Effect.raceFirst(Deferred.await(broken), Effect.asVoid(child.exited)), (cause) => {
      outgoing.hold()
      // what was refused says it all
      if (cause instanceof TransportError) return Effect.succeed(cause)
      return Effect.map(settle(APART_TIMES, incoming.bytes()), () => closed(child, cause))
    }),
    fail,
    close: () => {
      outgoing.flush()
      fail(closed(child))
      outgoing.detach()
    }
  }
}
