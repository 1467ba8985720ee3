import { Client, RpcError, Subscriptions } from "@effective-mcp/client"
import { JsonRpc, Meta, Peer, TransportError } from "@effective-mcp/protocol"
import { Changes, Resource, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { failing, initialized as overLegacyHttp, overHttp } from "./httpWire.ts"
import {
  type Act,
  begin,
  connect,
  error,
  info,
  initialized,
  inTurn,
  legacy,
  modern,
  result,
  type Run,
  scripted,
  serverInfo,
  silence,
  pass
} from "./scripted.ts"

const listen = "subscriptions/listen"

/** A subscription that is read one element at a time, until its scope closes. */
const open = (
  client: Client.Client,
  wish: Parameters<typeof Subscriptions.listen>[1],
  options?: Subscriptions.Options
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const changes = Subscriptions.listen(client, wish, options)
    const pull = yield* Stream.toPull(Stream.rechunk(changes, 1)).pipe(Scope.provide(scope))
    return {
      next: Effect.map(pull, ([change]) => change),
      leave: Scope.close(scope, Exit.void)
    }
  })

/** Lets what was forked run. */
const turns = Effect.repeat(Effect.yieldNow, { times: 20 })

const tagged = (id: JsonRpc.RequestId, method: string, params: JsonRpc.JsonObject = {}) =>
  JsonRpc.notification(`notifications/${method}`, { ...params, _meta: { [Meta.SUBSCRIPTION_ID]: id } })

const acknowledge =
  (notifications: JsonRpc.JsonObject): Act =>
  ({ id }, run) =>
    run.say(tagged(id, "subscriptions/acknowledged", { notifications }))

const lastListen = (run: Run): JsonRpc.Request => run.requests.filter(({ method }) => method === listen).at(-1)!

const hello = Tool.make("hello", { run: () => Effect.succeed("hello") })
const resource = (uri: string) => Resource.make(uri, { read: Effect.succeed("") })

