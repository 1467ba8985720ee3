import { gzipSync } from "node:zlib"
import { JsonRpc } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { Fixture } from "@effective-mcp/testkit"
import { recording } from "@effective-mcp/testkit/test/recording"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { endpointFor } from "../../src/server/endpoint.ts"
import { HttpCall, mount, SseServer } from "../../src/server/index.ts"
import { initialize, local, turn } from "../support/local.ts"

const ping = JsonRpc.request(1, "ping")
const echo = (text: string) => JsonRpc.request(1, "echo", { text })

describe("What an HTTP+SSE server looks at", () => {
  it.effect("a foreign host, or a page of another origin, is refused before anything else", () =>
    Effect.gen(function* () {
      const { send } = yield* local(yield* Fixture.make)
      const headers = { accept: "text/event-stream" }
      for (const more of [{ host: "evil.example" }, { origin: "https://evil.example" }, { origin: "null" }]) {
        const refused = yield* send("/sse", { method: "GET", headers: { ...headers, ...more } })
        expect(refused.status).toBe(403)
        const posted = yield* send("/sse?sessionId=x", { method: "POST", headers: more, body: "{}" })
        expect(posted.status).toBe(403)
      }
    })
  )

  it.effect("a page that is listed may call, and read the answers", () =>
    Effect.gen(function* () {
      const origin = "https://app.example.com"
      const { open, post, send } = yield* local(yield* Fixture.make, { cors: { origins: [origin] } })
      const preflight = yield* send("/sse", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" }
      })
      expect(preflight.status).toBe(204)
      const stream = yield* open({ origin })
      expect(stream.headers.get("access-control-allow-origin")).toBe(origin)
      expect((yield* post(stream.to, echo("x"), { origin })).status).toBe(202)
      yield* stream.leave
    })
  )

  it.effect("methods, media types and encodings that it has no use for are refused: 405, 406, 415", () =>
    Effect.gen(function* () {
      const { ask, get, open, post, send } = yield* local(yield* Fixture.make)
      for (const method of ["PUT", "DELETE", "HEAD", "OPTIONS"]) {
        const refused = yield* send("/sse", { method })
        expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST"])
      }
      expect((yield* get({ accept: "application/json" })).status).toBe(406)
      const { leave, to } = yield* open()
      expect((yield* ask(to, ping, { "content-type": "text/plain" })).status).toBe(415)
      expect((yield* post(to, gzipSync(JSON.stringify(ping)), { "content-encoding": "gzip" })).status).toBe(415)
      yield* leave
    })
  )

  it.effect("a compressed body is taken where that is asked for, and counted as it expands", () =>
    Effect.gen(function* () {
      const { open, post } = yield* local(yield* Fixture.make, { compressed: true, messageBytes: 1_000 })
      const { leave, message, to } = yield* open()
      const gzip = { "content-encoding": "gzip" }
      expect((yield* post(to, gzipSync(JSON.stringify(echo("x"))), gzip)).status).toBe(202)
      expect(yield* message).toMatchObject({ result: { text: "x" } })
      expect((yield* post(to, gzipSync(JSON.stringify(echo("x".repeat(100_000)))), gzip)).status).toBe(413)
      yield* leave
    })
  )

  it.effect("a body that is too long, too deep, no JSON or no message is refused, and answered nowhere else", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* local(yield* Fixture.make, { messageBytes: 1_000, depth: 8 })
      const { leave, message, to } = yield* open()
      expect((yield* ask(to, echo("x".repeat(1_000)))).status).toBe(413)
      const deep = `{"jsonrpc":"2.0","id":7,"method":"echo","params":{"a":${"[".repeat(9)}${"]".repeat(9)}}}`
      expect(yield* ask(to, deep)).toMatchObject({ status: 400, body: { id: 7, error: { code: -32600 } } })
      expect(yield* ask(to, "{")).toMatchObject({ status: 400, body: { error: { code: -32700 } } })
      expect(yield* ask(to, new Uint8Array([0xff]))).toMatchObject({ status: 400, body: { error: { code: -32700 } } })
      for (const wrong of [
        {},
        7,
        { jsonrpc: "2.0", id: 1.5, method: "x" },
        { jsonrpc: "2.0", method: "tools/list" },
        []
      ]) {
        const { body, status } = yield* ask(to, wrong)
        expect([status, body.error.code, "id" in body]).toEqual([400, -32600, false])
      }
      expect((yield* ask(to, echo("last"))).status).toBe(202)
      expect(yield* message).toMatchObject({ result: { text: "last" } })
      yield* leave
    })
  )

  it.effect("batches are taken on 2025-03-26 only, and answered in one", () =>
    Effect.gen(function* () {
      const server = Server.make({ name: "s", version: "1" }, [])
      const { ask, open } = yield* local(server)
      const batch = [JsonRpc.request(1, "ping"), JsonRpc.notification("x"), JsonRpc.request("1", "ping")]
      for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
        const { leave, message, to } = yield* open()
        expect((yield* ask(to, batch)).status).toBe(400)
        yield* ask(to, initialize(version))
        expect(yield* message).toMatchObject({ result: { protocolVersion: version } })
        const { status } = yield* ask(to, batch)
        expect(status).toBe(version === "2025-03-26" ? 202 : 400)
        if (status === 202) {
          expect(yield* message).toEqual([JsonRpc.success(1, {}), JsonRpc.success("1", {})])
        }
        yield* leave
      }
    })
  )

  it.effect("a version that nobody knows is refused once one is agreed on that has the header", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* local(Server.make({ name: "s", version: "1" }, []))
      const version = { "mcp-protocol-version": "1999-01-01" }
      for (const [agreed, status] of [
        ["2024-11-05", 202],
        ["2025-06-18", 400]
      ] as const) {
        const { leave, message, to } = yield* open()
        yield* ask(to, initialize(agreed))
        yield* message
        expect((yield* ask(to, ping, version)).status).toBe(status)
        yield* leave
      }
    })
  )

  it.effect("a modern question gets the answer of a legacy server", () =>
    Effect.gen(function* () {
      const { ask, open } = yield* local(Server.make({ name: "s", version: "1" }, []))
      const { leave, message, to } = yield* open()
      yield* ask(to, JsonRpc.request(1, "server/discover", { _meta: {} }))
      expect(yield* message).toMatchObject({ id: 1, error: { code: -32601 } })
      yield* leave
    })
  )

  it.effect("a handler finds the request that its call came in", () =>
    Effect.gen(function* () {
      const where = Tool.make("where", {
        run: () => Effect.map(HttpCall, ({ request }) => `${request.method} ${request.header("x-who")}`)
      })
      const { ask, open } = yield* local(Server.make({ name: "s", version: "1" }, [where]))
      const { leave, message, to } = yield* open({ "x-who": "stream" })
      for (const who of ["a", "b"]) {
        yield* ask(to, JsonRpc.request(who, "tools/call", { name: "where" }), { "x-who": who })
        expect(yield* message).toMatchObject({ id: who, result: { content: [{ text: `POST ${who}` }] } })
      }
      yield* leave
    })
  )

  it.effect("a caller's trace goes on where the header of its POST tells of it", () =>
    Effect.gen(function* () {
      const [traceId, spanId] = ["a".repeat(32), "b".repeat(16)]
      const { spans, tracer } = recording()
      const server = Server.make({ name: "s", version: "1" }, [Tool.make("ok", { run: () => Effect.succeed("") })])
      const used = Effect.gen(function* () {
        const { ask, open } = yield* local(server)
        const { leave, message, to } = yield* open()
        const call = JsonRpc.request(1, "tools/call", { name: "ok" })
        yield* ask(to, call, { traceparent: `00-${traceId}-${spanId}-01` })
        yield* message
        yield* ask(to, { ...call, id: 2 }, { traceparent: "none" })
        yield* message
        yield* leave
      })
      yield* Effect.withTracer(used, tracer)
      const parents = spans
        .filter(({ name }) => name === "tools/call ok")
        .map(({ parent }) => (parent._tag === "Some" ? [parent.value.traceId, parent.value.spanId] : undefined))
      expect(parents).toEqual([[traceId, spanId], undefined])
    })
  )

  it.effect("clients are told the path of the stream, or where the program says", () =>
    Effect.gen(function* () {
      for (const [asked, messages, told] of [
        ["/sse", undefined, "/sse?sessionId="],
        ["/a/b?c=d", undefined, "/a/b?sessionId="],
        ["//evil.example/sse", undefined, "/evil.example/sse?sessionId="],
        ["/sse", "/api/messages", "/api/messages?sessionId="],
        ["/sse", "/m?tenant=1", "/m?tenant=1&sessionId="],
        ["/sse", "https://host.example/m", "https://host.example/m?sessionId="]
      ] as const) {
        const { open } = yield* local(yield* Fixture.make, { messages })
        const { headers, leave, to } = yield* open({}, asked)
        expect(to.slice(0, -36)).toBe(told)
        expect(headers.get("content-type")).toBe("text/event-stream")
        expect(headers.get("cache-control")).toContain("no-cache")
        yield* leave
      }
    })
  )

  it("no path leads clients to another host", () => {
    for (const url of ["//evil.example/sse", "/\\evil.example/sse", "/\\/\\evil.example/sse"]) {
      const request = { method: "GET", url, header: () => undefined, body: () => Effect.never }
      expect(endpointFor(request, undefined, "1")).toBe("/evil.example/sse?sessionId=1")
    }
  })

  it.effect("an option that is out of range is the author's mistake", () =>
    Effect.gen(function* () {
      const fixture = yield* Fixture.make
      for (const options of [
        { messages: "messages" },
        { messages: "//evil.example/m" },
        { messages: "/a\nb" },
        { messageBytes: 0 },
        { bodiesBytes: 0 },
        { keepAliveMs: -1 },
        { drainMs: Number.NaN },
        { sessions: { most: 0 } }
      ]) {
        expect(() => mount(fixture, options)).toThrow()
      }
      expect(() => mount({ ...fixture, eras: ["modern"] })).toThrow("legacy")
      const { get } = yield* local(() => Effect.succeed({ ...fixture, eras: ["modern"] as const }))
      expect((yield* get()).status).toBe(404)
      expect(SseServer.make).toBeTypeOf("function")
      yield* turn
    })
  )
})
