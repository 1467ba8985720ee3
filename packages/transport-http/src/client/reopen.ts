import { LAST_EVENT } from "../headerNames.ts"
import { askedWait, type EventReader, passing, type Patience } from "@effective-mcp/http/client"
import type { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { EVENTS, isGood, typeOf } from "./answer.ts"
import type { Session } from "./Sessions.ts"
import { statusError } from "./status.ts"
import type { HttpAnswer, Wire } from "./Wire.ts"

export { askedWait, Patience } from "@effective-mcp/http/client"

/** How a GET was turned away for good: trying again would bring the same. */
export class NoStream {
  readonly status: number
  readonly error: TransportError
  constructor(status: number, error: TransportError) {
    this.status = status
    this.error = error
  }
}

/** Opens a stream of the session, from where `lastId` says. */
export const open = (
  wire: Wire,
  session: Session | undefined,
  lastId: string | undefined
): Effect.Effect<HttpAnswer, TransportError | NoStream, Scope.Scope> =>
  Effect.flatMap(
    wire.get(lastId === undefined ? (session?.headers ?? {}) : { ...session?.headers, [LAST_EVENT]: lastId }),
    (http): Effect.Effect<HttpAnswer, TransportError | NoStream> => {
      if (isGood(http) && typeOf(http) === EVENTS) return Effect.succeed(http)
      const { status } = http
      const failed = statusError(http)
      return passing.has(status) ? failed : Effect.mapError(failed, (error) => new NoStream(status, error))
    }
  )

/** Comes back to a stream until it opens, as often as there is patience; else it fails with what was last wrong. */
export const again = (
  wire: Wire,
  session: Session | undefined,
  reader: EventReader,
  patience: Patience,
  error: TransportError
): Effect.Effect<HttpAnswer, TransportError | NoStream, Scope.Scope> => {
  const wait = patience.next(reader, askedWait(error))
  if (wait === undefined) return Effect.fail(error)
  return Effect.andThen(
    Effect.sleep(wait),
    open(wire, session, reader.lastId).pipe(
      Effect.catch((failed) =>
        failed instanceof NoStream ? Effect.fail(failed) : again(wire, session, reader, patience, failed)
      )
    )
  )
}
