import { type Host, JsonRpc, Meta } from "@effective-mcp/protocol"
import {
  Ask,
  Call,
  Changes,
  type Feature,
  Prompt,
  Resource,
  ResourceTemplate,
  Server,
  Tool
} from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { SessionStore } from "../src/server/index.ts"
import { type Answer, ask, get, initialize, modern, post, served } from "./support/wire.ts"

const info = { name: "server of the tests", version: "1" }
const elicitation = { elicitation: { form: {} } }
const asking = Effect.gen(function* () {
  const call = yield* Call
  const { sure } = yield* call.ask({ sure: Ask.form("Sure?", { yes: Schema.Boolean }) })
  return sure.action
})
const features: ReadonlyArray<Feature> = [
  Tool.make("asks", { run: () => asking }),
  Prompt.make("asks", { run: () => asking }),
  Resource.make("a:asks", { read: asking }),
  ResourceTemplate.make("b:asks/{id}", { read: () => asking })
]
const cases: ReadonlyArray<readonly [method: string, params: JsonRpc.JsonObject, said: JsonRpc.JsonObject]> = [
  ["tools/call", { name: "asks" }, { content: [{ type: "text", text: "accept" }] }],
  ["prompts/get", { name: "asks" }, { messages: [{ role: "user", content: { type: "text", text: "accept" } }] }],
  ["resources/read", { uri: "a:asks" }, { contents: [{ uri: "a:asks", text: "accept" }] }],
  ["resources/read", { uri: "b:asks/1" }, { contents: [{ uri: "b:asks/1", text: "accept" }] }]
]
const answer = { action: "accept", content: { yes: true } }

/** The next message of a stream. */
const next = (answer: Answer) => Effect.map(answer.event, (event) => JSON.parse(event?.data ?? "null"))

/** Opens a session whose client can be asked; the headers that go with every later request of it. */
const session = Effect.fnUntraced(function* (url: string) {
  const request = initialize()
  const opened = yield* ask(url, { ...request, params: { ...request.params, capabilities: elicitation } })
  const headers = { "mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25" }
  yield* ask(url, JsonRpc.notification("notifications/initialized"), headers)
  return headers
})

/** A modern request of a client that can be asked, or hears of logs. */
const saying = (id: JsonRpc.RequestId, method: string, params: JsonRpc.JsonObject, meta: JsonRpc.JsonObject = {}) =>
  modern(id, method, { ...params, _meta: { [Meta.CLIENT_CAPABILITIES]: elicitation, ...meta } })

describe("a server that asks its client over HTTP", () => {
  for (const [method, params, said] of cases) {
    const what = `${method} of ${String(params.name ?? params.uri)}`
    it.live(`asks within ${what} on the stream of its POST, in a session`, () =>
      Effect.gen(function* () {
        const url = yield* served(Server.make(info, features))
        const headers = yield* session(url)
        const stream = yield* post(url, JsonRpc.request(1, method, params), headers)
        const question = yield* next(stream)
        expect(question).toMatchObject({ method: "elicitation/create", params: { message: "Sure?" } })
        expect((yield* ask(url, JsonRpc.success(question.id, answer), headers)).status).toBe(202)
        expect(yield* next(stream)).toMatchObject({ id: 1, result: said })
      })
    )
    it.live(`ends ${what} with questions where every request stands alone, and goes on when they are answered`, () =>
      Effect.gen(function* () {
        const url = yield* served(Server.make(info, features))
        const first = yield* ask(url, ...saying(1, method, params))
        expect(first.body.result).toMatchObject({
          resultType: "input_required",
          inputRequests: { sure: { method: "elicitation/create" } }
        })
        const { requestState } = first.body.result
        const again = saying(2, method, { ...params, inputResponses: { sure: answer }, requestState })
        expect((yield* ask(url, ...again)).body.result).toMatchObject({ ...said, resultType: "complete" })
      })
    )
  }
})

