import { Changes, Prompt, Resource, ResourceTemplate, Server, Tool } from "@effective-mcp/server"
import { type Connection, JsonRpc, limits, Meta } from "@effective-mcp/protocol"
import { ChangesContract } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { told } from "./both.ts"
import { info, initialize, modern, wire } from "./wire.ts"

describe("changes within a process", () => {
  for (const { check, name } of ChangesContract.cases(Effect.sync(Changes.make))) it.effect(name, () => check)
})

const read = Effect.succeed("")
const features = [
  Tool.make("t", { run: () => read }),
  Prompt.make("p", { run: () => read }),
  Resource.make("a://1", { read }),
  Resource.make("a://2", { read }),
  ResourceTemplate.make("b://{id}", { read: () => read })
]
const LISTS = ["tools", "prompts", "resources"] as const
const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
const UPDATED = "notifications/resources/updated"

const tag = (id: JsonRpc.RequestId) => ({ _meta: { [Meta.SUBSCRIPTION_ID]: id } })

/** A server with changes, and a client of it; `settle` returns when all has been told. */
const open = Effect.fnUntraced(function* (options?: Server.Options) {
  const changes = Changes.make()
  const server = Server.make(info, features, { changes, ...options })
  const client = yield* wire(server)
  const listen = Effect.fnUntraced(function* (id: JsonRpc.RequestId, notifications: object) {
    const before = told(client.said, ACKNOWLEDGED).length
    yield* client.say(JsonRpc.request(id, "subscriptions/listen", modern({ notifications })))
    yield* client.until(() => told(client.said, ACKNOWLEDGED).length > before)
  })
  const settle = Effect.gen(function* () {
    for (let i = 0; i < 10; i++) yield* Effect.yieldNow
    yield* client.result("tools/list", modern())
  })
  const publish = Effect.fnUntraced(function* (...published: ReadonlyArray<Changes.Change>) {
    for (const change of published) yield* changes.publish(change)
    yield* settle
  })
  return { ...client, changes, server, listen, settle, publish }
})

