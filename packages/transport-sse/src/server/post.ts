import { type HttpRequest, type HttpResponse, type Ownership, principalOf } from "@effective-mcp/http"
import { ErrorCode, Frame, HttpEra, JsonRpc, limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Read } from "./checks.ts"
import { sessionOf } from "./endpoint.ts"
import { refuse } from "./refuse.ts"
import type { Session } from "./Session.ts"
import type { Sessions } from "./Sessions.ts"

export const VERSION = "mcp-protocol-version"

const deny = (response: HttpResponse, status: number, message: string): Effect.Effect<void> =>
  Effect.sync(() => refuse(response, status, message))

/** Hands what a body holds to its session: what is no message for it is refused here, all else is answered on its stream. */
const take = <R>(
  session: Session<R>,
  request: HttpRequest,
  response: HttpResponse,
  body: Uint8Array,
  depth: number
): Effect.Effect<void> => {
  const frame = Frame.fromBytes(body, depth)
  if (frame instanceof Frame.Malformed) {
    const { code, detail, id } = frame
    const message = code === ErrorCode.ParseError ? "Parse error" : `Invalid request: ${detail}`
    return Effect.sync(() => refuse(response, 400, message, { code, id }))
  }
  const taken = Effect.withFiber((fiber) => {
    if (session.hear(frame, body.length, fiber.context, request)) {
      return Effect.sync(() => response.whole(202, {}))
    }
    const id = !Frame.isBatch(frame) && JsonRpc.isRequest(frame) ? frame.id : undefined
    return Effect.sync(() => refuse(response, 503, "Too many requests", { code: ErrorCode.InternalError, id }))
  })
  if (Frame.isBatch(frame)) {
    return Effect.flatMap(session.takesBatches, (takes) =>
      takes ? taken : deny(response, 400, "Invalid request: no batches in this revision")
    )
  }
  return HttpEra.lacksId(frame) ? deny(response, 400, "Invalid request: the id is missing") : taken
}

/**
 * Takes a message of a session, from whoever may use that: 400 without its name, 404 where there is none of that name,
 * 403 where it is another's. No message finds a session in any other way.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export const post =
  <R>(sessions: Sessions<R>, mayUse: Ownership.Ownership["mayUse"], depth: number = limits.depth) =>
  (request: HttpRequest, response: HttpResponse, read: Read): Effect.Effect<void> => {
    const id = sessionOf(request)
    if (id === undefined) return deny(response, 400, "Invalid request: sessionId is missing")
    if (id === null) return deny(response, 400, "Invalid request: sessionId is malformed")
    const session = sessions.find(id)
    if (session === undefined) return deny(response, 404, "Session not found")
    const admitted = Effect.flatMap(session.revision, (revision) => {
      const version = request.header(VERSION)
      const isHeld = version !== undefined && HttpEra.hasVersionHeader(revision)
      return isHeld && !HttpEra.isKnownVersion(version)
        ? deny(response, 400, "Invalid request: MCP-Protocol-Version is not supported")
        : read((body) =>
            sessions.find(id) === session
              ? take(session, request, response, body, depth)
              : deny(response, 404, "Session not found")
          )
    })
    return Effect.withFiber((fiber) => {
      const { origin, owner } = session
      const allowed = mayUse({ id, origin, owner }, request, principalOf(fiber))
      const decide = (isAllowed: boolean): Effect.Effect<void> =>
        isAllowed ? admitted : deny(response, 403, "Forbidden: not a session of this client")
      return typeof allowed === "boolean" ? decide(allowed) : Effect.flatMap(allowed, decide)
    })
  }
