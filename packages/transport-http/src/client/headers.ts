import { configured as keep, type Headers } from "@effective-mcp/http/client"
import { HeaderParams, HeaderValue, HttpEra, JsonRpc, Meta } from "@effective-mcp/protocol"
import { LAST_EVENT, METHOD, NAME, SESSION, VERSION } from "../headerNames.ts"
import type { Session } from "./Sessions.ts"

export { callerOf } from "@effective-mcp/http/client"

/** What a request of the transport accepts and says of its body. */
export const POST: Headers = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json"
}
export const GET: Headers = { accept: "text/event-stream" }
export const DELETE: Headers = {}

/** Headers that a program cannot set: they are the transport's, or the wire's. */
const own: ReadonlySet<string> = new Set([
  SESSION,
  VERSION,
  METHOD,
  NAME,
  LAST_EVENT,
  "accept",
  "content-type",
  "content-length",
  "transfer-encoding"
])

/** A program's headers, without those that it cannot set. */
export const configured = (headers: Headers, apiKey: string | undefined): Headers => keep(headers, apiKey, own)

/** The same on modern requests, whose `Mcp-Param-*` say what the body says. */
export const withoutParams = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("mcp-param-")))

const isPrimitive = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/**
 * What the headers of a modern message repeat of its body.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
 */
export const ofModern = (
  message: JsonRpc.Request | JsonRpc.Notification,
  version: string,
  params: ReadonlyArray<HeaderParams.HeaderParam> | undefined
): Headers => {
  const headers: Record<string, string> = { [VERSION]: version, [METHOD]: HeaderValue.encode(message.method) }
  const name = HttpEra.nameOf(message)?.value
  if (typeof name === "string") headers[NAME] = HeaderValue.encode(name)
  if (params === undefined) return headers
  const { arguments: args } = message.params ?? {}
  for (const { header, path } of params) {
    const value = HeaderParams.valueAt(args, path)
    const text = isPrimitive(value) ? HeaderValue.encode(value) : undefined
    if (text !== undefined) headers[header.toLowerCase()] = text
  }
  return headers
}

/** What a header may hold of a trace; what it may not is left to the body. */
const TRACE = /^[\x21-\x7e][\x20-\x7e]{0,2047}$/

/**
 * The trace that a message says in its `_meta` to belong to, for what stands between and sees no bodies.
 *
 * @see https://www.w3.org/TR/trace-context/
 */
export const ofTrace = (message: JsonRpc.Message): Headers | undefined => {
  const meta = JsonRpc.isResponse(message) ? undefined : Meta.of(message.params)
  const context = meta?.traceparent === undefined ? undefined : Meta.traceContext(meta)
  if (context === undefined || !TRACE.test(context.traceparent)) return undefined
  const { traceparent, tracestate } = context
  return tracestate !== undefined && TRACE.test(tracestate) ? { traceparent, tracestate } : { traceparent }
}

/** What goes with every request of a session. */
export const ofSession = ({ id, version }: Pick<Session, "id" | "version">): Headers => ({
  ...(id === undefined ? undefined : { [SESSION]: id }),
  ...(version === undefined ? undefined : { [VERSION]: version })
})