describe("subscriptions/listen", () => {
  for (const id of [1, 0, "", "seven"]) {
    it.effect(`S-42 says first what it grants, and tags all with its id: ${JSON.stringify(id)}`, () =>
      Effect.gen(function* () {
        const { listen, publish, said } = yield* open()
        const notifications = { ...all, resourceSubscriptions: ["a://1", "b://x"] }
        yield* listen(id, notifications)
        yield* publish(...LISTS.map(Changes.listChanged), Changes.updated("b://x"), Changes.updated("a://1"))
        expect(told(said)).toEqual([
          JsonRpc.notification(ACKNOWLEDGED, { notifications, ...tag(id) }),
          JsonRpc.notification("notifications/tools/list_changed", tag(id)),
          JsonRpc.notification("notifications/resources/list_changed", tag(id)),
          JsonRpc.notification("notifications/prompts/list_changed", tag(id)),
          JsonRpc.notification(UPDATED, { ...tag(id), uri: "b://x" }),
          JsonRpc.notification(UPDATED, { ...tag(id), uri: "a://1" })
        ])
        expect(said.filter(JsonRpc.isResponse)).toHaveLength(1)
      })
    )
  }
  for (const [wish, list] of [
    ["toolsListChanged", "tools"],
    ["promptsListChanged", "prompts"],
    ["resourcesListChanged", "resources"]
  ] as const) {
    it.effect(`tells of nothing that was not asked for: ${wish} alone`, () =>
      Effect.gen(function* () {
        const { listen, publish, said } = yield* open()
        yield* listen(1, { [wish]: true })
        yield* publish(...LISTS.map(Changes.listChanged), Changes.updated("a://1"))
        expect(told(said).slice(1)).toEqual([JsonRpc.notification(`notifications/${list}/list_changed`, tag(1))])
      })
    )
  }
  it.effect("tells of nothing at all where nothing was asked for", () =>
    Effect.gen(function* () {
      const { listen, publish, said } = yield* open()
      yield* listen(1, {})
      yield* listen(2, { toolsListChanged: false, resourceSubscriptions: [] })
      yield* publish(...LISTS.map(Changes.listChanged), Changes.updated("a://1"))
      expect(told(said)).toEqual([
        JsonRpc.notification(ACKNOWLEDGED, { notifications: {}, ...tag(1) }),
        JsonRpc.notification(ACKNOWLEDGED, { notifications: { resourceSubscriptions: [] }, ...tag(2) })
      ])
    })
  )
  it.effect("grants only resources that are there, each once", () =>
    Effect.gen(function* () {
      const { listen, publish, said } = yield* open()
      yield* listen(1, { resourceSubscriptions: ["a://1", "a://3", "a://1", "b://..", "b://x"] })
      expect(told(said)[0]?.params?.notifications).toEqual({ resourceSubscriptions: ["a://1", "b://x"] })
      yield* publish(Changes.updated("a://3"), Changes.updated("a://2"), Changes.updated("a://1"))
      expect(told(said, UPDATED).map(({ params }) => params?.uri)).toEqual(["a://1"])
    })
  )
  it.effect("tells once of what changes several times in a turn", () =>
    Effect.gen(function* () {
      const { listen, publish, said } = yield* open()
      yield* listen(1, { toolsListChanged: true, resourceSubscriptions: ["a://1", "a://2"] })
      const many = Array.from({ length: 500 }, (_, i) =>
        i % 3 === 0 ? Changes.listChanged("tools") : Changes.updated(`a://${i % 3}`)
      )
      yield* publish(...many)
      expect(told(said).slice(1)).toHaveLength(3)
      yield* publish(Changes.listChanged("tools"))
      expect(told(said).slice(1)).toHaveLength(4)
    })
  )
  it.effect("keeps several of one client apart, each by its own wish", () =>
    Effect.gen(function* () {
      const { listen, publish, said } = yield* open()
      yield* listen(1, { toolsListChanged: true })
      yield* listen("1", { promptsListChanged: true })
      yield* publish(Changes.listChanged("tools"), Changes.listChanged("prompts"))
      expect(told(said).slice(2)).toEqual([
        JsonRpc.notification("notifications/tools/list_changed", tag(1)),
        JsonRpc.notification("notifications/prompts/list_changed", tag("1"))
      ])
    })
  )
  it.effect("ends when the client cancels it, without a word", () =>
    Effect.gen(function* () {
      const { listen, publish, said, say } = yield* open()
      yield* listen(1, all)
      yield* say(JsonRpc.notification("notifications/cancelled", { requestId: 1 }))
      yield* publish(Changes.listChanged("tools"))
      expect(told(said)).toHaveLength(1)
      expect(said.filter(JsonRpc.isResponse)).toHaveLength(1)
    })
  )
  it.effect("CON-05 ends in good order when the server ends it: the result, and on a pipe a cancel after it", () =>
    Effect.gen(function* () {
      const { answerTo, listen, publish, said, server } = yield* open()
      yield* listen(7, all)
      yield* server.endSubscriptions
      expect(yield* answerTo(7)).toEqual(
        JsonRpc.success(7, {
          resultType: "complete",
          _meta: { [Meta.SUBSCRIPTION_ID]: 7, [Meta.SERVER_INFO]: info }
        })
      )
      yield* publish(Changes.listChanged("tools"))
      expect(told(said).slice(1)).toEqual([JsonRpc.notification("notifications/cancelled", { requestId: 7 })])
      expect(said.findIndex((message) => "id" in message && message.id === 7)).toBeLessThan(
        said.findIndex((message) => "method" in message && message.method === "notifications/cancelled")
      )
    })
  )
  it.effect(`S-27 are at most ${limits.subscriptions} at once; one that ends makes room`, () =>
    Effect.gen(function* () {
      const changes = Changes.make()
      const server = Server.make(info, features, { changes })
      const request = (id: number) =>
        JsonRpc.request(id, "subscriptions/listen", modern({ notifications: { toolsListChanged: true } }))
      const exchange = (id: number) => server.modern.exchange(request(id), () => Effect.void)
      const fibers = yield* Effect.forEach(Array.from({ length: limits.subscriptions }), (_, id) =>
        Effect.forkScoped(exchange(id), { startImmediately: true })
      )
      expect(yield* exchange(-1)).toMatchObject({ error: { code: -32603, message: "Too many subscriptions" } })
      yield* Fiber.interrupt(fibers[0]!)
      const last = yield* Effect.forkScoped(exchange(-2), { startImmediately: true })
      expect(last.pollUnsafe()).toBeUndefined()
      yield* server.endSubscriptions
      expect(yield* Fiber.join(last)).toMatchObject({ id: -2, result: { resultType: "complete" } })
    })
  )
  it.effect("ask for at most 1,000 resources, and no URI weighs on a server for ever", () =>
    Effect.gen(function* () {
      const { error, listen, say, settle } = yield* open()
      const resourceSubscriptions = Array.from({ length: limits.watched + 1 }, () => "a://1")
      const params = modern({ notifications: { resourceSubscriptions } })
      expect(yield* error("subscriptions/listen", params)).toMatchObject({ code: -32602 })
      const tooLong = modern({ notifications: { resourceSubscriptions: ["x".repeat(limits.wishChars + 1)] } })
      expect(yield* error("subscriptions/listen", tooLong)).toMatchObject({ code: -32602 })
      const long = ["x".repeat(limits.wishChars)]
      for (let i = 0; i < 600; i++) {
        yield* listen(i, { resourceSubscriptions: long })
        yield* say(JsonRpc.notification("notifications/cancelled", { requestId: i }))
      }
      yield* settle
    })
  )
  it.effect("loses nothing, and holds little, while its client does not read", () =>
    Effect.gen(function* () {
      const changes = Changes.make()
      const server = Server.make(info, features, { changes })
      const gate = yield* Deferred.make<void>()
      const heard: Array<string> = []
      const wish = { toolsListChanged: true, resourceSubscriptions: ["a://1", "a://2"] }
      yield* server.modern
        .exchange(JsonRpc.request(1, "subscriptions/listen", modern({ notifications: wish })), (said) =>
          Effect.andThen(
            Effect.sync(() => heard.push(String(said.params?.uri ?? said.method))),
            heard.length === 1 ? Deferred.await(gate) : Effect.void
          )
        )
        .pipe(Effect.forkScoped({ startImmediately: true }))
      yield* changes.publish(Changes.updated("a://1"))
      for (let i = 0; i < 3; i++) yield* Effect.yieldNow
      for (let i = 0; i < 10_000; i++) {
        yield* changes.publish(Changes.updated(`a://${1 + (i % 2)}`))
        yield* changes.publish(Changes.listChanged("tools"))
      }
      for (let i = 0; i < 3; i++) yield* Effect.yieldNow
      expect(heard).toHaveLength(2)
      yield* Deferred.succeed(gate, undefined)
      for (let i = 0; i < 10; i++) yield* Effect.yieldNow
      expect(heard.slice(2)).toEqual(["notifications/tools/list_changed", "a://1", "a://2"])
    })
  )
  for (const params of [{}, { notifications: null }, { notifications: { toolsListChanged: "yes" } }]) {
    it.effect(`with a wish of another form is -32602: ${JSON.stringify(params)}`, () =>
      Effect.gen(function* () {
        const { error, said } = yield* open()
        expect(yield* error("subscriptions/listen", modern(params))).toMatchObject({ code: -32602 })
        expect(told(said)).toEqual([])
      })
    )
  }
  it.effect("S-16 is not there where a server tells of no changes, and nothing promises it", () =>
    Effect.gen(function* () {
      const server = Server.make(info, features)
      const { error } = yield* wire(server)
      expect(yield* error("subscriptions/listen", modern({ notifications: all }))).toMatchObject({ code: -32601 })
      expect(server.capabilities).toEqual({ tools: {}, prompts: {}, resources: {} })
      const telling = Server.make(info, features, { changes: Changes.make() })
      expect(telling.capabilities).toEqual({
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true }
      })
    })
  )
})

