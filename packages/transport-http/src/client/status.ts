import type { ClientResponse } from "@effective-mcp/http/client"
import { Frame, type JsonRpc, limits, type Outcome, TransportError, withHttpStatus } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

type Response = ClientResponse.ClientResponse

/** As much as is kept of a challenge. */
const CHALLENGE = 4_096

/** The server, or what stands before it, may have waited for the answer. */
const waited: ReadonlySet<number> = new Set([408, 499])

const outcomeOf = (status: number): Outcome =>
  status >= 300 && status < 500 && !waited.has(status) ? "Rejected" : "Unknown"

/** What `Retry-After` asks for, in ms: seconds, or a date. */
const retryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** What a status says, where the body says nothing. */
export const statusError = (http: Response): Effect.Effect<never, TransportError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const challenge = http.header("www-authenticate")?.slice(0, CHALLENGE)
    const retryAfterMs = retryAfter(http.header("retry-after"), now)
    const { status } = http
    const reason = {
      _tag: "HttpStatus",
      status,
      ...(challenge === undefined ? undefined : { challenge }),
      ...(retryAfterMs === undefined ? undefined : { retryAfterMs })
    } as const
    http.discard()
    return Effect.fail(TransportError.make(reason, outcomeOf(status)))
  })

const decoder = new TextDecoder()

const errorIn = (bytes: Uint8Array | undefined, depth: number): JsonRpc.Failure | undefined => {
  // some do not say that it is JSON, most of what is none begins otherwise
  if (bytes === undefined || bytes.length === 0) return undefined
  const frame = Frame.fromText(decoder.decode(bytes), depth)
  const isError = !Frame.isBatch(frame) && !(frame instanceof Frame.Malformed) && "error" in frame
  return isError ? frame : undefined
}

/**
 * What a response with an error's status says to a request: a JSON-RPC error in its body, if it is about this request,
 * else the status.
 */
export const refused = (
  http: Response,
  request: JsonRpc.Request,
  depth: number
): Effect.Effect<JsonRpc.Response, TransportError> =>
  http.whole(limits.errorBytes).pipe(
    Effect.timeout(limits.errorMs),
    Effect.orElseSucceed(() => undefined),
    Effect.flatMap((bytes) => {
      const found = errorIn(bytes, depth)
      if (found === undefined || (found.id ?? request.id) !== request.id) return statusError(http)
      withHttpStatus(found.error, http.status)
      return Effect.succeed(found.id === request.id ? found : { ...found, id: request.id })
    })
  )
