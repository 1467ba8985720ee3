import { Client, Logging, Resources, Subscriptions, Tools } from "@effective-mcp/client"
import { JsonRpc, Meta, Peer, Violation } from "@effective-mcp/protocol"
import { Call, Resource, Server, Tool } from "@effective-mcp/server"
import { pair } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { connect } from "../../src/client/plain.ts"
import { plainly, served } from "./plainServer.ts"
import { type Reply, scripted, type Seen } from "./scripted.ts"

const info = { name: "client", version: "1" }

const server = Server.make({ name: "ours", version: "1" }, [
  Tool.make("add", {
    input: { a: Schema.Finite, b: Schema.Finite },
    run: Effect.fnUntraced(function* ({ a, b }) {
      const { log, progress } = yield* Call
      yield* progress(1, 2)
      yield* log("warning", "adds")
      return `${a + b}`
    })
  }),
  Resource.make("note://one", { read: Effect.succeed("a note") })
])

/** The same server in the same process, which each POST reaches. */
const overRpc = Effect.gen(function* () {
  const [near, far] = yield* pair()
  yield* Effect.forkScoped(Effect.ignore(Peer.host(far, server)))
  const connection = yield* Peer.make(near)
  return yield* served(
    plainly({
      exchange: (request) => Effect.orDie(connection.exchange(request, () => Effect.void)),
      notify: (notification) => Effect.orDie(connection.send(notification))
    })
  )
})

