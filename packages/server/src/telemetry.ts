import { clip, JsonRpc, Meta } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"

/** Bounds in seconds. */
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/**
 * How long a server took for each request, in seconds.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export const operationDuration = Metric.histogram("mcp.server.operation.duration", {
  description: "The duration of the MCP request as observed on the receiver, in seconds",
  boundaries: BOUNDARIES,
  attributes: { unit: "s" }
})

/** Whether somebody has installed a tracer: without one nothing is measured. */
export const isTraced = ({ cache: { tracer } }: Fiber.Fiber<unknown, unknown>): boolean => tracer !== undefined

type Attributes = { readonly [name: string]: string }

/** Characters of what a peer chose that a span keeps whole: exporters hold many spans. */
const LONGEST = 1_024

const bounded = (text: string): string => (text.length > LONGEST ? clip(text) : text)

/** What the request is about, under the name that it has there. */
const targetOf = ({ method, params }: JsonRpc.Request): { readonly text?: string; readonly attributes: Attributes } => {
  const { name: named, uri } = params ?? {}
  const name = typeof named === "string" ? bounded(named) : undefined
  if (method === "tools/call" && name !== undefined)
    return { text: name, attributes: { "gen_ai.tool.name": name, "gen_ai.operation.name": "execute_tool" } }
  if (method === "prompts/get" && name !== undefined) return { text: name, attributes: { "gen_ai.prompt.name": name } }
  // a URI is no part of a span's name, nor of a metric: there are too many
  if (method.startsWith("resources/") && typeof uri === "string")
    return { attributes: { "mcp.resource.uri": bounded(uri) } }
  return { attributes: {} }
}

const outcomeOf = (response: JsonRpc.Response): Attributes => {
  if (!JsonRpc.isSuccess(response)) {
    const code = String(response.error.code)
    return { "error.type": code, "rpc.response.status_code": code }
  }
  return response.result.isError === true ? { "error.type": "tool_error" } : {}
}

/**
 * Answers a request within a span, and measures it, as OpenTelemetry names them. The span goes on with the caller's
 * trace where its `_meta` carries one.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export const traced = <R>(
  revision: string,
  request: JsonRpc.Request,
  isKnown: boolean,
  answer: Effect.Effect<JsonRpc.Response, never, R>
): Effect.Effect<JsonRpc.Response, never, R> => {
  // what a peer made up is no name of a series
  const method = isKnown ? request.method : "_OTHER"
  const { attributes, text } = isKnown ? targetOf(request) : { attributes: {} }
  const parent = Meta.parentOf(Meta.of(request.params))
  const common = { "mcp.method.name": method, "mcp.protocol.version": revision }
  const measured = Effect.flatMap(Effect.timed(answer), ([duration, response]) => {
    const outcome = outcomeOf(response)
    const { "mcp.resource.uri": _many, ...few } = attributes
    // whatever refuses a request may do so before anybody has looked whether there is such a name
    const named = JsonRpc.isSuccess(response) ? few : {}
    const metric = Metric.withAttributes(operationDuration, { ...common, ...named, ...outcome })
    return Effect.as(
      Effect.andThen(Effect.annotateCurrentSpan(outcome), Metric.update(metric, Duration.toMillis(duration) / 1000)),
      response
    )
  })
  return Effect.withSpan(measured, text === undefined ? method : `${method} ${text}`, {
    kind: "server",
    attributes: { ...common, ...attributes, "jsonrpc.request.id": bounded(String(request.id)) },
    captureStackTrace: false,
    ...(parent === undefined ? undefined : { parent })
  }) as Effect.Effect<JsonRpc.Response, never, R> // cast: `answer` asks for no span of its own
}