describe("a legacy session", () => {
  const initialized = JsonRpc.notification("notifications/initialized")
  it.effect("LIF-04 hears of lists that change, once it is initialized, and not before", () =>
    Effect.gen(function* () {
      const { publish, result, said, say } = yield* open()
      yield* publish(Changes.listChanged("tools"))
      yield* result("initialize", initialize)
      yield* publish(Changes.listChanged("tools"))
      expect(told(said)).toEqual([])
      yield* say(initialized)
      yield* result("ping")
      yield* publish(Changes.listChanged("prompts"), Changes.listChanged("tools"), Changes.listChanged("tools"))
      expect(told(said)).toEqual([
        JsonRpc.notification("notifications/tools/list_changed", {}),
        JsonRpc.notification("notifications/prompts/list_changed", {})
      ])
    })
  )
  it.effect("hears of the resources that it has subscribed to, until it unsubscribes", () =>
    Effect.gen(function* () {
      const { publish, result, said, say } = yield* open()
      yield* result("initialize", initialize)
      yield* say(initialized)
      yield* result("ping")
      expect(yield* result("resources/subscribe", { uri: "a://1" })).toEqual({})
      yield* result("resources/subscribe", { uri: "a://1" })
      yield* publish(Changes.updated("a://1"), Changes.updated("a://2"), Changes.updated("a://1"))
      expect(told(said)).toEqual([JsonRpc.notification(UPDATED, { uri: "a://1" })])
      expect(yield* result("resources/unsubscribe", { uri: "a://1" })).toEqual({})
      yield* result("resources/unsubscribe", { uri: "never" })
      yield* publish(Changes.updated("a://1"))
      expect(told(said)).toHaveLength(1)
    })
  )
  it.effect("cannot subscribe to what is not there, or to more than 1,000 resources", () =>
    Effect.gen(function* () {
      const { error, publish, result, said } = yield* open()
      yield* result("initialize", initialize)
      expect(yield* error("resources/subscribe", { uri: "a://3" })).toEqual({
        code: -32002,
        message: "Resource not found",
        data: { uri: "a://3" }
      })
      expect(yield* error("resources/subscribe", {})).toMatchObject({ code: -32602 })
      for (let i = 0; i < limits.watched; i++) yield* result("resources/subscribe", { uri: `b://${i}` })
      expect(yield* error("resources/subscribe", { uri: "b://more" })).toMatchObject({ code: -32602 })
      yield* result("resources/subscribe", { uri: "b://1" })
      yield* publish(Changes.updated("b://more"))
      expect(told(said)).toEqual([])
    })
  )
  it.effect("CON-02 hears nothing of what another has subscribed to", () =>
    Effect.gen(function* () {
      const { publish, result, said, server } = yield* open()
      const other = yield* wire(server)
      yield* result("resources/subscribe", { uri: "a://1" })
      yield* other.result("resources/subscribe", { uri: "a://2" })
      yield* publish(Changes.updated("a://1"))
      expect(told(said)).toHaveLength(1)
      expect(told(other.said)).toHaveLength(0)
    })
  )
  it.effect("is told nothing more once it has gone, and the server goes on", () =>
    Effect.gen(function* () {
      const { changes, close, result, said, server } = yield* open()
      yield* result("resources/subscribe", { uri: "a://1" })
      yield* close
      yield* changes.publish(Changes.updated("a://1"))
      for (let i = 0; i < 5; i++) yield* Effect.yieldNow
      expect(told(said)).toEqual([])
      const { result: ask } = yield* wire(server)
      yield* ask("ping")
    })
  )
  it.effect("keeps its subscriptions with the session, and tells its client over its own connection, the first", () =>
    Effect.gen(function* () {
      const changes = Changes.make()
      const server = Server.make(info, features, { changes })
      const heard: Array<unknown> = []
      const connection = (name: string): Connection => ({
        exchange: () => Effect.never,
        incoming: null as never,
        send: (message) => Effect.sync(() => heard.push([name, "method" in message && message.method]))
      })
      const subscriptions = ["a://1", "b://x"]
      const session = yield* server.converse({ revision: "2025-06-18", subscriptions })
      expect(yield* session.snapshot).toMatchObject({ subscriptions })
      session.on(connection("first"))
      yield* session.on(connection("second")).exchange(JsonRpc.request(1, "ping"), () => Effect.void)
      session.on(connection("third"))
      yield* changes.publish(Changes.updated("b://x"))
      for (let i = 0; i < 5; i++) yield* Effect.yieldNow
      expect(heard).toEqual([["first", UPDATED]])
    })
  )
  it.effect("has no subscriptions where a server tells of no changes", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(Server.make(info, features))
      yield* result("initialize", initialize)
      expect(yield* error("resources/subscribe", { uri: "a://1" })).toMatchObject({ code: -32601 })
    })
  )
})
