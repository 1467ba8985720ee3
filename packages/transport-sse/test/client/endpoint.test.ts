import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { connect, type Options, withApiKey } from "../../src/client/index.ts"
import { ask, failureOf, logged, quiet, reach } from "../support/asking.ts"
import { endpoint, event, result, scripted, usual } from "../support/scripted.ts"

describe("The endpoint of an HTTP+SSE server", () => {
  it.live("T-40 the stream's address is all that is needed", () =>
    Effect.gen(function* () {
      // @ts-expect-error: there is no server without an address
      expect(() => connect()).toBeTypeOf("function")
      const server = yield* scripted(usual())
      const connection = yield* reach(server.url)
      expect(yield* ask(connection, 1)).toEqual(result(1))
      expect(server.gets()[0]).toMatchObject({ path: "/sse", headers: { accept: "text/event-stream" } })
    })
  )

  it.live("T-41 messages go where the server's endpoint event says", () =>
    Effect.gen(function* () {
      const server = yield* scripted(usual(undefined, "/elsewhere/m?sid=a%20b&x=1"))
      const connection = yield* reach(server.url)
      yield* ask(connection, 1)
      const [post] = server.posts()
      expect(post).toMatchObject({
        path: "/elsewhere/m?sid=a%20b&x=1",
        headers: { "content-type": "application/json" }
      })
      expect(post?.body).toEqual({ jsonrpc: "2.0", id: 1, method: "ping" })
    })
  )

  for (const [said, path] of [
    ["/m?sid=1", "/m?sid=1"],
    ["m?sid=1", "/api/m?sid=1"],
    ["?sid=1", "/api/sse?sid=1"],
    ["../m", "/m"]
  ] as const) {
    it.live(`T-42 an endpoint of ${said} is relative to the stream`, () =>
      Effect.gen(function* () {
        const server = yield* scripted(usual(undefined, said))
        const connection = yield* reach(`${server.origin}/api/sse`)
        yield* ask(connection, 1)
        expect(server.posts()[0]?.path).toBe(path)
      })
    )
  }

  it.live("T-42 a whole address on the same origin is as good", () =>
    Effect.gen(function* () {
      const server = yield* scripted((seen, reply) => answer(seen, reply))
      const answer = usual(undefined, `${server.origin}/whole`)
      const connection = yield* reach(server.url)
      yield* ask(connection, 1)
      expect(server.posts()[0]?.path).toBe("/whole")
    })
  )

  for (const said of [
    "https://evil.example/p",
    "https://127.0.0.1/p",
    "http://127.0.0.1:1/p",
    "javascript:alert(1)",
    "//evil.example/p",
    "HOST@evil.example/p",
    "http://user:secret@HOST/p",
    "blob:http://HOST/p"
  ]) {
    it.live(`T-43 LEG-02 an endpoint of ${said} is refused, and nothing is sent there`, () =>
      Effect.gen(function* () {
        const server = yield* scripted((seen, reply) => answer(seen, reply))
        const host = server.origin.slice("http://".length)
        const named = said.startsWith("HOST") ? server.origin + said.slice(4) : said.replace("HOST", host)
        const answer = usual(undefined, named)
        const sent: Array<string> = []
        const error = yield* failureOf(
          Effect.scoped(
            connect(server.url, {
              ...quiet,
              apiKey: "secret",
              interceptors: [(request, next) => (sent.push(request.url), next(request))]
            })
          )
        )
        expect(error.reason).toMatchObject({ _tag: "Redirected", why: "Endpoint" })
        expect(error.outcome).toBe("NotSent")
        expect(error.message).not.toContain("secret")
        expect(sent).toEqual([server.url])
      })
    )
  }

  it.live("T-44 a fixed endpoint is where messages go, on whatever origin, with the server's query", () =>
    Effect.gen(function* () {
      const messages = yield* scripted((_seen, reply) => reply.whole(202))
      const server = yield* scripted((seen, reply) => {
        reply.stream()
        reply.write(endpoint("https://elsewhere.example/m?sid=7"))
        reply.write(event(result(1)))
        reply.write(event(result(1)))
        expect(seen.method).toBe("GET")
      })
      const fixed = `${messages.origin}/messages`
      const connection = yield* reach(server.url, { messageEndpoint: fixed })
      yield* connection.send(JsonRpc.notification("note"))
      expect(messages.posts().map(({ path }) => path)).toEqual(["/messages?sid=7"])
    })
  )

  it.live("T-44 a fixed endpoint with a query stays as it is, and waits for no event", () =>
    Effect.gen(function* () {
      const server = yield* scripted((seen, reply) => (seen.method === "GET" ? reply.stream() : reply.whole(202)))
      const connection = yield* reach(server.url, { messageEndpoint: `${server.origin}/m?sid=own` })
      yield* connection.send(JsonRpc.notification("note"))
      expect(server.posts()[0]?.path).toBe("/m?sid=own")
    })
  )

  it.effect("T-44 a fixed endpoint is used after a while where the server names none", () =>
    Effect.gen(function* () {
      const server = yield* scripted((seen, reply) => (seen.method === "GET" ? reply.stream() : reply.whole(202)))
      const sent = Effect.flatMap(reach(server.url, { messageEndpoint: `${server.origin}/m` }), (connection) =>
        connection.send(JsonRpc.notification("note"))
      )
      const fiber = yield* Effect.forkScoped(sent)
      while (fiber.pollUnsafe() === undefined) {
        // what is up to the socket takes no time of the clock's
        if (server.gets().length > 0) yield* TestClock.adjust(10)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      yield* Fiber.join(fiber)
      expect(server.posts()[0]?.path).toBe("/m")
    })
  )

  it.live("T-45 headers go with every request, but for the transport's own", () =>
    Effect.gen(function* () {
      const server = yield* scripted(usual())
      const headers = { Authorization: "Basic abc", "X-Tenant": "7", Accept: "text/html", "Content-Type": "text/plain" }
      const connection = yield* reach(server.url, { headers })
      yield* ask(connection, 1)
      for (const seen of server.seen)
        expect(seen.headers).toMatchObject({ authorization: "Basic abc", "x-tenant": "7" })
      expect(server.gets()[0]?.headers.accept).toBe("text/event-stream")
      expect(server.posts()[0]?.headers["content-type"]).toBe("application/json")
    })
  )

  it.live("T-45 a key stands alone: it is an error of types to give headers as well, and they do not count", () =>
    Effect.gen(function* () {
      const server = yield* scripted(usual())
      // @ts-expect-error: one or the other
      const both: Options = { apiKey: "key", headers: { "x-tenant": "7" } }
      const connection = yield* reach(server.url, both)
      yield* ask(connection, 1)
      for (const { headers } of server.seen) {
        expect(headers.authorization).toBe("Bearer key")
        expect(headers).not.toHaveProperty("x-tenant")
      }
      expect(server.seen).toHaveLength(2)
    })
  )

  it.live("T-46 both addresses and a key are one call", () =>
    Effect.gen(function* () {
      const messages = yield* scripted((_seen, reply) => reply.whole(202))
      const server = yield* scripted(usual())
      const connection = yield* withApiKey(server.url, `${messages.origin}/m?x=1`, "key")
      yield* connection.send(JsonRpc.notification("note"))
      expect(server.gets()[0]?.headers.authorization).toBe("Bearer key")
      expect(messages.posts()[0]).toMatchObject({ path: "/m?x=1", headers: { authorization: "Bearer key" } })
    })
  )

  it.live("LEG-03 an endpoint whose fields come in another order, after CR LF, is one", () =>
    Effect.gen(function* () {
      const server = yield* scripted(
        usual((seen, reply) => {
          if (seen.method !== "GET") return false
          reply.stream()
          reply.write("data: /m?sid=1\r\nevent: endpoint\r\n\r\n")
          return true
        })
      )
      expect(yield* ask(yield* reach(server.url), 1)).toEqual(result(1))
      expect(server.posts()[0]?.path).toBe("/m?sid=1")
    })
  )

  it.live("LEG-03 a message before the endpoint is held", () =>
    Effect.gen(function* () {
      const early = JsonRpc.notification("notifications/tools/list_changed")
      const server = yield* scripted(
        usual((seen, reply) => {
          if (seen.method !== "GET") return false
          reply.stream()
          reply.write(event(early) + endpoint("/m"))
          return true
        })
      )
      const connection = yield* reach(server.url)
      expect(yield* ask(connection, 1)).toEqual(result(1))
      expect(yield* Effect.flatMap(connection.incoming, (pull) => pull)).toEqual([early])
    })
  )

  it.effect("LEG-03 a server that names no endpoint in 30 s is given up", () =>
    Effect.gen(function* () {
      for (const said of [undefined, ":\n\n", event(JsonRpc.notification("x")), "event: endpoint\ndata: /m\n"]) {
        const server = yield* scripted((_seen, reply) => {
          reply.stream()
          if (said !== undefined) reply.write(said)
        })
        const fiber = yield* Effect.forkScoped(failureOf(Effect.scoped(reach(server.url))))
        while (fiber.pollUnsafe() === undefined) {
          yield* TestClock.adjust(1_000)
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        }
        const error = yield* Fiber.join(fiber)
        expect(error.reason).toMatchObject({ _tag: "TimedOut", afterMs: 30_000 })
        expect(error.outcome).toBe("NotSent")
      }
    })
  )

  it.live("LEG-03 a second endpoint is left out, and told of once", () =>
    Effect.gen(function* () {
      const server = yield* scripted(
        usual((seen, _reply, stream) => {
          if (seen.method === "POST") stream.write(endpoint("/other") + endpoint("/m?sid=1") + endpoint("/third"))
          return false
        })
      )
      const { lines } = yield* logged(
        Effect.gen(function* () {
          const connection = yield* reach(server.url)
          yield* ask(connection, 1)
          yield* ask(connection, 2)
        })
      )
      expect(server.posts().map(({ path }) => path)).toEqual(["/m?sid=1", "/m?sid=1"])
      expect(lines.filter((line) => line.includes("second endpoint"))).toHaveLength(1)
    })
  )

  it.live("LEG-03 an error on the stream ends the call at once, with its code", () =>
    Effect.gen(function* () {
      const server = yield* scripted(
        usual((seen, reply, stream) => {
          if (seen.method !== "POST") return false
          reply.whole(202)
          stream.write(event({ jsonrpc: "2.0", id: seen.body.id, error: { code: -32042, message: "no" } }))
          return true
        })
      )
      expect(yield* ask(yield* reach(server.url), 1)).toMatchObject({ error: { code: -32042 } })
    })
  )

  it.live("refuses an address that no request can be sent to", () =>
    Effect.gen(function* () {
      for (const url of ["ftp://host/x", "nowhere", "http://user:secret@host/"]) {
        const own = yield* failureOf(Effect.scoped(reach(url)))
        const messages = yield* failureOf(Effect.scoped(reach("http://127.0.0.1:1/sse", { messageEndpoint: url })))
        for (const error of [own, messages]) {
          expect(error.reason._tag).toBe("Unreachable")
          expect(error.message).not.toContain("secret")
        }
      }
      expect(() => connect("http://127.0.0.1/", { messageBytes: -1 })).toThrow("messageBytes")
    })
  )
})