describe("a subscription, in either era", () => {
  for (const era of ["legacy", "modern"] as const) {
    const changing = Effect.sync(() => {
      const changes = Changes.make()
      const server = Server.make(serverInfo, [hello, resource("a:1"), resource("a:2"), resource("b:1")], { changes })
      return { changes, server }
    })
    it.effect(`tells of what has changed: ${era}`, () =>
      Effect.gen(function* () {
        const { changes, server } = yield* changing
        const client = yield* Client.connect(Peer.local(server), info, { era })
        const { leave, next } = yield* open(client, { toolsListChanged: true, resourceSubscriptions: ["a:1"] })
        expect(yield* next).toEqual({
          _tag: "Listening",
          granted: { toolsListChanged: true, resourceSubscriptions: ["a:1"] },
          refused: {}
        })
        yield* changes.publish(Changes.updated("a:1"))
        expect(yield* next).toEqual({ _tag: "Updated", uri: "a:1" })
        yield* changes.publish(Changes.listChanged("tools"))
        expect(yield* next).toEqual({ _tag: "ListChanged", list: "tools" })
        yield* leave
      })
    )
    it.effect(`tells of nothing that was not asked for: ${era}`, () =>
      Effect.gen(function* () {
        const { changes, server } = yield* changing
        const client = yield* Client.connect(Peer.local(server), info, { era })
        const one = yield* open(client, { resourceSubscriptions: ["a:1"] })
        const two = yield* open(client, { resourceSubscriptions: ["a:2"], promptsListChanged: true })
        yield* Effect.all([one.next, two.next])
        yield* changes.publish(Changes.updated("a:2"))
        yield* changes.publish(Changes.listChanged("tools"))
        yield* turns
        yield* changes.publish(Changes.updated("a:1"))
        expect(yield* one.next).toEqual({ _tag: "Updated", uri: "a:1" })
        expect(yield* two.next).toEqual({ _tag: "Updated", uri: "a:2" })
        yield* Effect.all([one.leave, two.leave])
      })
    )
    it.effect(`R-074 R-080 says what of a wish the server does not take: ${era}`, () =>
      Effect.gen(function* () {
        const { server } = yield* changing
        const client = yield* Client.connect(Peer.local(server), info, { era })
        const wish = { promptsListChanged: true, toolsListChanged: true, resourceSubscriptions: ["a:1", "no:1"] }
        const { leave, next } = yield* open(client, wish)
        expect(yield* next).toEqual({
          _tag: "Listening",
          granted: { toolsListChanged: true, resourceSubscriptions: ["a:1"] },
          refused: { promptsListChanged: true, resourceSubscriptions: ["no:1"] }
        })
        yield* leave
      })
    )
    it.effect(`R-079 tells a slow reader of each thing once: ${era}`, () =>
      Effect.gen(function* () {
        const { changes, server } = yield* changing
        const client = yield* Client.connect(Peer.local(server), info, { era })
        const { leave, next } = yield* open(client, { toolsListChanged: true, resourceSubscriptions: ["a:1", "a:2"] })
        yield* next
        for (let i = 0; i < 50; i++) {
          yield* changes.publish(Changes.updated("a:1"))
          yield* changes.publish(Changes.listChanged("tools"))
          yield* turns
        }
        yield* changes.publish(Changes.updated("a:2"))
        yield* turns
        expect([yield* next, yield* next, yield* next]).toEqual([
          { _tag: "ListChanged", list: "tools" },
          { _tag: "Updated", uri: "a:1" },
          { _tag: "Updated", uri: "a:2" }
        ])
        yield* leave
      })
    )
    it.effect(`is opened again after a break, and says that changes may have been missed: ${era}`, () =>
      Effect.gen(function* () {
        const { server } = yield* changing
        const client = yield* Client.connect(Peer.local(server), info, { era })
        const { leave, next } = yield* open(client, { resourceSubscriptions: ["a:1"] })
        const first = yield* next
        yield* client.reconnect
        const second = yield* begin(next)
        yield* pass(1)
        expect(yield* Fiber.join(second)).toEqual(first)
        expect(yield* next).toEqual({ _tag: "Missed" })
        yield* leave
      })
    )
    it.effect(`ends with its client: ${era}`, () =>
      Effect.gen(function* () {
        const { server } = yield* changing
        const client = yield* Client.connect(Peer.local(server), info, { era })
        const { next } = yield* open(client, { toolsListChanged: true })
        yield* next
        yield* client.close
        const last = yield* begin(Effect.flip(next))
        yield* pass(60)
        expect(yield* Fiber.join(last)).toMatchObject({ reason: { _tag: "Closed" } })
      })
    )
  }
  it.effect("on a client that is closed fails at once: that is no break", () =>
    Effect.gen(function* () {
      const client = yield* connect(scripted(modern()))
      yield* client.close
      const { next } = yield* open(client, { toolsListChanged: true })
      expect(yield* Effect.flip(next)).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
    })
  )
  it("to nothing, or to too much, throws", () => {
    const client = {} as Client.Client // cast: nothing of it is used
    expect(() => Subscriptions.listen(client, {})).toThrow("nothing")
    expect(() => Subscriptions.listen(client, { resourceSubscriptions: [] })).toThrow("nothing")
    const resourceSubscriptions = Array.from({ length: 1_001 }, (_, n) => `a:${n}`)
    expect(() => Subscriptions.listen(client, { resourceSubscriptions })).toThrow("1000")
    expect(() => Subscriptions.listen(client, { toolsListChanged: true }, { reopenings: -1 })).toThrow("reopenings")
  })
})

