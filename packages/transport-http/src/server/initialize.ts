import type { HttpRequest, HttpResponse } from "@effective-mcp/http"
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
import { principalOf } from "./Unverified.ts"

/**
 * Answers `initialize`, and opens a session when the host agrees. Its id comes from a secure source, and is all that a
 * client needs to go on.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export const initialize = Effect.fnUntraced(function* <R>(
  { ownerOf }: Endpoint<R>,
  sessions: Sessions<R | HttpCall>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  message: JsonRpc.Request,
  response: HttpResponse
): Effect.fn.Return<void, never, R> {
  if (!(yield* sessions.reserve)) {
    return refuse(response, 503, "Too many sessions", { code: ErrorCode.InternalError, id: message.id })
  }
  const scope = yield* Scope.make()
  let isOpen = false
  yield* Effect.gen(function* () {
    const begun = yield* begin(host.converse(), makeLine(), scope)
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
        isOpen = true
        response.whole(200, { ...JSON_TYPE, [SESSION]: id }, responseText(said))
      })
    )
  }).pipe(
    Effect.onExit((exit) => (isOpen ? Effect.void : Scope.close(scope, exit))),
    Effect.ensuring(sessions.release)
  )
})
