import { ErrorCode, Telemetry } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import type * as Tracer from "effect/Tracer"
import type { CallError } from "./ClientError.ts"
import { type Method, nameOf } from "./Methods.ts"
import type { Sender } from "./Send.ts"

/**
 * How long a client waited for each request, in seconds.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export const operationDuration = Metric.histogram("mcp.client.operation.duration", {
  description: "The duration of the MCP request as observed on the sender, in seconds",
  boundaries: Telemetry.boundaries,
  attributes: { unit: "s" }
})

const outcomeOf = (method: Method, exit: Exit.Exit<object, CallError>): Telemetry.Attributes => {
  if (Exit.isSuccess(exit)) {
    const isFailed = method === "tools/call" && "isError" in exit.value && exit.value.isError === true
    return isFailed ? { "error.type": "tool_error" } : {}
  }
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return { "error.type": "interrupted" }
  if (error.value._tag === "RpcError") return Telemetry.failedWith(error.value.code)
  return { "error.type": error.value._tag === "TransportError" ? error.value.reason._tag : error.value._tag }
}

/** A code that is nobody's but the peer's is no name of a series: it may be another each time. */
const measuredOf = (outcome: Telemetry.Attributes): Telemetry.Attributes => {
  const code = Number(outcome["rpc.response.status_code"] ?? ErrorCode.InternalError)
  return code >= -32768 && code <= -32000 ? outcome : { "error.type": "_OTHER", "rpc.response.status_code": "_OTHER" }
}

const traceparentOf = ({ sampled, spanId, traceId }: Tracer.AnySpan): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/**
 * Sends every request within a span, measures it, and tells the server of the span in `_meta`: all of it only where
 * somebody has installed a tracer.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export const layer =
  (revision: string) =>
  (next: Sender): Sender =>
  (fiber, method, params, options) => {
    if (!Telemetry.isTraced(fiber)) return next(fiber, method, params, options)
    const { few, many, text } = Telemetry.targetOf(method, params)
    const name = nameOf(method, params)
    const common = { "mcp.method.name": name, "mcp.protocol.version": revision }
    const sent = Effect.flatMap(Effect.orDie(Effect.currentSpan), (span) =>
      next(fiber, method, params, { ...options, meta: { traceparent: traceparentOf(span), ...options.meta } })
    )
    const since = performance.now()
    // on interruption too, which is how a caller cancels
    const measured = Effect.onExit(sent, (exit) => {
      const outcome = outcomeOf(method, exit)
      const metric = Metric.withAttributes(operationDuration, { ...common, ...few, ...measuredOf(outcome) })
      return Effect.andThen(
        Effect.annotateCurrentSpan(outcome),
        Metric.update(metric, (performance.now() - since) / 1000)
      )
    })
    return Effect.withSpan(measured, `${name}${text}`, {
      kind: "client",
      attributes: { ...common, ...few, ...many },
      captureStackTrace: false
    }) as typeof sent // cast: `next` asks for no span of its own
  }