describe("subscriptions/listen", () => {
  const wish = { toolsListChanged: true }
  it.effect("R-073 waits 30 s for its acknowledgement, and is cancelled then", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: silence }))
      const client = yield* connect(server)
      const { next } = yield* open(client, wish, { reopenings: 0 })
      const failed = yield* begin(Effect.flip(next))
      yield* TestClock.adjust(29_999)
      expect(server.run.methods).toEqual(["server/discover", listen])
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(failed)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 30_000, method: listen } })
      expect(server.run.methods.at(-1)).toBe("notifications/cancelled")
    })
  )
  it.effect("R-073 has no other deadline", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge(wish) }))
      const client = yield* connect(server)
      const { leave, next } = yield* open(client, wish)
      yield* next
      yield* TestClock.adjust("3 days")
      server.run.say(tagged(lastListen(server.run).id, "tools/list_changed"))
      expect(yield* next).toEqual({ _tag: "ListChanged", list: "tools" })
      yield* leave
    })
  )
  it.effect("R-083 is cancelled when its stream is left", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge(wish) }))
      const client = yield* connect(server)
      const { leave, next } = yield* open(client, wish)
      yield* next
      yield* leave
      expect(server.run.heard.at(-1)).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: lastListen(server.run).id }
      })
    })
  )
  it.effect("R-072 lets pass what comes before its acknowledgement, has another id, or was not granted", () =>
    Effect.gen(function* () {
      const server = scripted(
        modern({
          [listen]: ({ id }, run) =>
            run.say(
              tagged(id, "tools/list_changed"),
              tagged(id, "subscriptions/acknowledged", { notifications: wish }),
              tagged(id, "prompts/list_changed"),
              tagged(id, "resources/updated", { uri: "a:1" }),
              tagged("another", "tools/list_changed"),
              JsonRpc.notification("notifications/tools/list_changed"),
              tagged(id, "resources/list_changed")
            )
        })
      )
      const client = yield* connect(server)
      const { leave, next } = yield* open(client, { toolsListChanged: true, promptsListChanged: true })
      expect(yield* next).toEqual({ _tag: "Listening", granted: wish, refused: { promptsListChanged: true } })
      const more = yield* begin(next)
      yield* turns
      expect(more.pollUnsafe()).toBeUndefined()
      server.run.say(tagged(lastListen(server.run).id, "tools/list_changed"))
      expect(yield* Fiber.join(more)).toEqual({ _tag: "ListChanged", list: "tools" })
      yield* leave
    })
  )
  it.effect("R-074 is granted no more than was asked for", () =>
    Effect.gen(function* () {
      const more = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["a:1"] }
      const server = scripted(modern({ [listen]: acknowledge(more) }))
      const client = yield* connect(server)
      const { leave, next } = yield* open(client, wish)
      expect(yield* next).toEqual({ _tag: "Listening", granted: wish, refused: {} })
      yield* leave
    })
  )
  it.effect("fails when its acknowledgement is none", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge({ toolsListChanged: "yes" }) }))
      const client = yield* connect(server)
      const { next } = yield* open(client, wish)
      expect(yield* Effect.flip(next)).toMatchObject({ _tag: "Violation", method: listen })
    })
  )
  it.effect("fails when it is refused, and is not asked for again", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: error(-32601) }))
      const client = yield* connect(server)
      const { next } = yield* open(client, wish)
      expect(yield* Effect.flip(next)).toBeInstanceOf(RpcError)
      expect(server.run.methods).toEqual(["server/discover", listen])
    })
  )
  it.effect("R-076 ends with its result, after what was told before", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge(wish) }))
      const client = yield* connect(server)
      const reading = yield* begin(Stream.runCollect(Subscriptions.listen(client, wish)))
      yield* server.run.told(listen)
      const { id } = lastListen(server.run)
      server.run.say(
        tagged(id, "tools/list_changed"),
        JsonRpc.success(id, { resultType: "complete", _meta: { [Meta.SUBSCRIPTION_ID]: id } })
      )
      expect((yield* Fiber.join(reading)).map(({ _tag }) => _tag)).toEqual(["Listening", "ListChanged"])
      expect(server.run.methods).toEqual(["server/discover", listen])
    })
  )
  it.effect("R-075 ends when the server cancels it", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge(wish) }))
      const client = yield* connect(server)
      const reading = yield* begin(Stream.runCollect(Subscriptions.listen(client, wish)))
      yield* server.run.told(listen)
      server.run.say(JsonRpc.notification("notifications/cancelled", { requestId: lastListen(server.run).id }))
      yield* pass(1)
      expect((yield* Fiber.join(reading)).map(({ _tag }) => _tag)).toEqual(["Listening"])
      expect(server.runs.length).toBe(1)
    })
  )
  it.effect("R-085 is opened again on the next start of a process that has gone, though nobody asks for anything", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge(wish) }))
      const client = yield* connect(server)
      const { leave, next } = yield* open(client, wish)
      yield* next
      yield* TestClock.adjust("6 seconds")
      server.run.die()
      const again = yield* begin(next)
      yield* pass(1)
      expect(yield* Fiber.join(again)).toMatchObject({ _tag: "Listening" })
      expect(yield* next).toEqual({ _tag: "Missed" })
      expect(server.run.methods).toEqual(["server/discover", listen])
      yield* leave
    })
  )
  it.effect("is opened again so often, each time after a longer wait, and then fails with the last break", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        "server/discover": () =>
          Effect.succeed({ resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} }),
        [listen]: () => failing({ _tag: "Closed" })
      })
      const client = yield* Client.connect(wire.transport, info)
      const reading = yield* begin(Effect.flip(Stream.runDrain(Subscriptions.listen(client, wish, { reopenings: 3 }))))
      yield* turns
      expect(wire.methods.filter((method) => method === listen).length).toBe(1)
      yield* TestClock.adjust(250)
      expect(wire.methods.filter((method) => method === listen).length).toBe(2)
      yield* pass(60)
      expect(yield* Fiber.join(reading)).toMatchObject({ reason: { _tag: "Closed" } })
      expect(wire.methods.filter((method) => method === listen).length).toBe(4)
    })
  )
  it.effect("has as many breaks again once it has been acknowledged", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge(wish) }))
      const client = yield* connect(server)
      const { leave, next } = yield* open(client, wish, { reopenings: 1 })
      yield* next
      for (let i = 0; i < 5; i++) {
        yield* TestClock.adjust("6 seconds")
        server.run.die()
        const again = yield* begin(next)
        yield* pass(1)
        expect(yield* Fiber.join(again)).toMatchObject({ _tag: "Listening" })
        expect(yield* next).toEqual({ _tag: "Missed" })
      }
      yield* leave
    })
  )
  it.effect("tells all who listen to the client, too", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge(wish) }))
      const client = yield* connect(server)
      const heard: Array<unknown> = []
      client.hub.onHeard((one) => heard.push(one))
      const { leave, next } = yield* open(client, wish)
      yield* next
      server.run.say(tagged(lastListen(server.run).id, "tools/list_changed"))
      yield* next
      expect(heard).toEqual([{ _tag: "ListChanged", list: "tools" }])
      yield* leave
    })
  )
  it.effect("collapses the parts of a resource that nobody reads of", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ [listen]: acknowledge({ resourceSubscriptions: ["a:/"] }) }))
      const client = yield* connect(server)
      const { leave, next } = yield* open(client, { resourceSubscriptions: ["a:/"] })
      yield* next
      const { id } = lastListen(server.run)
      for (let from = 0; from < 3_000; from += 500) {
        server.run.say(
          ...Array.from({ length: 500 }, (_, n) => tagged(id, "resources/updated", { uri: `a:/${from + n}` }))
        )
        yield* turns
      }
      yield* client.ping()
      expect(yield* next).toEqual({ _tag: "Missed" })
      yield* leave
    })
  )
})

