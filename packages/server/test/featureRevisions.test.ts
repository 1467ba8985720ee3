import { Call, Changes, Extension, Prompt, Resource, ResourceTemplate, Server, Tool } from "@effective-mcp/server"
import {
  Invalid,
  JsonRpc,
  legacyRevisions,
  Meta,
  type Method,
  modernRevisions,
  type NotificationMethod,
  type Opening,
  type Revision
} from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { told } from "./both.ts"
import { initialize, modern, wire } from "./wire.ts"

const icons = [{ src: "https://example.com/a.svg" }]
const more = { title: "Title", icons, _meta: { "com.example/a": 1 } }
const annotations = { priority: 1, lastModified: "2025-01-12T15:00:58Z" }
const contents = [
  { type: "text", text: "t", annotations },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  { type: "resource_link", uri: "a://b", name: "b" },
  { type: "resource", resource: { uri: "a://b", blob: "AAAA" } }
] as const

const changes = Changes.make()
const features = [
  Tool.make("t", {
    ...more,
    run: Effect.fnUntraced(function* () {
      const { log, progress } = yield* Call
      yield* progress(1, 2, "half")
      yield* log("alert", { a: 1 }, "tests")
      return ""
    })
  }),
  Resource.make("a://b", { ...more, annotations, size: 1, cache: { ttlMs: 5 }, read: Effect.succeed("") }),
  ResourceTemplate.make("b://{x}", { ...more, annotations, read: () => Effect.succeed(new Uint8Array(3)) }),
  Prompt.make("p", {
    ...more,
    arguments: [{ name: "a", title: "A", description: "d" }],
    complete: { a: Array.from({ length: 200 }, (_, i) => `${i}`) },
    run: () => Effect.succeed(contents.map((content) => Prompt.user(content)))
  }),
  Extension.make("com.example/x", { settings: { a: 1 } })
]
const info = { name: "n", version: "1", title: "T", description: "d", websiteUrl: "https://example.com", icons }
const server = Server.make(info, features, { changes, logging: true, instructions: "i" })

const asked: ReadonlyArray<readonly [method: Method | Opening, params: JsonRpc.JsonObject]> = [
  ["server/discover", {}],
  ["initialize", initialize],
  ["tools/list", {}],
  ["tools/call", { name: "t" }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "a://b" }],
  ["resources/read", { uri: "b://1" }],
  ["resources/subscribe", { uri: "a://b" }],
  ["resources/unsubscribe", { uri: "a://b" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "p", arguments: { a: "1" } }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }],
  ["logging/setLevel", { level: "debug" }]
]

/** Members that only some revisions have, wherever they stand. */
const newer: { readonly [member: string]: string } = {
  '"icons"': "2025-11-25",
  '"title"': "2025-06-18",
  '"lastModified"': "2025-06-18",
  '"resource_link"': "2025-06-18",
  '"audio"': "2025-03-26",
  '"completions"': "2025-03-26",
  '"ttlMs"': "2026-07-28",
  '"resultType"': "2026-07-28",
  '"extensions"': "2025-11-25"
}

/** A client of one revision, which asks for all that the server has. */
const speak = Effect.fnUntraced(function* (revision: Revision) {
  const client = yield* wire(server)
  const isModern = modernRevisions.includes(revision)
  const meta = { [Meta.PROTOCOL_VERSION]: revision.version, [Meta.LOG_LEVEL]: "debug", progressToken: "p" }
  const write = (method: string, params: JsonRpc.JsonObject): JsonRpc.JsonObject =>
    isModern
      ? modern(params, meta)
      : method === "initialize"
        ? { ...params, protocolVersion: revision.version }
        : { ...params, _meta: { progressToken: "p" } }
  const answers: Array<readonly [method: Method | Opening, answer: JsonRpc.Response]> = []
  // a request for it is modern by its name alone
  const known = asked.filter(([method]) => isModern || method !== "server/discover")
  for (const [method, params] of known) answers.push([method, yield* client.ask(method, write(method, params))])
  if (isModern) {
    const notifications = { toolsListChanged: true, resourceSubscriptions: ["a://b"] }
    yield* client.say(JsonRpc.request("listen", "subscriptions/listen", modern({ notifications }, meta)))
    yield* client.until(() => told(client.said).some(({ method }) => method.endsWith("acknowledged")))
  } else {
    yield* client.say(JsonRpc.notification("notifications/initialized"))
    yield* client.result("resources/subscribe", { uri: "a://b" })
  }
  yield* changes.publish(Changes.updated("a://b"))
  yield* changes.publish(Changes.listChanged("tools"))
  yield* client.until(() => told(client.said).some(({ method }) => method.endsWith("updated")))
  return { answers, notifications: told(client.said) }
})

for (const revision of [...modernRevisions, ...legacyRevisions]) {
  describe(`what a client of ${revision.version} is told of all features`, () => {
    const { methods, notifications, openings } = revision
    it.effect("is as its revision says, and what it does not have is not there", () =>
      Effect.gen(function* () {
        const { answers } = yield* speak(revision)
        for (const [method, answer] of answers) {
          const codec = Object.hasOwn(openings, method) ? openings[method as Opening] : methods[method as Method]
          if (codec === undefined) expect([method, answer]).toMatchObject([method, { error: { code: -32601 } }])
          else if (!JsonRpc.isSuccess(answer)) expect([method, answer]).toEqual([method, "a result"])
          else expect([method, codec.decodeResult(answer.result)]).not.toEqual([method, expect.any(Invalid)])
        }
      })
    )
    it.effect("has nothing that only a newer one has", () =>
      Effect.gen(function* () {
        const { answers } = yield* speak(revision)
        const all = JSON.stringify(answers.map(([, answer]) => answer))
        for (const [member, since] of Object.entries(newer))
          expect([member, all.includes(member)]).toEqual([member, revision.version >= since])
      })
    )
    it.effect("comes in notifications of its own, too", () =>
      Effect.gen(function* () {
        const { notifications: all } = yield* speak(revision)
        const methodsTold = new Set(all.map(({ method }) => method))
        for (const expected of ["progress", "message", "tools/list_changed", "resources/updated"])
          expect(methodsTold).toContain(`notifications/${expected}`)
        for (const { method, params } of all) {
          const codec = notifications.fromServer[method as NotificationMethod]
          expect([method, codec?.decodeParams(params ?? {})]).toEqual([method, params])
        }
      })
    )
  })
}
