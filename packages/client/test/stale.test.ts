import { Client, Group, Resources, Subscriptions, Tools } from "@effective-mcp/client"
import { JsonRpc, Meta, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { SessionLike } from "../src/Session.ts"
import { isWithin, wholesOf } from "../src/within.ts"
import { initialized, overHttp } from "./httpWire.ts"
import { type Act, begin, connect, discovered, info, modern, pass, type Run, scripted } from "./scripted.ts"

const listen = "subscriptions/listen"
const fresh = { ttlMs: 600_000, cacheScope: "public" }
const turns = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("what a resource is part of", () => {
  it("is each whole that a subscription to it would tell of, and no other", () => {
    for (const uri of ["file:///dir/a.txt", "a://b/c?d=e/f#g", "x", "/", "a:b//", "?#"]) {
      const prefixes = Array.from({ length: uri.length }, (_, n) => uri.slice(0, n + 1))
      const wholes = prefixes.filter((whole) => isWithin(uri, whole))
      expect(wholesOf(uri)?.toSorted()).toEqual(wholes.toSorted())
    }
  })
  it("is not gone through where there is too much of it", () => {
    expect(wholesOf("a".repeat(100_000))).toHaveLength(1)
    expect(wholesOf("/".repeat(100_000))).toBeUndefined()
  })
})

/** A modern server whose lists and resources say how often they have been asked for. */
const counting = (granted: JsonRpc.JsonObject) => {
  let count = 0
  const read: Act = ({ id, params }, run) =>
    run.say(
      JsonRpc.success(id, {
        resultType: "complete",
        contents: [{ uri: params?.uri, text: `${++count}` }],
        tools: [{ name: `t${count}`, inputSchema: { type: "object" } }],
        ...fresh
      })
    )
  const say = (run: Run, method: string, params: JsonRpc.JsonObject) => {
    const { id } = run.requests.filter(({ method }) => method === listen).at(-1)!
    run.say(JsonRpc.notification(`notifications/${method}`, { ...params, _meta: { [Meta.SUBSCRIPTION_ID]: id } }))
  }
  const server = scripted(
    modern({
      "server/discover": discovered({ capabilities: { tools: {}, resources: {} } }),
      "resources/read": read,
      "tools/list": read,
      [listen]: (_, run) => say(run, "subscriptions/acknowledged", { notifications: granted })
    })
  )
  return { server, say }
}
const text = (session: SessionLike, uri: string) => Effect.map(Resources.read(session, uri), Resources.text)
const tool = (session: SessionLike) => Effect.map(Tools.list(session), ({ tools }) => tools[0]?.name)

describe("what is kept of a server that tells of changes", () => {
  it.effect("is dropped of a folder when a part of it is updated, and of no neighbour", () =>
    Effect.gen(function* () {
      const wish = { resourceSubscriptions: ["file:///dir"] }
      const { say, server } = counting(wish)
      const client = yield* connect(server)
      const uris = ["file:///dir", "file:///dir/", "file:///dir/a.txt", "file:///di", "file:///dir/a.txt/b"]
      yield* Effect.forEach(uris, (uri) => text(client, uri))
      const seen = yield* begin(Stream.runCollect(Stream.take(Subscriptions.listen(client, wish), 2)))
      yield* server.run.told(listen)
      say(server.run, "resources/updated", { uri: "file:///dir/a.txt" })
      yield* Fiber.join(seen)
      const after = yield* Effect.forEach(uris, (uri) => text(client, uri))
      expect(after).toEqual(["6", "7", "8", "4", "5"])
    })
  )
  const ways: ReadonlyArray<readonly [string, (client: Client.Client) => SessionLike, string]> = [
    ["a client", (client) => client, ""],
    ["a group", (client) => Group.make({ k: client }), "k+"]
  ]
  for (const [what, of, prefix] of ways) {
    it.effect(`is dropped when it is watched anew after a break, but for what was not watched: ${what}`, () =>
      Effect.gen(function* () {
        const { server } = counting({ resourceSubscriptions: ["a:1"] })
        const client = yield* connect(server)
        const session = of(client)
        const wish = { resourceSubscriptions: [`${prefix}a:1`] }
        const seen = yield* begin(Stream.runCollect(Stream.take(Subscriptions.listen(session, wish), 3)))
        yield* server.run.told(listen)
        yield* turns
        expect(yield* text(session, `${prefix}a:1`)).toBe("1")
        const name = yield* tool(session)
        yield* client.reconnect
        yield* pass(1)
        expect((yield* Fiber.join(seen)).map(({ _tag }) => _tag)).toEqual(["Listening", "Listening", "Missed"])
        expect(yield* text(session, `${prefix}a:1`)).toBe("3")
        expect(yield* tool(session)).toBe(name)
      })
    )
  }
  it.effect("stays when it is watched for the first time", () =>
    Effect.gen(function* () {
      const wish = { resourceSubscriptions: ["a:1"] }
      const { server } = counting(wish)
      const client = yield* connect(server)
      yield* text(client, "a:1")
      yield* Stream.runDrain(Stream.take(Subscriptions.listen(client, wish), 1))
      expect(yield* text(client, "a:1")).toBe("1")
    })
  )
  it.effect("is dropped when a legacy server's own stream is read again", () =>
    Effect.gen(function* () {
      let count = 0
      const wire = overHttp({
        initialize: initialized,
        "tools/list": () =>
          Effect.sync(() => ({ tools: [{ name: `t${++count}`, inputSchema: { type: "object" } }], ...fresh }))
      })
      const client = yield* Client.connect(wire.transport, info, { era: "legacy" })
      client.hub.listen(() => {})
      yield* turns
      expect(yield* tool(client)).toBe("t1")
      yield* Queue.fail(wire.streams[0]!, TransportError.make({ _tag: "Closed" }))
      yield* turns
      expect(yield* tool(client)).toBe("t1")
      yield* Stream.runDrain(Stream.take(Subscriptions.listen(client, { toolsListChanged: true }), 1))
      yield* turns
      expect(wire.streams.length).toBe(2)
      expect(yield* tool(client)).toBe("t2")
    })
  )
})

describe("a server's list", () => {
  it.effect("is asked for anew when it was listened to and may have changed unheard", () =>
    Effect.gen(function* () {
      const wish = { toolsListChanged: true }
      const { server } = counting(wish)
      const client = yield* connect(server)
      const seen = yield* begin(Stream.runCollect(Stream.take(Subscriptions.listen(client, wish), 3)))
      yield* server.run.told(listen)
      yield* turns
      expect(yield* tool(client)).toBe("t1")
      yield* client.reconnect
      yield* pass(1)
      yield* Fiber.join(seen)
      expect(yield* tool(client)).toBe("t2")
    })
  )
})
