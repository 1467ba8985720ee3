import { type Host as AnyHost, JsonRpc, Meta } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { HttpCall, HttpServer, toFetch } from "../src/server/index.ts"
import * as Host from "./support/host.ts"
import { ask, get, modern, modernMeta, post, send, served } from "./support/wire.ts"

const add = Tool.make("add", {
  description: "Adds two numbers",
  input: { a: Schema.Finite, b: Schema.Finite },
  run: ({ a, b }) => Effect.succeed(`${a + b}`)
})
const server = Server.make({ name: "calculator", version: "1" }, [add])

const call = (id: JsonRpc.RequestId, params: JsonRpc.JsonObject = { a: 1, b: 2 }) =>
  modern(id, "tools/call", { name: "add", arguments: params })

describe("a modern request", () => {
  it.live("S-09 S-27 S-32 stands alone: no session is opened, named or asked for", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const admit = () => Effect.sync(() => asked.push("admit") > 0)
      const url = yield* served(server, { sessions: { most: 1, admit, owner: () => Effect.succeed("me") } })
      for (const id of [1, "1", 0, ""]) {
        const [message, headers] = call(id)
        const { body, ...answer } = yield* ask(url, message, { ...headers, "mcp-session-id": "x" })
        expect(answer.status).toBe(200)
        expect(answer.headers["content-type"]).toBe("application/json")
        expect("mcp-session-id" in answer.headers).toBe(false)
        expect(body).toMatchObject({ id, result: { content: [{ type: "text", text: "3" }], resultType: "complete" } })
      }
      expect(asked).toEqual([])
    })
  )

  it.live("S-35 is answered by an event stream from the first notification on, and by JSON before it", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const answer = yield* post(url, ...modern(1, "report", { n: 2 }))
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no"
      })
      const said = []
      for (let i = 0; i < 4; i++) said.push((yield* answer.event)?.data)
      expect(said.slice(0, 2).map((text) => JSON.parse(text ?? "").params.progress)).toEqual([1, 2])
      expect(said[2]).toBe(JSON.stringify(JsonRpc.success(1, { id: 1 })))
      expect(said[3]).toBe(undefined)
    })
  )

  it.live("S-21 is an event stream in JSON mode, too", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, { json: true })
      const answer = yield* post(url, ...modern(1, "report", { n: 1 }))
      expect(answer.headers["content-type"]).toBe("text/event-stream")
    })
  )

  it.live("HTTP-29 is interrupted when its client leaves, streaming or silent, and nothing is said after that", () =>
    Effect.gen(function* () {
      const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const silent: AnyHost = {
        modern: {
          notify: () => Effect.void,
          exchange: () =>
            Deferred.succeed(begun, undefined).pipe(
              Effect.andThen(Effect.never),
              Effect.ensuring(Deferred.succeed(ended, undefined))
            )
        },
        converse: () => Effect.never
      }
      const url = yield* served(silent)
      const waiting = yield* Effect.forkChild(Effect.scoped(post(url, ...modern(1, "wait"))))
      yield* Deferred.await(begun)
      waiting.interruptUnsafe()
      yield* Deferred.await(ended)

      const streaming = yield* served(yield* Host.make)
      const answer = yield* post(streaming, ...modern(1, "linger"))
      expect((yield* answer.event)?.data).toContain("progress")
      yield* answer.leave
      const { body } = yield* ask(streaming, ...modern(2, "abandoned"))
      expect(body).toEqual(JsonRpc.success(2, {}))
    })
  )

  it.live("S-07 a notification is accepted with 202, a response is not taken", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const note = JsonRpc.notification("note", { text: "hello", _meta: modernMeta })
      const accepted = yield* ask(url, note, { "mcp-protocol-version": "2026-07-28" })
      expect([accepted.status, accepted.body]).toEqual([202, undefined])
      const { body } = yield* ask(url, ...modern(1, "noted"))
      expect(body.result.text).toBe("hello")
      const response = yield* ask(url, JsonRpc.success(1, {}), { "mcp-protocol-version": "2026-07-28" })
      expect(response.status).toBe(400)
    })
  )

  it.live("RPC-12 an array is refused, and nothing in it runs", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const [message, headers] = modern(1, "release")
      const { body, status } = yield* ask(url, [message], headers)
      expect([status, body.error.code, "id" in body]).toEqual([400, -32600, false])
    })
  )

  it.live("may need what only HTTP has", () =>
    Effect.gen(function* () {
      const tenant = Tool.make("tenant", {
        description: "Says which tenant asks",
        input: {},
        run: () => Effect.map(HttpCall, ({ request }) => request.header("x-tenant") ?? "none")
      })
      const url = yield* served(Server.make({ name: "tenants", version: "1" }, [tenant]))
      const [message, headers] = modern(1, "tools/call", { name: "tenant", arguments: {} })
      const { body } = yield* ask(url, message, { ...headers, "x-tenant": "acme" })
      expect(body.result.content[0].text).toBe("acme")
    })
  )

  it.live("S-06 may be served by a server of its own", () =>
    Effect.gen(function* () {
      const url = yield* served((request) => {
        const name = request.header("x-tenant") ?? "none"
        return Effect.succeed(Server.make({ name, version: "1" }, []))
      })
      const [message, headers] = modern(1, "server/discover")
      for (const tenant of ["a", "b"]) {
        const { body } = yield* ask(url, message, { ...headers, "x-tenant": tenant })
        expect(body.result._meta[Meta.SERVER_INFO].name).toBe(tenant)
      }
    })
  )

  it.live("is served by a function of web standards", () =>
    Effect.gen(function* () {
      const fetch = toFetch(yield* HttpServer.make(server))
      const [message, headers] = call(1)
      const request = new Request("http://localhost/anywhere", {
        method: "POST",
        headers: { accept: "*/*", "content-type": "application/json", ...(headers as Record<string, string>) },
        body: JSON.stringify(message)
      })
      const response = yield* Effect.promise(() => fetch(request))
      expect(response.status).toBe(200)
      expect(JSON.parse(yield* Effect.promise(() => response.text())).result.content[0].text).toBe("3")
    })
  )
})