describe("a server that changes", () => {
  const changing = Effect.map(SubscriptionRef.make(features), (ref) => ({ ref, server: Server.make(info, ref) }))
  const changed = { method: "notifications/tools/list_changed" }
  it.live("tells a session that has asked for nothing yet, on its standalone stream", () =>
    Effect.gen(function* () {
      const { ref, server } = yield* changing
      const url = yield* served(server)
      const stream = yield* get(url, yield* session(url))
      yield* SubscriptionRef.set(ref, [])
      expect(yield* next(stream)).toMatchObject(changed)
    })
  )
  it.live("tells a session that began in another process", () =>
    Effect.gen(function* () {
      const store = SessionStore.memory()
      const { ref, server } = yield* changing
      const serving = (host: Host) => served(host, { sessions: { store } })
      const [one, two] = [yield* serving(Server.make(info, features)), yield* serving(server)]
      const stream = yield* get(two, yield* session(one))
      yield* SubscriptionRef.set(ref, [])
      expect(yield* next(stream)).toMatchObject(changed)
    })
  )
  it.live("tells subscriptions, which a client ends by leaving", () =>
    Effect.gen(function* () {
      const { ref, server } = yield* changing
      const url = yield* served(server)
      const stream = yield* post(
        url,
        ...modern("s", "subscriptions/listen", { notifications: { toolsListChanged: true } })
      )
      const tag = { _meta: { [Meta.SUBSCRIPTION_ID]: "s" } }
      expect(yield* next(stream)).toMatchObject({ method: "notifications/subscriptions/acknowledged", params: tag })
      yield* SubscriptionRef.set(ref, [])
      expect(yield* next(stream)).toMatchObject({ ...changed, params: tag })
    })
  )
  it.live("S-16 has no subscriptions where a server tells of no changes, and promises none", () =>
    Effect.gen(function* () {
      const listening = modern("s", "subscriptions/listen", { notifications: { toolsListChanged: true } })
      const capabilities = (url: string) =>
        Effect.map(ask(url, ...modern("d", "server/discover")), ({ body }) => body.result.capabilities)
      const silent = yield* served(Server.make(info, features))
      const { body, status } = yield* ask(silent, ...listening)
      expect([status, body.id, body.error.code]).toEqual([404, "s", -32601])
      expect(yield* capabilities(silent)).toEqual({ tools: {}, prompts: {}, resources: {} })
      const telling = yield* served(Server.make(info, features, { changes: Changes.make() }))
      expect(yield* capabilities(telling)).toEqual({
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true }
      })
    })
  )
  it.live("ends subscriptions with their result", () =>
    Effect.gen(function* () {
      const { server } = yield* changing
      const url = yield* served(server)
      const listening = modern("s", "subscriptions/listen", { notifications: { toolsListChanged: true } })
      const stream = yield* post(url, ...listening)
      yield* stream.event
      yield* server.endSubscriptions
      expect(yield* next(stream)).toMatchObject({ id: "s", result: { resultType: "complete" } })
      expect(yield* stream.event).toBe(undefined)
    })
  )
  it.live("ends the subscriptions of an endpoint that closes with their result, and no other's", () =>
    Effect.gen(function* () {
      const { ref, server } = yield* changing
      const scope = yield* Scope.make()
      const [closing, staying] = [yield* Scope.provide(served(server), scope), yield* served(server)]
      const listening = modern("s", "subscriptions/listen", { notifications: { toolsListChanged: true } })
      const [one, two] = [yield* post(closing, ...listening), yield* post(staying, ...listening)]
      yield* one.event
      yield* two.event
      yield* Scope.close(scope, Exit.void)
      expect(yield* next(one)).toEqual({
        jsonrpc: "2.0",
        id: "s",
        result: { resultType: "complete", _meta: expect.objectContaining({ [Meta.SUBSCRIPTION_ID]: "s" }) }
      })
      expect(yield* one.event).toBe(undefined)
      yield* SubscriptionRef.set(ref, [])
      expect(yield* next(two)).toMatchObject(changed)
    })
  )
  it.live("tells of a resource that a session has subscribed to", () =>
    Effect.gen(function* () {
      const changes = Changes.make()
      const url = yield* served(Server.make(info, features, { changes }))
      const headers = yield* session(url)
      yield* ask(url, JsonRpc.request(1, "resources/subscribe", { uri: "a:asks" }), headers)
      const stream = yield* get(url, headers)
      yield* changes.publish(Changes.updated("a:asks"))
      expect(yield* next(stream)).toMatchObject({
        method: "notifications/resources/updated",
        params: { uri: "a:asks" }
      })
    })
  )
})

describe("a server that logs", () => {
  const logs = Tool.make("logs", {
    run: () =>
      Effect.flatMap(Call, ({ log }) => Effect.as(Effect.andThen(log("info", "low"), log("error", "high")), ""))
  })
  const server = Server.make(info, [logs], { logging: true })
  const high = { method: "notifications/message", params: { level: "error", data: "high" } }
  it.live("keeps to the level of the session, on the stream of each POST", () =>
    Effect.gen(function* () {
      const url = yield* served(server)
      const headers = yield* session(url)
      yield* ask(url, JsonRpc.request(1, "logging/setLevel", { level: "error" }), headers)
      const stream = yield* post(url, JsonRpc.request(2, "tools/call", { name: "logs" }), headers)
      expect(yield* next(stream)).toMatchObject(high)
      expect(yield* next(stream)).toMatchObject({ id: 2 })
    })
  )
  it.live("keeps to the level of the request where there is no session", () =>
    Effect.gen(function* () {
      const url = yield* served(server)
      const calling = saying(1, "tools/call", { name: "logs" }, { [Meta.LOG_LEVEL]: "error" })
      const stream = yield* post(url, ...calling)
      expect(yield* next(stream)).toMatchObject(high)
      expect(yield* next(stream)).toMatchObject({ id: 1 })
    })
  )
})
