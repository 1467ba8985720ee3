import { RpcError, TransportError } from "@effective-mcp/protocol"
import { recording } from "@effective-mcp/testkit/test/recording"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import { layer } from "../src/telemetry.ts"
import { type Answer, inFiber, session } from "./layers.ts"

const traced = inFiber(layer("2026-07-28"))

const cases: ReadonlyArray<readonly [string, Answer, object]> = [
  ["a result", Effect.succeed({ content: [] }), {}],
  ["a tool that failed", Effect.succeed({ content: [], isError: true }), { "error.type": "tool_error" }],
  [
    "an error response",
    Effect.fail(new RpcError({ code: -32602, message: "" })),
    { "error.type": "-32602", "rpc.response.status_code": "-32602" }
  ],
  ["a wire that failed", Effect.fail(TransportError.make({ _tag: "Closed" })), { "error.type": "Closed" }]
]

describe("a client with a tracer", () => {
  for (const [what, answer, outcome] of cases) {
    it.effect(`has a span for each request, as OpenTelemetry names it: ${what}`, () =>
      Effect.gen(function* () {
        const { spans, tracer } = recording()
        const { send, sent } = session(() => answer)
        yield* Effect.exit(traced(send)("tools/call", { name: "add" })).pipe(Effect.withTracer(tracer))
        const [span] = spans
        expect(span).toMatchObject({ name: "tools/call add", kind: "client" })
        const attributes = {
          "mcp.method.name": "tools/call",
          "mcp.protocol.version": "2026-07-28",
          "gen_ai.tool.name": "add",
          "gen_ai.operation.name": "execute_tool",
          ...outcome
        }
        expect(Object.fromEntries(span?.attributes ?? [])).toEqual(attributes)
        expect(sent[0]?.options?.meta).toEqual({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` })
        const all = yield* Metric.snapshot
        expect(
          all.filter(({ id }) => id === "mcp.client.operation.duration").map((one) => one.attributes)
        ).toContainEqual(expect.objectContaining(attributes))
      })
    )
  }
  it.effect("names no resource in a span's name, and none in a metric", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recording()
      const { send } = session(() => Effect.succeed({ contents: [] }))
      yield* traced(send)("resources/read", { uri: "file:///many" }).pipe(Effect.withTracer(tracer))
      expect(spans[0]?.name).toBe("resources/read")
      expect(spans[0]?.attributes.get("mcp.resource.uri")).toBe("file:///many")
      const all = yield* Metric.snapshot
      expect(JSON.stringify(all.map((one) => one.attributes))).not.toContain("file:///many")
    })
  )
  it.effect("measures no codes that a peer makes up", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recording()
      for (const code of [7_654_321, -7_654_322]) {
        const { send } = session(() => Effect.fail(new RpcError({ code, message: "" })))
        yield* Effect.exit(traced(send)("tools/list", {})).pipe(Effect.withTracer(tracer))
      }
      expect(spans[0]?.attributes.get("error.type")).toBe("7654321")
      const all = yield* Metric.snapshot
      expect(JSON.stringify(all.map((one) => one.attributes))).not.toContain("76543")
    })
  )
  it.effect("tells of a request that was interrupted", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recording()
      const { send } = session(() => Effect.never)
      const fiber = yield* Effect.forkChild(traced(send)("tools/list", {}).pipe(Effect.withTracer(tracer)), {
        startImmediately: true
      })
      yield* Fiber.interrupt(fiber)
      expect(spans[0]?.attributes.get("error.type")).toBe("interrupted")
    })
  )
})

describe("a client without a tracer", () => {
  it.effect("says nothing of spans", () =>
    Effect.gen(function* () {
      const { send, sent } = session(() => Effect.succeed({ tools: [] }))
      yield* traced(send)("tools/list", {})
      expect(sent[0]?.options).toEqual({})
    })
  )
})
