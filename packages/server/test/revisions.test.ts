import { Server, Tool, ToolError } from "@effective-mcp/server"
import { JsonRpc, legacyRevisions, Meta, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Call } from "@effective-mcp/server"
import { clientInfo, initialize, modern, wire } from "./wire.ts"

const icons = [{ src: "https://example.com/a.svg" }]
const described = { name: "server of the tests", version: "4.5.6", title: "The Server", icons }

const add = Tool.make("add", {
  title: "Adds",
  description: "Adds two numbers",
  annotations: { readOnlyHint: true },
  icons,
  input: { a: Schema.Finite, b: Schema.Finite },
  output: { sum: Schema.Finite },
  run: ({ a, b }) =>
    Effect.gen(function* () {
      const call = yield* Call
      yield* call.progress(1, 2, "half")
      return { sum: a + b }
    })
})
const sound = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const
const link = { type: "resource_link", uri: "file:///a", name: "a" } as const
const play = Tool.make("play", {
  run: () => Effect.fail(new ToolError({ message: "played", content: [sound, link] }))
})
const server = Server.make(described, [add, play])

/** What a client of one revision is told. */
const speak = Effect.fnUntraced(function* (version: string) {
  const connected = yield* wire(server)
  const isModern = modernRevisions.some((revision) => revision.version === version)
  const params = (value: JsonRpc.JsonObject = {}): JsonRpc.JsonObject =>
    isModern
      ? modern(value, { [Meta.PROTOCOL_VERSION]: version, progressToken: "p" })
      : { ...value, _meta: { progressToken: "p" } }
  const opened = isModern
    ? yield* connected.result("server/discover", params())
    : yield* connected.result("initialize", { ...initialize, protocolVersion: version, clientInfo })
  const { said } = connected
  const call = (name: string, args: JsonRpc.JsonObject) =>
    connected.ask("tools/call", params({ name, arguments: args }))
  return { opened, call, list: connected.result("tools/list", params()), said }
})

const resultOf = (response: JsonRpc.Response): JsonRpc.JsonObject =>
  JsonRpc.isSuccess(response) ? response.result : {}

const sum = { structuredContent: { sum: 3 } }
const expected = {
  "2026-07-28": {
    tool: ["title", "annotations", "icons", "outputSchema"],
    sum,
    isWrongResult: true,
    kinds: ["audio", "resource_link"],
    words: true
  },
  "2025-11-25": {
    tool: ["title", "annotations", "icons", "outputSchema"],
    sum,
    isWrongResult: true,
    kinds: ["audio", "resource_link"],
    words: true
  },
  "2025-06-18": {
    tool: ["title", "annotations", "outputSchema"],
    sum,
    isWrongResult: false,
    kinds: ["audio", "resource_link"],
    words: true
  },
  "2025-03-26": { tool: ["annotations"], sum: {}, isWrongResult: false, kinds: ["audio", "text"], words: true },
  "2024-11-05": { tool: [], sum: {}, isWrongResult: false, kinds: ["text", "text"], words: false }
}

describe("a client of any revision", () => {
  it("has one of those that are known", () =>
    expect(Object.keys(expected)).toEqual([...modernRevisions, ...legacyRevisions].map(({ version }) => version)))

  for (const [version, { isWrongResult, kinds, sum, tool, words }] of Object.entries(expected)) {
    it.effect(`LIF-01 ${version} is answered in it`, () =>
      Effect.gen(function* () {
        const { opened } = yield* speak(version)
        if (Array.isArray(opened.supportedVersions)) expect(opened.supportedVersions[0]).toBe(version)
        else expect(opened.protocolVersion).toBe(version)
      })
    )
    it.effect(`${version} gets tools with what it knows of them`, () =>
      Effect.gen(function* () {
        const { list } = yield* speak(version)
        const { tools } = yield* list
        const [listed] = Array.isArray(tools) ? tools : []
        const optional = Object.keys(listed).filter((key) => !["name", "description", "inputSchema"].includes(key))
        expect(optional.sort()).toEqual([...tool].sort())
      })
    )
    it.effect(`${version} gets a call answered, with a text in any case`, () =>
      Effect.gen(function* () {
        const { call } = yield* speak(version)
        const { content, structuredContent } = resultOf(yield* call("add", { a: 1, b: 2 }))
        expect({ content, ...(structuredContent === undefined ? {} : { structuredContent }) }).toEqual({
          content: [{ type: "text", text: '{"sum":3}' }],
          ...sum
        })
      })
    )
    it.effect(`${version} hears of progress ${words ? "in words, too" : "in numbers alone"}`, () =>
      Effect.gen(function* () {
        const { call, said } = yield* speak(version)
        yield* call("add", { a: 1, b: 2 })
        const [told] = said.filter(JsonRpc.isNotification)
        expect(told?.params).toEqual({ progressToken: "p", progress: 1, total: 2, ...(words && { message: "half" }) })
      })
    )
    it.effect(`${version} gets ${kinds.join(" and ")} for sound and a link`, () =>
      Effect.gen(function* () {
        const { call } = yield* speak(version)
        const { content } = resultOf(yield* call("play", {}))
        expect(Array.isArray(content) && content.map(({ type }) => type)).toEqual(kinds)
        expect(JSON.stringify(content)).toContain("file:///a")
      })
    )
    it.effect(`${version} gets ${isWrongResult ? "a result" : "-32602"} for arguments that do not fit`, () =>
      Effect.gen(function* () {
        const { call } = yield* speak(version)
        const answer = yield* call("add", { a: "one" })
        expect(answer).toMatchObject(isWrongResult ? { result: { isError: true } } : { error: { code: -32602 } })
      })
    )
  }
  it.effect("is told who serves it in its revision's terms", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      for (const { version } of legacyRevisions) {
        const { opened } = yield* speak(version)
        told.push(opened.serverInfo)
      }
      const { icons: _icons, ...titled } = described
      const { title: _title, ...named } = titled
      expect(told).toEqual([described, titled, named, named])
    })
  )
})
