import { LAST_EVENT } from "../headerNames.ts"
import type { EventReader } from "@effective-mcp/http/client"
import type { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { EVENTS, isGood, typeOf } from "./answer.ts"
import type { Settings } from "./Options.ts"
import type { Session } from "./Sessions.ts"
import { statusError } from "./status.ts"
import type { HttpAnswer, Wire } from "./Wire.ts"

/** How a GET was turned away for good: trying again would bring the same. */
export class NoStream {
  readonly status: number
  readonly error: TransportError
  constructor(status: number, error: TransportError) {
    this.status = status
    this.error = error
  }
}

/** What may be otherwise in a while. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

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

/** Attempts at one stream since it last was open. */
export class Patience {
  private readonly settings: Settings["reconnect"]
  private left: number
  private waitedMs = 0

  constructor({ reconnect }: Settings) {
    this.settings = reconnect
    this.left = reconnect.attempts
  }

  /** Something came: all is as at the beginning. */
  restore(): void {
    this.left = this.settings.attempts
    this.waitedMs = 0
  }

  /**
   * How long to wait before the next attempt, in ms: never less than the server asks. Undefined when there is none left,
   * or no time for it.
   */
  next({ retryMs }: Pick<EventReader, "retryMs">, atLeast = 0): number | undefined {
    const { delayMs, floorMs, totalMs } = this.settings
    const wait = Math.max(retryMs ?? delayMs, floorMs, atLeast)
    if (this.left === 0 || this.waitedMs + wait > totalMs) return undefined
    this.left--
    this.waitedMs += wait
    return wait
  }
}

/** What a failed attempt asks to be waited for. */
export const askedWait = ({ reason }: TransportError): number =>
  reason._tag === "HttpStatus" ? (reason.retryAfterMs ?? 0) : 0

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
