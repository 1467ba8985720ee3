import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Tracer from "effect/Tracer"
import type { CallError } from "./ClientError.ts"
import { type Method, type Methods, nameOf } from "./Methods.ts"
import type { Sender } from "./Send.ts"

/** Bounds in seconds. */
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/**
 * How long a client waited for each request, in seconds.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export const operationDuration = Metric.histogram("mcp.client.operation.duration", {
  description: "The duration of the MCP request as observed on the sender, in seconds",
  boundaries: BOUNDARIES,
  attributes: { unit: "s" }
})

const none: Tracer.Tracer = Context.get(Context.empty(), Tracer.Tracer)

type Attributes = { readonly [name: string]: string }

/** What the request is about, under the name that it has there. */
const targetOf = (method: Method, params: Methods[Method]["params"]) => {
  const name = "name" in params ? params.name : undefined
  if (method === "tools/call" && name !== undefined)
    return { text: ` ${name}`, few: { "gen_ai.tool.name": name, "gen_ai.operation.name": "execute_tool" }, many: {} }
  if (method === "prompts/get" && name !== undefined)
    return { text: ` ${name}`, few: { "gen_ai.prompt.name": name }, many: {} }
  // a URI is no part of a span's name, nor of a metric: there are too many
  return { text: "", few: {}, many: "uri" in params ? { "mcp.resource.uri": params.uri } : {} }
}

const outcomeOf = (method: Method, exit: Exit.Exit<object, CallError>): Attributes => {
  if (Exit.isSuccess(exit)) {
    const isFailed = method === "tools/call" && "isError" in exit.value && exit.value.isError === true
    return isFailed ? { "error.type": "tool_error" } : {}
  }
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return { "error.type": "interrupted" }
  if (error.value._tag === "RpcError") {
    const code = String(error.value.code)
    return { "error.type": code, "rpc.response.status_code": code }
  }
  return { "error.type": error.value._tag === "TransportError" ? error.value.reason._tag : error.value._tag }
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
    if (fiber.getRef(Tracer.Tracer) === none) return next(fiber, method, params, options)
    const { few, many, text } = targetOf(method, params)
    const name = nameOf(method, params)
    const common = { "mcp.method.name": name, "mcp.protocol.version": revision }
    const sent = Effect.flatMap(Effect.orDie(Effect.currentSpan), (span) =>
      next(fiber, method, params, { ...options, meta: { traceparent: traceparentOf(span), ...options.meta } })
    )
    const since = performance.now()
    // on interruption too, which is how a caller cancels
    const measured = Effect.onExit(sent, (exit) => {
      const outcome = outcomeOf(method, exit)
      const metric = Metric.withAttributes(operationDuration, { ...common, ...few, ...outcome })
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