describe("a client over plain HTTP", () => {
  for (const [era, found] of [
    ["auto", "modern"],
    ["modern", "modern"],
    ["legacy", "legacy"]
  ] as const) {
    it.live(`T-03 comes to terms and asks, ${era}; of progress and logs nothing is heard`, () =>
      Effect.gen(function* () {
        const client = yield* Client.connect(connect(yield* overRpc), info, { era })
        expect(client.era).toBe(found)
        const heard: Array<unknown> = []
        const options = {
          onProgress: (said: unknown) => void heard.push(said),
          onLog: (said: unknown) => void heard.push(said)
        }
        yield* client.ping()
        expect(Tools.text(yield* Tools.call(client, "add", { a: 1, b: 2 }, options))).toBe("3")
        expect((yield* Tools.list(client)).tools).toMatchObject([{ name: "add" }])
        expect((yield* Resources.read(client, "note://one")).contents).toMatchObject([{ text: "a note" }])
        expect(heard).toEqual([])
      })
    )
  }

  it.live("begins with initialize where a server does not know how to be discovered, whatever it says to that", () =>
    Effect.gen(function* () {
      const ways: ReadonlyArray<readonly [string, (seen: Seen, reply: Reply) => void]> = [
        [
          "an error with 200",
          (seen, reply) => reply.json(JsonRpc.failure(seen.body.id, { code: -32601, message: "m" }))
        ],
        [
          "an error with 400",
          (seen, reply) => reply.json(JsonRpc.failure(seen.body.id, { code: -32601, message: "m" }), {}, 400)
        ],
        ["a page with 404", (_seen, reply) => reply.whole(404, { "content-type": "text/html" }, "<p>")],
        ["a page with 200", (_seen, reply) => reply.whole(200, { "content-type": "text/html" }, "<p>")]
      ]
      for (const [way, refuse] of ways) {
        const { seen, url } = yield* scripted((seen, reply) => {
          const { id, method, params } = seen.body
          if (method === "server/discover") return refuse(seen, reply)
          if (method === "notifications/initialized") return reply.whole(200, {})
          const { protocolVersion } = params
          const result = { protocolVersion, capabilities: {}, serverInfo: { name: "plain", version: "1" } }
          reply.json(JsonRpc.success(id, method === "initialize" ? result : {}))
        })
        const client = yield* Client.connect(connect(url), info)
        yield* client.ping()
        expect([way, client.era, client.server?.name]).toEqual([way, "legacy", "plain"])
        expect(seen.map(({ body }) => body.method)).toEqual([
          "server/discover",
          "initialize",
          "notifications/initialized",
          "ping"
        ])
      }
    })
  )

  it.live("fails with what a server says that knows neither, which is told apart from one that is not there", () =>
    Effect.gen(function* () {
      const failing = (answer: (seen: Seen, reply: Reply) => void) =>
        Effect.flatMap(scripted(answer), ({ url }) => Effect.flip(Client.connect(connect(url), info)))
      const unknown = { code: -32601, message: "Method not found" }
      const neither = yield* failing((seen, reply) => reply.json(JsonRpc.failure(seen.body.id, unknown)))
      expect(neither).toMatchObject({ _tag: "RpcError", code: -32601, outcome: "Rejected" })
      const page = yield* failing((_seen, reply) => reply.whole(404, { "content-type": "text/html" }, "<p>"))
      expect(page).toMatchObject({ _tag: "TransportError", reason: { _tag: "HttpStatus", status: 404 } })
      const locked = yield* failing((_seen, reply) => reply.whole(401, { "www-authenticate": "Bearer" }))
      expect(locked).toMatchObject({ reason: { status: 401, challenge: "Bearer" } })
      const streaming = yield* failing((_seen, reply) => reply.stream())
      expect(streaming).toMatchObject({ reason: { _tag: "Malformed" } })
      expect(streaming.message).toContain("an event stream")
      const noResult = yield* failing((seen, reply) => reply.json(JsonRpc.success(seen.body.id, { a: 1 })))
      expect(noResult).toBeInstanceOf(Violation)
    })
  )

  it.live("is told of no change: a modern subscription is refused, a legacy one stays silent", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* scripted((seen, reply) => {
        const { id, method, params } = seen.body
        const capabilities = { tools: { listChanged: true }, logging: {} }
        if (method === "initialize") {
          const { protocolVersion } = params
          return reply.json(
            JsonRpc.success(id, { protocolVersion, capabilities, serverInfo: { name: "plain", version: "1" } })
          )
        }
        if (method === "server/discover") {
          const modern = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities }
          return reply.json(JsonRpc.success(id, { ...modern, ttlMs: 0, cacheScope: "private" }))
        }
        if (method === "subscriptions/listen") {
          return reply.json(JsonRpc.failure(id, { code: -32601, message: "Method not found" }), {}, 404)
        }
        reply.json(JsonRpc.success(id, {}))
      })
      const wish = { toolsListChanged: true }
      const modern = yield* Client.connect(connect(url), info, { era: "modern" })
      const refused = yield* Effect.flip(Stream.runDrain(Subscriptions.listen(modern, wish)))
      expect(refused).toMatchObject({ _tag: "RpcError", code: -32601 })
      const legacy = yield* Client.connect(connect(url), info, { era: "legacy" })
      yield* Logging.setLevel(legacy, "info")
      const first = yield* Stream.runCollect(Stream.take(Subscriptions.listen(legacy, wish), 1))
      expect(first).toMatchObject([{ _tag: "Listening" }])
      expect(seen.every(({ method }) => method === "POST")).toBe(true)
    })
  )

  it.live("says of itself what its era asks for, in the body alone", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* scripted(({ body }, reply) => {
        const modern = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
        const tools = body.method === "tools/list" ? { tools: [] } : { content: [] }
        reply.json(JsonRpc.success(body.id, { ...modern, ...tools, ttlMs: 0, cacheScope: "private" }))
      })
      const client = yield* Client.connect(connect(url), info)
      yield* Tools.call(client, "t")
      const { body, headers } = seen.at(-1)!
      expect(Meta.of(body.params)).toMatchObject({ [Meta.PROTOCOL_VERSION]: "2026-07-28", [Meta.CLIENT_INFO]: info })
      expect(Object.keys(headers).filter((name) => name.startsWith("mcp-"))).toEqual([])
    })
  )
})
