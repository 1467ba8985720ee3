import { Changes, type Feature, Prompt, Resource, ResourceTemplate, Server, Tool } from "@effective-mcp/server"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { told } from "./both.ts"
import { info, initialize, modern, wire } from "./wire.ts"

const tool = (name: string, says = name) => Tool.make(name, { run: () => Effect.succeed(says) })
const prompt = Prompt.make("p", { run: () => Effect.succeed("") })
const resource = Resource.make("a://1", { read: Effect.succeed("") })
const template = ResourceTemplate.make("b://{id}", { read: () => Effect.succeed("") })

const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

const open = Effect.fnUntraced(function* (features: ReadonlyArray<Feature>, options?: Server.Options) {
  const ref = yield* SubscriptionRef.make(features)
  const server = Server.make(info, ref, options)
  const client = yield* wire(server)
  const settle = Effect.gen(function* () {
    for (let i = 0; i < 20; i++) yield* Effect.yieldNow
    yield* client.result("tools/list", modern())
  })
  const set = (now: ReadonlyArray<Feature>) => SubscriptionRef.set(ref, now)
  const hear = Effect.fnUntraced(function* () {
    yield* client.say(JsonRpc.request("listen", "subscriptions/listen", modern({ notifications: all })))
    yield* client.result("initialize", initialize)
    yield* client.say(JsonRpc.notification("notifications/initialized"))
    yield* client.result("ping")
    yield* settle
    const before = client.said.length
    return () => told(client.said.slice(before)).map(({ method }) => method.split("/")[1])
  })
  return { ...client, ref, server, settle, set, hear }
})

