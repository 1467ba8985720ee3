import { type HttpRequest, type HttpResponse, principalOf } from "@effective-mcp/http"
import { answer, ErrorCode, type Host, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { makeLine } from "./back.ts"
import type { Endpoint } from "./Endpoint.ts"
import { SESSION } from "./headers.ts"
import { HttpCall } from "./HttpCall.ts"
import { JSON_TYPE, refuse } from "./refuse.ts"
import { begin, type Sessions } from "./sessions.ts"
import { statusOf } from "./statusOf.ts"
import { responseText } from "./toText.ts"

/** Whether its client has been told of a session. */
interface Opening {
  readonly scope: Scope.Closeable
  isOpen: boolean
}

// one generator for all: V8 keeps that of a single request, and all that it leads to, until the next full collection
const open = Effect.fnUntraced(function* <R>(
  { ownerOf }: Endpoint<R>,
  sessions: Sessions<R | HttpCall>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  message: JsonRpc.Request,
  response: HttpResponse,
  opening: Opening
): Effect.fn.Return<void, never, R> {
  const begun = yield* begin(host.converse(), makeLine(), opening.scope)
  // the session outlives the request, which only its answer is to know of
  const said = yield* Effect.provideService(
    answer(begun.standing, message, () => Effect.void),
    HttpCall,
    { request: http, closeStream: Effect.void }
  )
  if (!JsonRpc.isSuccess(said)) return response.whole(statusOf(said), JSON_TYPE, responseText(said))
  const owner = yield* Effect.withFiber((fiber) => ownerOf(http, principalOf(fiber)))
  const origin = http.header("origin")
  const opened = sessions.open(begun, {
    ...(owner === undefined ? undefined : { owner }),
    ...(origin === undefined ? undefined : { origin })
  })
  // a session is there as a whole or not at all
  yield* Effect.uninterruptible(
    Effect.map(opened, ({ id = "" }) => {
      opening.isOpen = true
      response.whole(200, { ...JSON_TYPE, [SESSION]: id }, responseText(said))
    })
  )
})

/**
 * Answers `initialize`, and opens a session when the host agrees. Its id comes from a secure source, and is all that a
 * client needs to go on.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export const initialize = <R>(
  endpoint: Endpoint<R>,
  sessions: Sessions<R | HttpCall>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  message: JsonRpc.Request,
  response: HttpResponse
): Effect.Effect<void, never, R> =>
  Effect.acquireUseRelease(
    Effect.map(sessions.reserve, (isReserved): Opening | undefined =>
      isReserved ? { scope: Scope.makeUnsafe(), isOpen: false } : undefined
    ),
    (opening): Effect.Effect<void, never, R> => {
      if (opening !== undefined) return open(endpoint, sessions, host, http, message, response, opening)
      const code = ErrorCode.InternalError
      return Effect.sync(() => refuse(response, 503, "Too many sessions", { code, id: message.id }))
    },
    (opening, exit) => {
      if (opening === undefined) return Effect.void
      const closed = opening.isOpen ? Effect.void : Scope.close(opening.scope, exit)
      return Effect.ensuring(closed, sessions.release)
    }
  )
