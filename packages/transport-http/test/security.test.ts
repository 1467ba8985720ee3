import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Host from "./support/host.ts"
import { ask, get, initialize, JSON_HEADERS, modern, post, send, served, session } from "./support/wire.ts"

const refusal = (message: string) => ({ jsonrpc: "2.0", error: { code: -32600, message } })

const hostile = "http://evil.example.com"

describe("who may ask", () => {
  it.live("S-12 S-15 a foreign Host or Origin is refused before anything runs, in both eras, with no option set", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const url = yield* served(host)
      const port = new URL(url).port
      for (const [headers, what] of [
        [{ host: "evil.example.com" }, "Host"],
        [{ host: `evil.example.com:${port}`, origin: hostile }, "Host"],
        [{ host: `localhost.evil.example.com:${port}` }, "Host"],
        [{ origin: hostile }, "Origin"],
        [{ origin: "null" }, "Origin"],
        [{ origin: `http://localhost:${Number(port) + 1}` }, "Origin"],
        [{ origin: `http://127.0.0.1.evil.example.com:${port}` }, "Origin"]
      ] as const) {
        for (const [message, more] of [[initialize(), {}] as const, modern(1, "echo")]) {
          const { body, status } = yield* ask(url, message, { ...more, ...headers })
          expect([status, body]).toEqual([403, refusal(`Forbidden: this ${what} is not allowed`)])
        }
        expect((yield* get(url, headers)).status).toBe(403)
      }
      expect(host.begun()).toBe(0)
    })
  )

  it.live("S-12 loopback names on any port pass, with no Origin or the server's own", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const { port } = new URL(url)
      for (const headers of [
        {},
        { host: "localhost" },
        { host: `LOCALHOST:${port}`, origin: `http://localhost:${port}` },
        { host: "[::1]:8080", origin: "http://[::1]:8080" },
        { origin: `http://127.0.0.1:${port}` }
      ]) {
        const [message, more] = modern(1, "echo")
        expect((yield* ask(url, message, { ...more, ...headers })).status).toBe(200)
        expect((yield* ask(url, initialize(), headers)).status).toBe(200)
      }
    })
  )

  it.live("S-13 S-14 hosts and origins can be listed, and the check can be given up", () =>
    Effect.gen(function* () {
      const [message, more] = modern(1, "echo")
      const guard = { hosts: ["api.example.com", "exact.example.com:444"], origins: ["https://app.example.com"] }
      const url = yield* served(yield* Host.make, { guard })
      for (const [host, origin, status] of [
        ["API.example.com:99", undefined, 200],
        ["exact.example.com:444", undefined, 200],
        ["exact.example.com:445", undefined, 403],
        ["localhost", undefined, 403],
        ["api.example.com", "https://app.example.com", 200],
        ["api.example.com", "https://app.example.com.evil.example", 403]
      ] as const) {
        expect((yield* ask(url, message, { ...more, host, origin })).status).toBe(status)
      }
      const open = yield* served(yield* Host.make, { guard: false })
      expect((yield* ask(open, message, { ...more, host: "any.example", origin: hostile })).status).toBe(200)
    })
  )

  it.live("says nothing of CORS unless asked, and then only to the origins that are listed", () =>
    Effect.gen(function* () {
      const [message, more] = modern(1, "echo")
      const preflight = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "mcp-param-x, x-evil, traceparent"
      }
      const plain = yield* served(yield* Host.make)
      const { host } = new URL(plain)
      const silent = yield* ask(plain, message, { ...more, origin: `http://${host}` })
      expect(Object.keys(silent.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
      const refused = yield* send(plain, { method: "OPTIONS", headers: preflight })
      expect([refused.status, refused.headers.allow]).toEqual([405, "POST, GET, DELETE"])

      const origin = "https://app.example.com"
      const url = yield* served(yield* Host.make, { cors: { origins: [origin] } })
      const before = yield* send(url, { method: "OPTIONS", headers: { ...preflight, origin } })
      expect(before.status).toBe(204)
      expect(before.headers).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "POST, GET, DELETE",
        "access-control-allow-headers": "mcp-param-x, traceparent"
      })
      const { headers, status } = yield* ask(url, message, { ...more, origin })
      expect([status, headers["access-control-allow-origin"], headers.vary]).toEqual([200, origin, "Origin"])
      expect(headers["access-control-expose-headers"]).toContain("Mcp-Session-Id")
      expect((yield* ask(url, message, { ...more, origin: hostile })).status).toBe(403)
      const rebound = yield* send(url, { method: "OPTIONS", headers: { ...preflight, origin, host: "evil.example" } })
      expect([rebound.status, rebound.headers["access-control-allow-origin"]]).toEqual([403, undefined])
    })
  )
})

