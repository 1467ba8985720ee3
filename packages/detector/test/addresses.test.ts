import { ClientResponse, type Interceptor } from "@effective-mcp/http/client"
import { JsonRpc, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { detect, DetectError, type DetectOptions } from "../src/index.ts"
import { error, events, json, memory, status, URL as ADDRESS } from "./support/memory.ts"

const refused = (given: string | URL, options?: DetectOptions) =>
  Effect.map(Effect.flip(detect(given, options)), ({ address, evidence, message, reason }) => {
    expect(address).toBeUndefined()
    expect(evidence).toEqual([])
    return { message, tag: reason._tag }
  })

describe("what is given", () => {
  it.effect("T-66 a local command is not detected: a typed error leads to stdio", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(() => json({}))
      const commands = [
        "npx -y @modelcontextprotocol/server-everything --token=secret",
        "node",
        "./server.js secret",
        "/usr/bin/server secret",
        "C:\\server.exe secret",
        "stdio:server",
        "stdio://server?secret",
        "STDIO:node secret.js",
        "file:///srv/secret.js",
        "httpd -f secret",
        "localhost:3000/secret"
      ]
      for (const given of commands) {
        const { message, tag } = yield* refused(given, { client })
        expect(tag).toBe("LocalCommand")
        expect(message).toContain("spawn of @effective-mcp/transport-stdio")
        expect(message).not.toContain("secret")
      }
      expect(seen).toEqual([])
    })
  )

  it.effect("is refused where no request could be sent to it, and is not repeated", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(() => json({}))
      for (const given of ["", " ", "http://", "https://:1", "ws://h/secret", "ftp://h/secret", "http://u:secret@h/"]) {
        const { message, tag } = yield* refused(given, { client })
        expect(tag).toBe("BadAddress")
        expect(message).not.toContain("secret")
      }
      expect((yield* refused(new URL("https://user@h/"), { client })).tag).toBe("BadAddress")
      expect(seen).toEqual([])
    })
  )

  it.effect("is an address in any case, as text or as a URL, with spaces around it, without its fragment", () =>
    Effect.gen(function* () {
      for (const given of ["HTTP://127.0.0.1/mcp#x", " http://127.0.0.1/mcp\n", new URL(`${ADDRESS}#x`)]) {
        const { client, seen } = memory(() => events)
        yield* detect(given, { client })
        expect(seen.map(({ url }) => url)).toEqual([ADDRESS])
      }
    })
  )
})

