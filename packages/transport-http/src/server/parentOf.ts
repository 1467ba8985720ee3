import type { HttpRequest } from "@effective-mcp/http"
import { Meta } from "@effective-mcp/protocol"
import * as Tracer from "effect/Tracer"

/**
 * The caller's span, as the head of its request names it; undefined where it names none.
 *
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export const parentOf = (request: HttpRequest): Tracer.ExternalSpan | undefined => {
  const header = request.header("traceparent")
  const context = header === undefined ? undefined : Meta.traceContext({ traceparent: header.trim() })
  if (context === undefined) return undefined
  const [, traceId = "", spanId = "", flags = "00"] = context.traceparent.split("-")
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}
