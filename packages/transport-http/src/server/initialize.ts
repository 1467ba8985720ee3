import type { HttpRequest, HttpResponse } from "@effective-mcp/http"
import { answer, ErrorCode, type Host, JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { nobody } from "./back.ts"
import type { Endpoint } from "./Endpoint.ts"
import { SESSION } from "./headers.ts"
import { HttpCall } from "./HttpCall.ts"
import { JSON_TYPE, refuse } from "./refuse.ts"
import type { Sessions } from "./sessions.ts"
import { statusOf } from "./statusOf.ts"
import { responseText } from "./toText.ts"

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
  if (!(yield* sessions.hasRoom)) {
    return refuse(response, 503, "Too many sessions", { code: ErrorCode.InternalError, id: message.id })
  }
  const scope = yield* Scope.make()
  const opened = yield* Effect.gen(function* () {
    const conversation = yield* Scope.provide(host.converse(), scope)
    const said = yield* answer(conversation.on(nobody), message, () => Effect.void)
    if (!JsonRpc.isSuccess(said)) {
      response.whole(statusOf(said), JSON_TYPE, responseText(said))
      return false
    }
    const [owner, origin] = [yield* ownerOf(http), http.header("origin")]
    const session = yield* sessions.open(
      { scope, conversation },
      { ...(owner === undefined ? undefined : { owner }), ...(origin === undefined ? undefined : { origin }) }
    )
    response.whole(200, { ...JSON_TYPE, [SESSION]: session.id ?? "" }, responseText(said))
    return true
  }).pipe(
    Effect.provideService(HttpCall, { request: http, closeStream: Effect.void }),
    // a client that leaves now will never know of its session
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
  )
  if (!opened) yield* Scope.close(scope, Exit.void)
})