describe("what goes with each request", () => {
  const headers = { "X-Key": "secret", Accept: "text/html", "Mcp-Session-Id": "s-9", "content-length": "0" }
  const sse = (): DetectOptions["client"] & object =>
    memory(({ method }, message) => {
      if (method === "DELETE") return status(200)
      if (message.method === "initialize") return status(400, { "mcp-session-id": "s-1" })
      return method === "GET" ? events : json(error(-32600), 400)
    }).client

  it.effect("T-60 headers go with every probe, and change none of what makes it one", () =>
    Effect.gen(function* () {
      let made = 0
      for (const given of [headers, Effect.sync(() => (made++, headers))]) {
        const sent: Array<Readonly<Record<string, string>>> = []
        const see: Interceptor = (request, next) => Effect.suspend(() => (sent.push(request.headers), next(request)))
        const { kind } = yield* detect(ADDRESS, { client: sse(), headers: given, interceptors: [see] })
        expect(kind).toBe("sse")
        expect(sent.map((headers) => headers["x-key"])).toEqual(Array.from({ length: 5 }, () => "secret"))
        expect(sent.map(({ accept }) => accept)).toEqual([
          "application/json, text/event-stream",
          "application/json, text/event-stream",
          "application/json, text/event-stream",
          undefined,
          "text/event-stream"
        ])
        expect(sent.map((headers) => headers["mcp-session-id"])).toEqual([
          undefined,
          undefined,
          undefined,
          "s-1",
          undefined
        ])
        expect(sent.some((headers) => "content-length" in headers || "Accept" in headers)).toBe(false)
      }
      expect(made).toBe(5)
    })
  )

  it.effect("T-60 interceptors see every probe, in their order, and may answer it or send it again", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const { client, seen } = memory(({ headers }) =>
        headers.authorization === "Bearer fresh" ? json({ jsonrpc: "2.0", id: 1, result: {} }) : status(401)
      )
      const signedIn: Interceptor = (request, next) =>
        Effect.flatMap(next(request), (response) => {
          order.push("first")
          return response.status === 401
            ? next({ ...request, headers: { ...request.headers, authorization: "Bearer fresh" } })
            : Effect.succeed(response)
        })
      const noting: Interceptor = (request, next) => Effect.suspend(() => (order.push("second"), next(request)))
      expect((yield* detect(ADDRESS, { client, interceptors: [signedIn, noting] })).kind).toBe("streamable-http")
      expect(order).toEqual(["second", "first", "second"])
      expect(seen.length).toBe(2)
      const cached: Interceptor = () => Effect.succeed(ClientResponse.make({ status: 404 }))
      const { reason } = yield* Effect.flip(detect(ADDRESS, { client, interceptors: [cached] }))
      expect(reason._tag).toBe("NothingHere")
      expect(seen.length).toBe(2)
    })
  )

  it.effect("headers that cannot be had are a typed error", () =>
    Effect.gen(function* () {
      const { client, seen } = memory(() => json({}))
      const headers = Effect.fail(TransportError.make({ _tag: "Unsendable", cause: "none" }, "NotSent"))
      const { reason } = yield* Effect.flip(detect(ADDRESS, { client, headers }))
      expect(reason._tag).toBe("Broken")
      expect(seen).toEqual([])
    })
  )

  it.effect("T-65 the transport is not connected, and carries headers, interceptors and client when it is", () =>
    Effect.gen(function* () {
      const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "m", version: "1" } }
      const { client, seen } = memory((_request, { id }) => json({ jsonrpc: "2.0", id, result }))
      const marked: Interceptor = (request, next) =>
        next({ ...request, headers: { ...request.headers, "x-mark": "1" } })
      const { transport } = yield* detect(`${ADDRESS}?q=1`, {
        client,
        headers: { "X-Key": "k" },
        interceptors: [marked]
      })
      expect(seen.length).toBe(1)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* transport
          expect(seen.length).toBe(1)
          yield* connection.exchange(
            JsonRpc.request(1, "initialize", { protocolVersion: "2025-11-25" }),
            () => Effect.void
          )
        })
      )
      expect(seen.length).toBe(2)
      expect(seen[1]).toMatchObject({ method: "POST", url: `${ADDRESS}?q=1`, headers: { "x-key": "k", "x-mark": "1" } })
    })
  )
})

describe("what an error tells", () => {
  it.effect("the address without its query, the whole ladder, what to do, and no secret", () =>
    Effect.gen(function* () {
      const { client } = memory(({ method }) =>
        method === "GET"
          ? status(200, { "content-type": `text/html\u001b[31m${"x".repeat(500)}` }, "secret")
          : status(404, { "content-type": "text/html" }, "secret")
      )
      const wrong = yield* Effect.flip(
        detect(`${ADDRESS}?key=secret`, { client, headers: { authorization: "Bearer secret" } })
      )
      expect(wrong).toBeInstanceOf(DetectError)
      expect(wrong.address).toBe(ADDRESS)
      expect(wrong.message).toContain(`${ADDRESS}: nothing`)
      expect(wrong.message).toContain("(POST ping: 404 text/html; GET: 200 ")
      expect(wrong.message).not.toContain("\u001b")
      expect(wrong.message.length).toBeLessThan(500)
      expect(JSON.stringify([wrong, wrong.evidence, wrong.message])).not.toContain("secret")
      expect(wrong.evidence[1]?.mediaType?.length).toBeLessThan(110)
    })
  )

  it.effect("what to do about it", () =>
    Effect.gen(function* () {
      const told = (code: number, headers: Record<string, string>, body = "") =>
        Effect.map(Effect.flip(detect(ADDRESS, { client: memory(() => status(code, headers, body)).client })), String)
      expect(yield* told(401, {})).toContain("give it headers")
      expect(yield* told(429, { "retry-after": "7" })).toContain("try again in 7 s")
      expect(yield* told(503, {})).toContain("try again later")
      expect(yield* told(302, { location: "//b.example/x?secret" })).toContain("to http://b.example, which is not")
      expect(yield* told(404, {})).toContain("look at the address")
    })
  )
})