describe("resources/subscribe", () => {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } }
  const server = (script: Parameters<typeof legacy>[0] = {}) =>
    scripted(
      legacy({
        initialize: initialized({ capabilities }),
        "resources/subscribe": result({}),
        "resources/unsubscribe": result({}),
        ...script
      })
    )
  const told = ({ run }: ReturnType<typeof scripted>) =>
    run.requests.slice(1).map(({ method, params }) => `${method.slice(10)} ${String(params?.uri)}`)
  const wish = (...resourceSubscriptions: ReadonlyArray<string>) => ({ resourceSubscriptions })
  const updated = (uri: string) => JsonRpc.notification("notifications/resources/updated", { uri })

  it.effect("is sent for the first who watches a resource, and undone after the last", () =>
    Effect.gen(function* () {
      const scriptedServer = server()
      const client = yield* connect(scriptedServer, { era: "legacy" })
      const one = yield* open(client, wish("a:1", "a:2"))
      yield* one.next
      const two = yield* open(client, wish("a:2", "a:3"))
      yield* two.next
      expect(told(scriptedServer)).toEqual(["subscribe a:1", "subscribe a:2", "subscribe a:3"])
      yield* one.leave
      expect(told(scriptedServer).slice(3)).toEqual(["unsubscribe a:1"])
      yield* two.leave
      expect(told(scriptedServer).slice(4).toSorted()).toEqual(["unsubscribe a:2", "unsubscribe a:3"])
    })
  )
  it.effect("R-081 is sent once for those who come at the same time", () =>
    Effect.gen(function* () {
      const acts: Array<() => void> = []
      const slow: Act = (request, run) => acts.push(() => result({})(request, run))
      const scriptedServer = server({ "resources/subscribe": slow })
      const client = yield* connect(scriptedServer, { era: "legacy" })
      const [one, two] = [yield* open(client, wish("a:1")), yield* open(client, wish("a:1"))]
      const both = yield* begin(Effect.all([one.next, two.next], { concurrency: 2 }))
      yield* scriptedServer.run.told("resources/subscribe")
      yield* turns
      for (const act of acts) act()
      expect((yield* Fiber.join(both)).map((change) => change._tag)).toEqual(["Listening", "Listening"])
      expect(told(scriptedServer)).toEqual(["subscribe a:1"])
      yield* Effect.all([one.leave, two.leave])
      expect(told(scriptedServer)).toEqual(["subscribe a:1", "unsubscribe a:1"])
    })
  )
  it.effect("leaves alone what a program has subscribed to itself, and the other way round", () =>
    Effect.gen(function* () {
      const scriptedServer = server()
      const client = yield* connect(scriptedServer, { era: "legacy" })
      yield* client.request("resources/subscribe", { uri: "a:1" })
      const one = yield* open(client, wish("a:1"))
      yield* one.next
      yield* one.leave
      expect(told(scriptedServer)).toEqual(["subscribe a:1"])
      const two = yield* open(client, wish("a:1", "a:2"))
      yield* two.next
      yield* client.request("resources/unsubscribe", { uri: "a:1" })
      scriptedServer.run.say(updated("a:1"))
      expect(yield* two.next).toEqual({ _tag: "Updated", uri: "a:1" })
      yield* two.leave
      expect(told(scriptedServer).slice(0, 2)).toEqual(["subscribe a:1", "subscribe a:2"])
    })
  )
  it.effect("has no deadline for what it keeps from the server", () =>
    Effect.gen(function* () {
      const scriptedServer = server()
      const late: Array<unknown> = []
      const watched = Effect.map(scriptedServer.transport, (connection) => ({
        ...connection,
        abandon: (id: unknown) => void late.push(id)
      }))
      const client = yield* connect({ ...scriptedServer, transport: watched }, { era: "legacy" })
      const { leave, next } = yield* open(client, wish("a:1"))
      yield* next
      yield* client.request("resources/unsubscribe", { uri: "a:1" })
      yield* TestClock.adjust("30 seconds")
      expect(late).toEqual([])
      yield* leave
    })
  )
  it.effect("misses no change that comes before its answer", () =>
    Effect.gen(function* () {
      const scriptedServer = server({
        "resources/subscribe": (request, run) => {
          run.say(updated("a:1"))
          result({})(request, run)
        }
      })
      const client = yield* connect(scriptedServer, { era: "legacy" })
      const { leave, next } = yield* open(client, wish("a:1"))
      expect((yield* next)._tag).toBe("Listening")
      expect(yield* next).toEqual({ _tag: "Updated", uri: "a:1" })
      yield* leave
    })
  )
  it.effect("tells of parts of a resource, and of no neighbour whose name begins alike", () =>
    Effect.gen(function* () {
      const scriptedServer = server()
      const client = yield* connect(scriptedServer, { era: "legacy" })
      const { leave, next } = yield* open(client, wish("file:///a"))
      yield* next
      scriptedServer.run.say(updated("file:///ab"), updated("file:///a/b"))
      expect(yield* next).toEqual({ _tag: "Updated", uri: "file:///a/b" })
      yield* leave
    })
  )
  it.effect("that fails otherwise than by a refusal fails the subscription, and leaves nothing", () =>
    Effect.gen(function* () {
      const scriptedServer = server({ "resources/subscribe": inTurn(result({}), silence) })
      const client = yield* connect(scriptedServer, { era: "legacy", timeout: "1 seconds" })
      const { next } = yield* open(client, wish("a:1", "a:2"), { reopenings: 0 })
      const failed = yield* begin(Effect.flip(next))
      yield* scriptedServer.run.told("resources/subscribe", 2)
      yield* pass(1)
      expect(yield* Fiber.join(failed)).toMatchObject({ reason: { _tag: "TimedOut" } })
      expect(told(scriptedServer).at(-1)).toBe("unsubscribe a:1")
    })
  )
  it.effect("is not sent to a server that takes none", () =>
    Effect.gen(function* () {
      const scriptedServer = server({ initialize: initialized({ capabilities: { tools: { listChanged: true } } }) })
      const client = yield* connect(scriptedServer, { era: "legacy" })
      const { leave, next } = yield* open(client, { ...wish("a:1"), toolsListChanged: true })
      expect(yield* next).toEqual({
        _tag: "Listening",
        granted: { toolsListChanged: true },
        refused: { resourceSubscriptions: ["a:1"] }
      })
      expect(told(scriptedServer)).toEqual([])
      yield* leave
    })
  )
  it.effect("T-35 has the server's own stream opened over HTTP", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        initialize: overLegacyHttp,
        "resources/subscribe": () => Effect.succeed({}),
        "resources/unsubscribe": () => Effect.succeed({})
      })
      const client = yield* Client.connect(wire.transport, info, { era: "legacy" })
      const { leave, next } = yield* open(client, wish("a:1"))
      yield* next
      yield* turns
      expect(wire.streams.length).toBe(1)
      yield* leave
    })
  )
  it.effect("T-35 has the server's own stream opened again when that breaks, so often and no longer", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        initialize: overLegacyHttp,
        "resources/subscribe": () => Effect.succeed({}),
        "resources/unsubscribe": () => Effect.succeed({})
      })
      const client = yield* Client.connect(wire.transport, info, { era: "legacy" })
      const { leave, next } = yield* open(client, wish("a:1"), { reopenings: 2 })
      const breakOff = () => Queue.fail(wire.streams.at(-1)!, TransportError.make({ _tag: "Closed" }))
      yield* next
      for (let broken = 1; broken <= 2; broken++) {
        yield* turns
        yield* breakOff()
        const again = yield* begin(next)
        yield* pass(1)
        expect((yield* Fiber.join(again))._tag).toBe("Listening")
        expect((yield* next)._tag).toBe("Missed")
        expect(wire.streams.length).toBe(broken + 1)
      }
      yield* Queue.offer(wire.streams.at(-1)!, updated("a:1"))
      expect(yield* next).toEqual({ _tag: "Updated", uri: "a:1" })
      yield* breakOff()
      const failed = yield* begin(Effect.flip(next))
      yield* pass(1)
      expect(yield* Fiber.join(failed)).toMatchObject({ reason: { _tag: "Closed" } })
      expect(wire.starts).toBe(1)
      yield* leave
    })
  )
  it.effect("is sent again on the session that takes the place of an expired one", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        initialize: overLegacyHttp,
        "resources/subscribe": () => Effect.succeed({}),
        "tools/list": (_request, session): Effect.Effect<JsonRpc.JsonObject, TransportError> =>
          session === 1 ? failing({ _tag: "SessionExpired" }, "Rejected") : Effect.succeed({ tools: [] })
      })
      const client = yield* Client.connect(wire.transport, info, { era: "legacy" })
      const { leave, next } = yield* open(client, wish("a:1"))
      yield* next
      yield* client.request("tools/list", {})
      const again = yield* begin(next)
      yield* pass(1)
      expect(yield* Fiber.join(again)).toMatchObject({ _tag: "Listening" })
      expect(wire.methods).toEqual([
        "initialize",
        "resources/subscribe",
        "tools/list",
        "initialize",
        "tools/list",
        "resources/subscribe"
      ])
      yield* leave
    })
  )
})