describe("what may be sent", () => {
  const echo = modern(1, "echo")

  it.live("HTTP-07 S-38 only JSON is taken, whatever its parameters and case", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      for (const [type, status] of [
        ["text/plain", 415],
        ["text/plain; a=application/json", 415],
        [undefined, 415],
        ["application/json-patch+json", 415],
        ["APPLICATION/JSON", 200],
        ["application/json; charset=utf-8", 200],
        ["application/json;", 200]
      ] as const) {
        const headers = {
          accept: JSON_HEADERS.accept,
          ...echo[1],
          ...(type === undefined ? {} : { "content-type": type })
        }
        const answer = yield* send(url, { headers, body: JSON.stringify(echo[0]) })
        expect([type, answer.status]).toEqual([type, status])
      }
    })
  )

  it.live("S-38 both kinds of answer must be accepted", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      for (const [accept, status] of [
        ["application/json", 406],
        ["text/event-stream", 406],
        ["text/html", 406],
        ["application/json, text/event-stream;q=0", 406],
        ["*/*", 200],
        ["text/*, application/*;q=0.5", 200],
        ["Application/JSON, Text/Event-Stream", 200]
      ] as const) {
        expect([accept, (yield* ask(url, echo[0], { ...echo[1], accept })).status]).toEqual([accept, status])
      }
      const opened = yield* session(url)
      expect((yield* get(url, { ...opened, accept: "application/json" })).status).toBe(406)
    })
  )

  it.live("S-33 a body over the limit is refused, by its length and while it comes, in both eras", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const url = yield* served(host, { messageBytes: 1_000 })
      const long = "x".repeat(2_000)
      for (const [message, headers] of [modern(1, "echo", { long }), [{ ...initialize(), long }, {}] as const]) {
        const { body, status } = yield* ask(url, message, headers)
        expect([status, body]).toEqual([413, refusal("Invalid request: the body is too large")])
        const chunked = yield* post(url, message, { ...headers, "transfer-encoding": "chunked" })
        expect(chunked.status).toBe(413)
      }
      const exact = JSON.stringify(echo[0])
      const most = yield* served(host, { messageBytes: exact.length })
      expect((yield* ask(most, exact, echo[1])).status).toBe(200)
      expect((yield* ask(most, `${exact} `, echo[1])).status).toBe(413)
      expect(host.begun()).toBe(0)
    })
  )

  it.live("HTTP-11 a compressed body is refused unless it is asked for, and then counted expanded", () =>
    Effect.gen(function* () {
      const gzip = (text: string) =>
        Effect.promise(async () => {
          const through = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))
          return new Uint8Array(await new Response(through).arrayBuffer())
        })
      const body = yield* gzip(JSON.stringify(echo[0]))
      const bomb = yield* gzip(" ".repeat(3_000_000))
      const headers = { ...JSON_HEADERS, ...echo[1], "content-encoding": "gzip" }
      const closed = yield* served(yield* Host.make)
      expect((yield* send(closed, { headers, body })).status).toBe(415)
      const open = yield* served(yield* Host.make, { compressed: true, messageBytes: 1_000_000 })
      expect((yield* send(open, { headers, body })).status).toBe(200)
      expect((yield* send(open, { headers, body: bomb })).status).toBe(413)
      expect((yield* send(open, { headers, body: body.slice(0, 20) })).status).toBe(400)
      expect((yield* send(open, { headers: { ...headers, "content-encoding": "br" }, body })).status).toBe(415)
    })
  )

  it.live(
    "S-34 S-44 RPC-16 what is no message is refused with what can be told of it, and nothing of its content",
    () =>
      Effect.gen(function* () {
        const url = yield* served(yield* Host.make)
        const deep = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`
        for (const [text, error, id] of [
          ["{oops secret", -32700, undefined],
          ["", -32700, undefined],
          ["\ufeff{", -32700, undefined],
          ['{"jsonrpc":"2.0","id":4}', -32600, 4],
          ['{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5],
          ['{"id":6,"method":"ping"}', -32600, 6],
          ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, undefined],
          [`{"jsonrpc":"2.0","id":7,"method":"echo","params":${deep}}`, -32600, 7],
          ["[]", -32600, undefined]
        ] as const) {
          const { body, status } = yield* ask(url, text)
          expect([text, status, body.error.code, body.id]).toEqual([text, 400, error, id])
          expect(JSON.stringify(body)).not.toContain("secret")
        }
        const bytes = Uint8Array.of(0x22, 0xff, 0x22)
        expect((yield* send(url, { headers: JSON_HEADERS, body: bytes })).status).toBe(400)
        const [crash, headers] = modern(8, "crash")
        const { body } = yield* ask(url, crash, headers)
        expect(body).toEqual(JsonRpc.failure(8, { code: -32603, message: "Internal error" }))
      })
  )

  it.live("RPC-06 a notification with an id, and a request without one, are refused and open no session", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const url = yield* served(host)
      const { id: _id, ...opening } = initialize()
      const wrong = yield* ask(url, { jsonrpc: "2.0", id: 5, method: "notifications/initialized" })
      expect([wrong.status, wrong.body.id, wrong.body.error.code]).toEqual([400, 5, -32600])
      for (const message of [opening, { jsonrpc: "2.0", method: "tools/call", params: { name: "x" } }]) {
        expect((yield* ask(url, message)).status).toBe(400)
      }
      expect(host.begun()).toBe(0)
    })
  )

  it.live("S-05 one endpoint takes POST, GET and DELETE; all else is 405, and other paths are 404", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      for (const method of ["PUT", "PATCH", "HEAD", "OPTIONS"]) {
        const { headers, status } = yield* send(url, { method })
        expect([method, status, headers.allow]).toEqual([method, 405, "POST, GET, DELETE"])
      }
      expect((yield* get(`${url}/other`)).status).toBe(404)
      expect((yield* get(new URL("/", url).href)).status).toBe(404)
    })
  )
})
