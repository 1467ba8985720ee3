import { Prompt, Resource, Server, Tool, ToolError } from "@effective-mcp/server"
import { JsonRpc, RpcError } from "@effective-mcp/protocol"
import { recording } from "@effective-mcp/testkit/test/recording"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Tracer from "effect/Tracer"
import { eras } from "./both.ts"
import { info, modern, wire } from "./wire.ts"

const features = [
  Tool.make("ok", { run: () => Effect.withSpan(Effect.succeed(""), "inner") }),
  Tool.make("fails", { run: () => Effect.fail(new ToolError({ message: "no" })) }),
  Prompt.make("p", { run: () => Effect.succeed("") }),
  Resource.make("a://b", { read: Effect.succeed("") })
]
const server = Server.make(info, features)

const attributes = (span: Tracer.Span | undefined) => Object.fromEntries(span?.attributes ?? [])

const trace = <A>(use: Effect.Effect<A>) => {
  const { spans, tracer } = recording()
  return Effect.map(Effect.withTracer(use, tracer), () => spans)
}

const measured = Effect.map(Metric.snapshot, (all) =>
  all.filter(({ id }) => id === "mcp.server.operation.duration").map(({ attributes }) => attributes)
)

describe("a server with a tracer", () => {
  for (const [era, params] of eras) {
    const version = era === "modern" ? "2026-07-28" : "2025-11-25"
    const cases = [
      [
        "tools/call",
        { name: "ok" },
        "tools/call ok",
        { "gen_ai.tool.name": "ok", "gen_ai.operation.name": "execute_tool" }
      ],
      ["tools/call", { name: "fails" }, "tools/call fails", { "error.type": "tool_error" }],
      ["prompts/get", { name: "p" }, "prompts/get p", { "gen_ai.prompt.name": "p" }],
      ["resources/read", { uri: "a://b" }, "resources/read", { "mcp.resource.uri": "a://b" }],
      ["tools/list", {}, "tools/list", {}],
      ["made/up", {}, "_OTHER", { "error.type": "-32601", "rpc.response.status_code": "-32601" }]
    ] as const
    for (const [method, asked, name, expected] of cases) {
      it.effect(`has a span for each request of ${era}, as OpenTelemetry names it: ${name}`, () =>
        Effect.scoped(
          Effect.gen(function* () {
            const spans = yield* trace(
              Effect.scoped(Effect.flatMap(wire(server), ({ ask }) => ask(method, params(asked))))
            )
            const span = spans.find((span) => span.name === name)
            expect(span?.kind).toBe("server")
            expect(attributes(span)).toMatchObject({
              "mcp.method.name": name.split(" ")[0],
              "mcp.protocol.version": version,
              "jsonrpc.request.id": "ask 1",
              ...expected
            })
            expect(yield* measured).toContainEqual(
              expect.objectContaining({ "mcp.method.name": name.split(" ")[0], "mcp.protocol.version": version })
            )
          })
        )
      )
    }
  }
  it.effect("goes on with the caller's trace, and handlers with the server's", () =>
    Effect.gen(function* () {
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
      const spans = yield* trace(
        Effect.scoped(
          Effect.flatMap(wire(server), ({ ask }) => ask("tools/call", modern({ name: "ok" }, { traceparent })))
        )
      )
      const span = spans.find(({ name }) => name === "tools/call ok")
      expect(span?.traceId).toBe("0af7651916cd43dd8448eb211c80319c")
      expect(span?.parent).toMatchObject({ _tag: "Some", value: { spanId: "00f067aa0ba902b7", sampled: true } })
      const inner = spans.find(({ name }) => name === "inner")
      expect(inner?.parent).toMatchObject({ _tag: "Some", value: { spanId: span?.spanId } })
    })
  )
  for (const traceparent of ["", "00-0-0-0", 7, "00-00000000000000000000000000000000-00f067aa0ba902b7-01"]) {
    it.effect(`does without a trace context that is none: ${JSON.stringify(traceparent)}`, () =>
      Effect.gen(function* () {
        const spans = yield* trace(
          Effect.scoped(Effect.flatMap(wire(server), ({ ask }) => ask("tools/list", modern({}, { traceparent }))))
        )
        expect(spans.find(({ name }) => name === "tools/list")?.parent).not.toMatchObject({ value: { spanId: "0" } })
      })
    )
  }
  it.effect("measures no names that a peer makes up", () =>
    Effect.gen(function* () {
      yield* trace(
        Effect.scoped(
          Effect.flatMap(wire(server), ({ ask }) =>
            Effect.andThen(ask("made/up2", modern()), ask("tools/call", modern({ name: "made-up-tool" })))
          )
        )
      )
      expect(JSON.stringify(yield* measured)).not.toContain("made")
    })
  )
  it.effect("measures none where something refuses before they are looked up", () =>
    Effect.gen(function* () {
      const refusing = Server.make(info, features, {
        middleware: [() => Effect.fail(new RpcError({ code: -32000, message: "Slow down" }))]
      })
      yield* trace(
        Effect.scoped(
          Effect.flatMap(wire(refusing), ({ ask }) =>
            Effect.andThen(
              ask("tools/call", modern({ name: "made-up-tool" })),
              ask("prompts/get", modern({ name: "made-up-prompt" }))
            )
          )
        )
      )
      expect(JSON.stringify(yield* measured)).not.toContain("made")
    })
  )
  it.effect("keeps of what a peer chose no more than a span has room for", () =>
    Effect.gen(function* () {
      const long = "x".repeat(100_000)
      const spans = yield* trace(
        Effect.scoped(
          Effect.flatMap(wire(server), ({ answerTo, say }) =>
            Effect.andThen(
              say(
                JsonRpc.request(long, "tools/call", modern({ name: long })),
                JsonRpc.request("read", "resources/read", modern({ uri: long }))
              ),
              Effect.andThen(answerTo(long), answerTo("read"))
            )
          )
        )
      )
      expect(spans.map(({ name }) => name)).toHaveLength(2)
      for (const span of spans) expect(`${span.name}${JSON.stringify(attributes(span))}`.length).toBeLessThan(1_000)
    })
  )
})

describe("a server without a tracer", () => {
  it.effect("measures nothing", () =>
    Effect.gen(function* () {
      const only = Server.make(info, [Tool.make("unmeasured", { run: () => Effect.succeed("") })])
      const { result } = yield* wire(only)
      yield* result("tools/call", modern({ name: "unmeasured" }))
      expect(JSON.stringify(yield* measured)).not.toContain("unmeasured")
    })
  )
})