describe("headers and status", () => {
  it.live("S-41 headers that are missing or disagree with the body are -32020", () =>
    Effect.gen(function* () {
      const url = yield* served(server)
      const [message, good] = call(1)
      for (const [wrong, word] of [
        [{ "mcp-protocol-version": undefined }, "MCP-Protocol-Version is missing"],
        [{ "mcp-protocol-version": "2025-11-25" }, "MCP-Protocol-Version does not match the body"],
        [{ "mcp-protocol-version": "" }, "MCP-Protocol-Version does not match the body"],
        [{ "mcp-method": undefined }, "Mcp-Method is missing"],
        [{ "mcp-method": "TOOLS/CALL" }, "Mcp-Method does not match the body"],
        [{ "mcp-name": undefined }, "Mcp-Name is missing"],
        [{ "mcp-name": "sub" }, "Mcp-Name does not match the body"],
        [{ "mcp-name": "=?base64?YWRk?" }, "Mcp-Name does not match the body"],
        [{ "mcp-name": "=?base64?YWR?=" }, "Mcp-Name is malformed"]
      ] as const) {
        const { body, status } = yield* ask(url, message, { ...good, ...wrong })
        const error = { code: -32020, message: `Header mismatch: ${word}` }
        expect([status, body]).toEqual([400, JsonRpc.failure(1, error)])
      }
      const encoded = yield* ask(url, message, { ...good, "mcp-name": "=?base64?YWRk?=" })
      expect(encoded.status).toBe(200)
    })
  )

  it.live("S-39 S-40 HTTP-27 each refusal has its status and its code, and the request's id", () =>
    Effect.gen(function* () {
      const url = yield* served(server)
      const version = (named: string) =>
        [
          JsonRpc.request(9, "tools/list", { _meta: { ...modernMeta, [Meta.PROTOCOL_VERSION]: named } }),
          { "mcp-protocol-version": named, "mcp-method": "tools/list" }
        ] as const
      const without = (key: string) => {
        const [{ params }, headers] = modern(9, "tools/list")
        const meta = Object.entries(Meta.of(params)).filter(([name]) => name !== key)
        return [JsonRpc.request(9, "tools/list", { _meta: Object.fromEntries(meta) }), headers] as const
      }
      for (const [[message, headers], status, code] of [
        [version("1900-01-01"), 400, -32022],
        [version("v999.0.0"), 400, -32022],
        [
          [JsonRpc.request(9, "tools/list"), { "mcp-protocol-version": "2999-01-01", "mcp-method": "tools/list" }],
          400,
          -32022
        ],
        [without(Meta.PROTOCOL_VERSION), 400, -32602],
        [without(Meta.CLIENT_CAPABILITIES), 400, -32602],
        [
          [JsonRpc.request(9, "tools/list"), { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" }],
          400,
          -32602
        ],
        [modern(9, "nope/x"), 404, -32601],
        [modern(9, "initialize"), 404, -32601],
        [modern(9, "ping"), 404, -32601],
        [modern(9, "tools/call", { name: "none" }), 400, -32602]
      ] as const) {
        const { body, ...answer } = yield* ask(url, message, headers)
        expect([message, answer.status, body.error.code, body.id]).toEqual([message, status, code, 9])
        if (code === -32022) expect(body.error.data.supported).toContain("2026-07-28")
      }
    })
  )

  it.live("HTTP-27 GET and DELETE are 405", () =>
    Effect.gen(function* () {
      const url = yield* served(server)
      const headers = { "mcp-protocol-version": "2026-07-28" }
      const [opened, removed] = [yield* get(url, headers), yield* send(url, { method: "DELETE", headers })]
      expect([opened.status, removed.status, opened.headers.allow]).toEqual([405, 405, "POST"])
    })
  )

  it.live("a server without the legacy era opens no session, and says what it speaks", () =>
    Effect.gen(function* () {
      const url = yield* served(Server.make({ name: "new", version: "1" }, [add], { eras: ["modern"] }))
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } }
      const refused = yield* ask(url, JsonRpc.request(1, "initialize", params))
      expect([refused.status, refused.body.error.code]).toEqual([400, -32022])
      expect("mcp-session-id" in refused.headers).toBe(false)
      const bare = yield* ask(url, JsonRpc.request(2, "tools/list"))
      expect([bare.status, bare.body.error.code]).toEqual([400, -32020])
      expect([(yield* get(url)).status, (yield* send(url, { method: "DELETE" })).status]).toEqual([405, 405])
    })
  )
})
