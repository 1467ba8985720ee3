import type { HttpRequest, HttpResponse } from "@effective-mcp/http"
import { type Host, HttpEra } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Endpoint } from "./Endpoint.ts"
import { SESSION, VERSION } from "./headers.ts"
import type { HttpCall } from "./HttpCall.ts"
import { refuse } from "./refuse.ts"
import type { Session } from "./Session.ts"
import type { Sessions } from "./sessions.ts"

/** The characters that a session id may have; a doubled header has others. */
const ID = /^[\x21-\x2b\x2d-\x7e]{1,256}$/

/**
 * The session that a request names, if it may use it; else the request is refused, and there is none.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export const findSession = Effect.fnUntraced(function* <R>(
  { mayUse }: Endpoint<R>,
  sessions: Sessions<R | HttpCall>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  response: HttpResponse
): Effect.fn.Return<Session<R | HttpCall> | undefined, never, R> {
  const id = http.header(SESSION)
  if (id === undefined || !ID.test(id)) {
    const what = id === undefined ? "is missing" : "is malformed"
    refuse(response, 400, `Invalid request: Mcp-Session-Id ${what}`)
    return undefined
  }
  const session = yield* sessions.find(id, ({ snapshot }) => host.converse(snapshot))
  if (session === undefined) {
    refuse(response, 404, "Session not found")
    return undefined
  }
  if (!(yield* mayUse({ id, owner: session.owner, origin: session.origin }, http))) {
    refuse(response, 403, "Forbidden: not a session of this client")
    return undefined
  }
  const version = http.header(VERSION)
  if (version !== undefined && HttpEra.hasVersionHeader(session.revision) && !HttpEra.isKnownVersion(version)) {
    refuse(response, 400, "Invalid request: MCP-Protocol-Version is not supported")
    return undefined
  }
  return session
})
