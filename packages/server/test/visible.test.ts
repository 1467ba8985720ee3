import { Call, Changes, type Feature, Prompt, Resource, ResourceTemplate, Server, Tool } from "@effective-mcp/server"
import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { told } from "./both.ts"
import { info, modern, wire } from "./wire.ts"

const said = () => Effect.succeed("")
const make = (name: string): ReadonlyArray<Feature> => [
  Tool.make(name, { run: said }),
  Prompt.make(name, { arguments: [{ name: "x" }], complete: { x: ["1"] }, run: said }),
  Resource.make(`fixed://${name}`, { name, read: said() }),
  ResourceTemplate.make(`${name}://{x}`, { name, complete: { x: ["1"] }, read: said })
]
const features = ["open", "secret"].flatMap(make)

let asked = 0
/** Who calls itself the owner sees all, anybody else what is open. */
const visible = Effect.map(Call, ({ client }) => {
  asked++
  return (feature: Feature<unknown>) => feature.name === "open" || client?.name === "owner"
})
const changes = Changes.make()
const server = Server.make(info, features, { visible, changes })

const owner = (params: JsonRpc.JsonObject = {}) =>
  modern(params, { [Meta.CLIENT_INFO]: { name: "owner", version: "1" } })

const lists = [
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"]
] as const

const complete = (ref: object) => ({ ref, argument: { name: "x", value: "" } })
const uses = (name: string): ReadonlyArray<readonly [method: string, params: JsonRpc.JsonObject]> => [
  ["tools/call", { name }],
  ["prompts/get", { name }],
  ["resources/read", { uri: `fixed://${name}` }],
  ["resources/read", { uri: `${name}://1` }],
  ["completion/complete", complete({ type: "ref/prompt", name })],
  ["completion/complete", complete({ type: "ref/resource", uri: `${name}://{x}` })]
]

describe("what a caller may not see", () => {
  for (const [method, key] of lists) {
    it.effect(`is in no list: ${method}`, () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        const mine = yield* result(method, modern())
        expect(mine[key]).toHaveLength(1)
        expect(mine).toMatchObject({ [key]: [{ name: "open" }], cacheScope: "private" })
        expect((yield* result(method, owner()))[key]).toHaveLength(2)
      })
    )
  }
  for (const [at, [method, params]] of uses("secret").entries()) {
    it.effect(`is as if it were not there: ${method} ${JSON.stringify(params)}`, () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(server)
        const hidden = yield* error(method, modern(params))
        const [, nowhere] = uses("nowhere")[at]!
        const unknown = yield* error(method, modern(nowhere))
        expect(JSON.stringify(hidden).replaceAll("secret", "nowhere")).toBe(JSON.stringify(unknown))
        yield* result(method, owner(params))
        const [, open] = uses("open")[at]!
        yield* result(method, modern(open))
      })
    )
  }
  it.effect("CON-02 is subscribed to by nobody else", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* wire(server), yield* wire(server)]
      const notifications = { resourceSubscriptions: ["fixed://open", "fixed://secret", "secret://1"] }
      yield* one.say(JsonRpc.request(1, "subscriptions/listen", modern({ notifications })))
      yield* two.say(JsonRpc.request(1, "subscriptions/listen", owner({ notifications })))
      yield* one.until(() => told(one.said).length === 1)
      yield* two.until(() => told(two.said).length === 1)
      expect(told(one.said)[0]?.params?.notifications).toEqual({ resourceSubscriptions: ["fixed://open"] })
      yield* changes.publish(Changes.updated("secret://1"))
      yield* changes.publish(Changes.updated("fixed://open"))
      yield* one.until(() => told(one.said).length === 2)
      yield* two.until(() => told(two.said).length === 3)
      expect(told(one.said)[1]?.params).toMatchObject({ uri: "fixed://open" })
      expect(yield* one.error("resources/subscribe", { uri: "secret://1" })).toMatchObject({ code: -32002 })
    })
  )
  it.effect("is worked out once a request", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server)
      asked = 0
      yield* result("tools/list", modern())
      expect(asked).toBe(1)
    })
  )
  it.effect("does not end a page early", () =>
    Effect.gen(function* () {
      const hidden = Server.make(info, [...make("secret"), ...make("open")], { pageSize: 1, visible })
      const { result } = yield* wire(hidden)
      const { nextCursor, tools } = yield* result("tools/list", modern())
      expect(tools).toMatchObject([{ name: "open" }])
      expect(nextCursor).toBeUndefined()
    })
  )
  it.effect("makes what is read private, whatever a resource says of what it holds", () =>
    Effect.gen(function* () {
      const cache = { ttlMs: 5, cacheScope: "public" } as const
      const said = Resource.make("a://said", { name: "open", cache, read: Effect.succeed("x") })
      const whole = Resource.make("a://whole", {
        name: "open",
        read: Effect.succeed({ ...cache, contents: [{ text: "x" }] })
      })
      const [open, hiding] = [
        yield* wire(Server.make(info, [said, whole])),
        yield* wire(Server.make(info, [said, whole], { visible }))
      ]
      for (const uri of ["a://said", "a://whole"]) {
        expect(yield* open.result("resources/read", modern({ uri }))).toMatchObject(cache)
        expect(yield* hiding.result("resources/read", modern({ uri }))).toMatchObject({
          ttlMs: 5,
          cacheScope: "private"
        })
      }
    })
  )
  it("may be kept by nobody in common: that is a mistake of the author", () => {
    expect(() => Server.make(info, features, { visible, cache: { cacheScope: "public" } })).toThrow(/private/)
    expect(() => Server.make(info, features, { visible, cache: { "tools/list": { cacheScope: "public" } } })).toThrow(
      /tools\/list/
    )
    Server.make(info, features, { visible, cache: { "server/discover": { cacheScope: "public" } } })
  })
})