describe("a changing set of features", () => {
  it.effect("is served as it is at each request", () =>
    Effect.gen(function* () {
      const { error, result, set } = yield* open([tool("a")])
      expect((yield* result("tools/list")).tools).toMatchObject([{ name: "a" }])
      yield* set([tool("b"), prompt])
      expect((yield* result("tools/list")).tools).toMatchObject([{ name: "b" }])
      expect((yield* result("prompts/list", modern())).prompts).toMatchObject([{ name: "p" }])
      expect(yield* error("tools/call", { name: "a" })).toMatchObject({ code: -32602 })
      yield* result("tools/call", { name: "b" })
      yield* set([])
      expect((yield* result("tools/list")).tools).toEqual([])
    })
  )
  it.effect("says from the first that any kind may come, and that it tells of changes", () =>
    Effect.gen(function* () {
      const { result, server } = yield* open([])
      const capabilities = {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true },
        completions: {}
      }
      expect(server.capabilities).toEqual(capabilities)
      expect(yield* result("server/discover", modern())).toMatchObject({ capabilities })
      expect(yield* result("initialize", initialize)).toMatchObject({ capabilities })
      for (const [method, key] of [
        ["tools/list", "tools"],
        ["prompts/list", "prompts"],
        ["resources/list", "resources"],
        ["resources/templates/list", "resourceTemplates"]
      ] as const)
        expect(yield* result(method)).toEqual({ [key]: [] })
    })
  )
  const steps: ReadonlyArray<readonly [string, ReadonlyArray<Feature>, ReadonlyArray<string>]> = [
    ["a tool that comes", [tool("a"), tool("b")], ["tools"]],
    ["a prompt that comes", [prompt], ["prompts"]],
    ["a resource that comes", [resource], ["resources"]],
    ["a template that comes", [template], ["resources"]],
    ["one of each kind", [tool("a"), prompt, resource, template], ["tools", "resources", "prompts"]],
    ["nothing", [], []]
  ]
  for (const [what, now, lists] of steps) {
    it.effect(`tells both eras of ${what}, and of nothing else`, () =>
      Effect.gen(function* () {
        const { hear, set, settle } = yield* open([])
        const heard = yield* hear()
        yield* set(now)
        yield* settle
        expect(heard().toSorted()).toEqual([...lists, ...lists].toSorted())
      })
    )
  }
  it.effect("tells of many changes of one turn once a list, and not of what has changed back", () =>
    Effect.gen(function* () {
      const { hear, ref, set, settle } = yield* open([tool("kept")])
      const before = SubscriptionRef.getUnsafe(ref)
      const heard = yield* hear()
      for (let i = 0; i < 100; i++) yield* SubscriptionRef.update(ref, (old) => [...old, tool(`t${i}`)])
      yield* settle
      expect(heard()).toEqual(["tools", "tools"])
      yield* set([...before, prompt])
      yield* set(SubscriptionRef.getUnsafe(ref).filter(({ kind }) => kind === "tool"))
      yield* settle
      expect(heard()).toEqual(["tools", "tools", "tools", "tools"])
    })
  )
  it.effect("has one feature replaced by a later one of its name", () =>
    Effect.gen(function* () {
      const { hear, ref, result, settle } = yield* open([tool("a", "old"), tool("b")])
      const heard = yield* hear()
      yield* SubscriptionRef.update(ref, (old) => [...old, tool("a", "new")])
      yield* settle
      expect((yield* result("tools/list")).tools).toMatchObject([{ name: "a" }, { name: "b" }])
      expect(yield* result("tools/call", { name: "a" })).toMatchObject({ content: [{ text: "new" }] })
      expect(heard()).toEqual(["tools", "tools"])
    })
  )
  it.effect("is told of by its own changes and by published ones alike", () =>
    Effect.gen(function* () {
      const changes = Changes.make()
      const { hear, set, settle } = yield* open([tool("a")], { changes })
      const heard = yield* hear()
      yield* changes.publish(Changes.listChanged("prompts"))
      yield* set([])
      yield* settle
      expect(heard().toSorted()).toEqual(["prompts", "prompts", "tools", "tools"])
    })
  )
  it.effect("is followed by nobody when no client listens", () =>
    Effect.gen(function* () {
      let open = 0
      const changes: Changes.Changes = {
        publish: () => Effect.void,
        subscribe: () =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => ++open),
              () => Effect.sync(() => --open)
            )
          )
      }
      const server = Server.make(info, [tool("a")], { changes })
      const clients = [yield* wire(server), yield* wire(server)]
      expect(open).toBe(0)
      for (const { result, say } of clients) {
        yield* result("initialize", initialize)
        yield* say(JsonRpc.notification("notifications/initialized"))
        yield* result("ping")
      }
      expect(open).toBe(1)
      yield* clients[0]!.close
      expect(open).toBe(1)
      yield* clients[1]!.close
      expect(open).toBe(0)
    })
  )
})

describe("a cursor", () => {
  const names = (page: JsonRpc.JsonObject) =>
    (page.tools as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name) // cast: a list of tools is what was asked for
  const tools = ["a", "b", "c", "d", "e"].map((name) => tool(name))
  const [a, b, c, d, e] = tools as [Feature, Feature, Feature, Feature, Feature]
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<Feature>, ReadonlyArray<string>]> = [
    ["one that came before", [tool("0"), a, b, c, d, e], ["c", "d"]],
    ["one that went before", [b, c, d, e], ["c", "d"]],
    ["the last of the page before went", [a, c, d, e], ["c", "d"]],
    ["the first of this page went", [a, b, d, e], ["d", "e"]],
    ["one that came between", [a, b, tool("bb"), c, d, e], ["bb", "c"]],
    ["both around it went", [a, d, e], ["d", "e"]],
    ["all before it went", [c, d, e], ["c", "d"]],
    ["all but one went", [e], []]
  ]
  for (const [what, now, second] of cases) {
    it.effect(`stays right when the list changes: ${what}`, () =>
      Effect.gen(function* () {
        const { result, set } = yield* open(tools, { pageSize: 2 })
        const first = yield* result("tools/list")
        expect(names(first)).toEqual(["a", "b"])
        yield* set(now)
        const found = names(yield* result("tools/list", { cursor: first.nextCursor }))
        if (second.length > 0) expect(found).toEqual(second)
        else expect(found.length).toBeLessThan(2)
      })
    )
  }
})
