import { JsonRpc } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { recording } from "@effective-mcp/testkit/test/recording"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Tracer from "effect/Tracer"
import { ask, type Headers, modern, served, session } from "./support/wire.ts"

const server = Server.make({ name: "s", version: "1" }, [Tool.make("ok", { run: () => Effect.succeed("") })])
const id = (digit: string, length: number) => digit.repeat(length)
const traceparent = (digit: string) => `00-${id(digit, 32)}-${id(digit, 16)}-01`

/** The spans of what is done with an endpoint. */
const spansOf = <A, E, R>(use: (url: string) => Effect.Effect<A, E, R>) => {
  const { spans, tracer } = recording()
  const program = Effect.flatMap(Effect.withSpan(served(server), "start"), use)
  return Effect.map(Effect.withTracer(program, tracer), () => spans.filter(({ name }) => name === "tools/call ok"))
}
const parents = (spans: ReadonlyArray<Tracer.Span>) =>
  spans.map(({ parent, traceId }) => [traceId, parent._tag === "Some" ? parent.value.spanId : undefined])

describe("a caller's trace", () => {
  const call = (url: string, meta: JsonRpc.JsonObject, headers: Headers) => {
    const [message, own] = modern(1, "tools/call", { name: "ok", _meta: meta })
    return ask(url, message, { ...own, ...headers })
  }

  it.live("goes on where its header tells of it, in both eras; its _meta comes first", () =>
    Effect.gen(function* () {
      const spans = yield* spansOf(
        Effect.fnUntraced(function* (url) {
          const header = { traceparent: traceparent("a") }
          yield* call(url, {}, header)
          yield* ask(url, JsonRpc.request(1, "tools/call", { name: "ok" }), { ...(yield* session(url)), ...header })
          yield* call(url, { traceparent: traceparent("b") }, header)
        })
      )
      const [a, b] = [
        [id("a", 32), id("a", 16)],
        [id("b", 32), id("b", 16)]
      ]
      expect(parents(spans)).toEqual([a, a, b])
    })
  )

  it.live(
    "is one of its own without one, or with one that is malformed, and never that of what started the server",
    () =>
      Effect.gen(function* () {
        const spans = yield* spansOf((url) =>
          Effect.andThen(call(url, {}, {}), call(url, {}, { traceparent: `00-${id("0", 32)}-${id("a", 16)}-01` }))
        )
        expect(parents(spans).map(([, parent]) => parent)).toEqual([undefined, undefined])
        expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)
      })
  )
})
