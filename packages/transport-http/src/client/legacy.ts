import { EventReader } from "@effective-mcp/http/client"
import { HttpEra, JsonRpc, limits, type TransportError } from "@effective-mcp/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Broken, read, stream } from "./answer.ts"
import type { Endpoint } from "./Endpoint.ts"
import { type Hearing, malformed } from "./hear.ts"
import { again, NoStream, Patience } from "./reopen.ts"
import type { Session } from "./Sessions.ts"
import type { HttpAnswer } from "./Wire.ts"
import { SESSION } from "../headerNames.ts"

const INITIALIZE = "initialize"

/** Whether a POST found that its session is over. */
export const isExpired = (http: HttpAnswer, session: Session | undefined): session is Session =>
  http.status === 404 && session?.id !== undefined

/** A stream that broke before the response, and where it did. */
class Break {
  readonly reader: EventReader
  readonly error: TransportError
  constructor(reader: EventReader, error: TransportError) {
    this.reader = reader
    this.error = error
  }
}

const breaks: Broken<Break> = (reader, error) => Effect.succeed(new Break(reader, error))

/** Goes on with a response stream from the last event that had an id; without one nothing can be known of the rest. */
const resuming = ({ settings, wire }: Endpoint, session: Session | undefined, hearing: Hearing): Broken => {
  const patience = new Patience(settings)
  const resume: Broken = (broken, error) => {
    if (broken.lastId === undefined) return Effect.fail(error)
    const resumed = Effect.matchEffect(again(wire, session, broken, patience, error), {
      onFailure: (failed): Effect.Effect<JsonRpc.Response | Break, TransportError> =>
        Effect.fail(failed instanceof NoStream ? error : failed.withOutcome("Unknown")),
      onSuccess: (http) => {
        patience.restore()
        return stream(http, new EventReader(settings.messageBytes, broken), hearing, breaks)
      }
    })
    return Effect.flatMap(Effect.scoped(resumed), (outcome) =>
      outcome instanceof Break ? resume(outcome.reader, outcome.error) : Effect.succeed(outcome)
    )
  }
  return resume
}

/** Tells the server that a request is of no interest any more; a session that is over took its requests with it. */
const cancel = (
  { exchanges, sessions, wire }: Endpoint,
  session: Session | undefined,
  { id, method, params = {} }: JsonRpc.Request
): Effect.Effect<void> => {
  const isOver = exchanges.refusal() !== undefined || session !== sessions.current
  if (method === INITIALIZE || "task" in params || isOver) return Effect.void
  const notice = JsonRpc.notification("notifications/cancelled", { requestId: id })
  return Effect.suspend(() => Effect.scoped(wire.post(notice, session?.headers ?? {}, false))).pipe(
    Effect.interruptible,
    Effect.timeoutOption(limits.farewellMs),
    Effect.ignore
  )
}

const isAbandoned = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && (Cause.hasInterrupts(exit.cause) || Cause.hasDies(exit.cause))

/**
 * One exchange of a legacy session, or the `initialize` that begins one.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 */
export const exchange = (
  endpoint: Endpoint,
  request: JsonRpc.Request,
  listener: Hearing["listener"]
): Effect.Effect<JsonRpc.Response, TransportError> => {
  const { sessions, settings, warn, wire } = endpoint
  const isOpening = request.method === INITIALIZE
  const refusal = isOpening ? undefined : sessions.refusal()
  if (refusal !== undefined) return Effect.fail(refusal)
  const session = isOpening ? undefined : sessions.current
  const hearing: Hearing = {
    request,
    listener,
    depth: settings.depth,
    allowsBatches: HttpEra.allowsBatches(session?.version),
    warn
  }
  let isSent = false
  const onSend = (): void => {
    isSent = true
  }
  const answered = Effect.flatMap(wire.post(request, session?.headers ?? {}, false, onSend), (http) => {
    if (isExpired(http, session)) return Effect.fail(sessions.expire(session))
    const response = read(http, hearing, settings.messageBytes, resuming(endpoint, session, hearing))
    if (!isOpening) return response
    return Effect.flatMap(response, (response) => {
      const wrong = sessions.begin(http.header(SESSION), response)
      return wrong === undefined ? Effect.succeed(response) : Effect.fail(malformed(wrong, request.id))
    })
  })
  return Effect.onExit(Effect.scoped(answered), (exit) =>
    isSent && isAbandoned(exit) ? cancel(endpoint, session, request) : Effect.void
  )
}

/** Ends the session at the server, which need not allow it; it is over for us in any case. */
export const end = ({ sessions, wire }: Endpoint): Effect.Effect<void> =>
  Effect.suspend(() => {
    const session = sessions.current
    if (session?.id === undefined) return Effect.void
    const warn = Effect.logWarning("The server did not confirm the end of its session")
    return Effect.scoped(wire.remove(session.headers)).pipe(
      Effect.interruptible,
      Effect.timeout(limits.sessionEndMs),
      Effect.matchEffect({
        onFailure: () => warn,
        onSuccess: ({ status }) => (status >= 500 || status === 401 || status === 403 ? warn : Effect.void)
      })
    )
  })
