import { type HttpRequest, type HttpResponse, principalOf } from "@effective-mcp/http"
import { ErrorCode, type Host, HttpEra } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Endpoint } from "./Endpoint.ts"
import { SESSION, VERSION } from "./headers.ts"
import type { HttpCall } from "./HttpCall.ts"
import { refuse } from "./refuse.ts"
import type { Session } from "./Session.ts"
import type { Sessions } from "./sessions.ts"
import type { Kept } from "./SessionStore.ts"

/** The characters that a session id may have; a doubled header has others. */
const ID = /^[\x21-\x2b\x2d-\x7e]{1,256}$/

const refused = (response: HttpResponse, status: number, message: string): Effect.Effect<void> =>
  Effect.sync(() => refuse(response, status, message))

/**
 * Answers with the session that a request names, if the request may use it; else the request is refused.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export const withSession = <R>(
  { mayUse }: Endpoint<R>,
  sessions: Sessions<R | HttpCall>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  response: HttpResponse,
  answer: (session: Session<R | HttpCall>) => Effect.Effect<void, never, R>
): Effect.Effect<void, never, R> => {
  const notTheirs = () => refused(response, 403, "Forbidden: not a session of this client")
  const admit = (session: Session<R | HttpCall>): Effect.Effect<void, never, R> => {
    const version = http.header(VERSION)
    if (version !== undefined && HttpEra.hasVersionHeader(session.revision) && !HttpEra.isKnownVersion(version)) {
      return refused(response, 400, "Invalid request: MCP-Protocol-Version is not supported")
    }
    const { id = "", origin, owner } = session
    return Effect.withFiber((fiber) => {
      const allowed = mayUse({ id, origin, owner }, http, principalOf(fiber))
      if (typeof allowed === "boolean") return allowed ? answer(session) : notTheirs()
      return Effect.flatMap(allowed, (isAllowed) => (isAllowed ? answer(session) : notTheirs()))
    })
  }
  const id = http.header(SESSION)
  const session = id === undefined ? undefined : sessions.find(id)
  if (session !== undefined) return admit(session)
  if (id === undefined) return refused(response, 400, "Invalid request: Mcp-Session-Id is missing")
  if (!ID.test(id)) return refused(response, 400, "Invalid request: Mcp-Session-Id is malformed")
  const admits = ({ origin, owner }: Kept): Effect.Effect<boolean> =>
    Effect.withFiber((fiber) => {
      const allowed = mayUse({ id, origin, owner }, http, principalOf(fiber))
      return typeof allowed === "boolean" ? Effect.succeed(allowed) : allowed
    })
  const takenUp = sessions.takeUp?.(id, admits, ({ snapshot }) => host.converse(snapshot)) ?? Effect.undefined
  return Effect.flatMap(takenUp, (session) => {
    if (session === undefined) return refused(response, 404, "Session not found")
    if (session === "refused") return notTheirs()
    if (session !== "full") return admit(session)
    return Effect.sync(() => refuse(response, 503, "Too many sessions", { code: ErrorCode.InternalError }))
  })
}
