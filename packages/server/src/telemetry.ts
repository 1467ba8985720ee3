import { JsonRpc, Meta, Telemetry } from "@effective-mcp/protocol"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/**
 * How long a server took for each request, in seconds.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export const operationDuration = Metric.histogram("mcp.server.operation.duration", {
  description: "The duration of the MCP request as observed on the receiver, in seconds",
  boundaries: Telemetry.boundaries,
  attributes: { unit: "s" }
})

const outcomeOf = (response: JsonRpc.Response): Telemetry.Attributes => {
  if (!JsonRpc.isSuccess(response)) return Telemetry.failedWith(response.error.code)
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
  const { few, many, text } = Telemetry.targetOf(method, request.params)
  const parent = Meta.parentOf(Meta.of(request.params))
  const common = { "mcp.method.name": method, "mcp.protocol.version": revision }
  const measured = Effect.flatMap(Effect.timed(answer), ([duration, response]) => {
    const outcome = outcomeOf(response)
    // whatever refuses a request may do so before anybody has looked whether there is such a name
    const named = JsonRpc.isSuccess(response) ? few : {}
    const metric = Metric.withAttributes(operationDuration, { ...common, ...named, ...outcome })
    return Effect.as(
      Effect.andThen(Effect.annotateCurrentSpan(outcome), Metric.update(metric, Duration.toMillis(duration) / 1000)),
      response
    )
  })
  return Effect.withSpan(measured, `${method}${text}`, {
    kind: "server",
    attributes: { ...common, ...few, ...many, "jsonrpc.request.id": Telemetry.bounded(String(request.id)) },
    captureStackTrace: false,
    ...(parent === undefined ? undefined : { parent })
  }) as Effect.Effect<JsonRpc.Response, never, R> // cast: `answer` asks for no span of its own
}
