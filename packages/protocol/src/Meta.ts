import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { isObject, type JsonObject } from "./JsonRpc.ts"

/** Keys of `_meta` that the protocol gives a meaning. @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta */
export const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
export const CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
export const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
export const LOG_LEVEL = "io.modelcontextprotocol/logLevel"
export const SERVER_INFO = "io.modelcontextprotocol/serverInfo"
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"

/** The keys that a modern client sets itself on every request; a caller's own values never reach the wire. */
export const protectedKeys: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION,
  CLIENT_INFO,
  CLIENT_CAPABILITIES,
  "progressToken"
])

/** The `_meta` of some params or result; empty when there is none. */
export const of = (holder: JsonObject | undefined): JsonObject => {
  const meta = holder?._meta
  return isObject(meta) ? meta : {}
}

/**
 * W3C trace context, as `_meta` carries it.
 *
 * @see https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
  readonly baggage?: string
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** The trace context of some `_meta`; undefined when there is none or it is not well-formed. */
export const traceContext = (meta: JsonObject): TraceContext | undefined => {
  const { baggage, traceparent, tracestate } = meta
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined
  return {
    traceparent,
    ...(typeof tracestate === "string" ? { tracestate } : undefined),
    ...(typeof baggage === "string" ? { baggage } : undefined)
  }
}

/** The span that some `_meta` names as the caller's; undefined when it names none. */
export const parentOf = (meta: JsonObject): Tracer.ExternalSpan | undefined => {
  const context = traceContext(meta)
  if (context === undefined) return undefined
  const [, traceId = "", spanId = "", flags = "00"] = context.traceparent.split("-")
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

/**
 * Goes on with the trace that a header names, unless what is in front already does.
 *
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export const traced = <A, E, R>(
  traceparent: string | undefined,
  next: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const parent = traceparent === undefined ? undefined : parentOf({ traceparent: traceparent.trim() })
  if (parent === undefined) return next
  return Effect.withFiber(({ context }) =>
    Context.getOrUndefined(context, Tracer.ParentSpan) === undefined
      ? (Effect.provideService(next, Tracer.ParentSpan, parent) as Effect.Effect<A, E, R>) // cast: nobody else need provide it
      : next
  )
}

const LABEL = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
const PREFIX = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/

/** Whether a key of `_meta` has the form that the protocol asks for: an optional dotted prefix and a slash, a name. */
export const isKey = (key: string): boolean => {
  const slash = key.indexOf("/")
  return slash < 0 ? NAME.test(key) : PREFIX.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1))
}

/** Whether a key belongs to the protocol: its prefix's second label is `modelcontextprotocol` or `mcp`. */
export const isReserved = (key: string): boolean => {
  const slash = key.indexOf("/")
  const second = slash < 0 ? undefined : key.slice(0, slash).split(".")[1]
  return second === "modelcontextprotocol" || second === "mcp"
}
