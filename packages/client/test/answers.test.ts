import { Tools } from "@effective-mcp/client"
import { JsonRpc, Violation } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { begin, connect, inTurn, legacy, line, Log, modern, result, scripted, silence } from "./scripted.ts"

const SECRET = "s3cr3t"

/** Whether an error, or anything it holds, repeats what the peer sent. */
const repeats = (failure: Error): boolean =>
  [failure.message, String(failure), JSON.stringify(failure)].some((text) => text.includes(SECRET))

describe("an answer that is no response", () => {
  const malformed = {
    "result null": `{"jsonrpc":"2.0","id":ID,"result":null}`,
    "both result and error": `{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}`,
    "neither result nor error": `{"jsonrpc":"2.0","id":ID}`,
    "a code that is a text": `{"jsonrpc":"2.0","id":ID,"error":{"code":"a","message":5}}`,
    "a code with a fraction": `{"jsonrpc":"2.0","id":ID,"error":{"code":1.5,"message":"x"}}`,
    "a result that is a list": `{"jsonrpc":"2.0","id":ID,"result":[1]}`,
    "a result that is a text": `{"jsonrpc":"2.0","id":ID,"result":"${SECRET}"}`,
    "another version of JSON-RPC": `{"jsonrpc":"1.0","id":ID,"result":{}}`,
    "no version of JSON-RPC": `{"id":ID,"result":{"${SECRET}":"${SECRET}"}}`
  }
  for (const [what, text] of Object.entries(malformed)) {
    it.effect(`C-27 RPC-11 ${what} fails its call alone, once, and names its id`, () =>
      Effect.gen(function* () {
        const server = scripted(modern({ "tools/call": inTurn(silence, line(text), result({ content: [] })) }))
        const client = yield* connect(server)
        const other = yield* begin(Tools.call(client, "other"))
        const failure = yield* Effect.flip(Tools.call(client, "t"))
        expect(failure).toMatchObject({ _tag: "TransportError", outcome: "Unknown", reason: { _tag: "Malformed" } })
        expect(failure).toMatchObject({ reason: { id: server.run.last.id } })
        expect(repeats(failure)).toBe(false)
        server.run.say(JsonRpc.success(server.run.requests.at(-2)!.id, { content: [] }))
        yield* Fiber.join(other)
        yield* Tools.call(client, "t")
        expect(server.run.methods).not.toContain("notifications/cancelled")
      })
    )
  }
  const deep = {
    "100,000 lists": `{"jsonrpc":"2.0","id":ID,"result":{"content":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
    "50,000 objects": `{"jsonrpc":"2.0","id":ID,"result":{"content":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}`,
    "65 levels": `{"jsonrpc":"2.0","id":ID,"result":{"content":${"[".repeat(63)}${"]".repeat(63)}}}`
  }
  for (const [what, text] of Object.entries(deep)) {
    it.effect(`RPC-15 ${what} deep fails its call, and the next is answered`, () =>
      Effect.gen(function* () {
        const server = scripted(modern({ "tools/call": line(text) }))
        const client = yield* connect(server)
        expect(yield* Effect.flip(Tools.call(client, "t"))).toMatchObject({
          _tag: "TransportError",
          reason: { _tag: "Malformed", id: 2 }
        })
        yield* client.ping()
      })
    )
  }
})

describe("what nobody asked for", () => {
  it.effect("RPC-09 100,000 responses change nothing, and say nothing", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const server = scripted(modern({ "tools/call": silence }))
      const client = yield* connect(server)
      const call = yield* begin(Tools.call(client, "t"))
      const { id } = server.run.last
      for (let n = 0; n < 100; n++) {
        server.run.say(
          ...Array.from({ length: 1000 }, (_, i) => `{"jsonrpc":"2.0","id":${1e6 + n * 1000 + i},"result":{}}`)
        )
      }
      server.run.say(JsonRpc.success(id, { content: [] }))
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
      expect(log.lines).toEqual([])
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("R-020 an answer that is there before the write returns is heard", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/call": result({ content: [] }) }))
      expect(yield* Tools.call(yield* connect(server), "t")).toEqual({ content: [] })
    })
  )
  it.effect("R-020 an answer with the id in another type is none", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/call": silence }))
      const client = yield* connect(server)
      const call = yield* begin(Tools.call(client, "t"))
      const { id } = server.run.last
      server.run.say(JsonRpc.success(String(id), { content: [{ type: "text", text: "wrong" }] }))
      server.run.say(JsonRpc.success(id, { content: [] }))
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
    })
  )
  it.effect(
    "R-011 lines that are no messages are skipped, with a bounded number of warnings that repeat nothing",
    () => {
      const log = new Log()
      return Effect.gen(function* () {
        const server = scripted(modern({ "tools/call": silence }))
        const client = yield* connect(server)
        const call = yield* begin(Tools.call(client, "t"))
        const { id } = server.run.last
        for (let i = 0; i < 1000; i++) server.run.say(`Listening on ${SECRET}`, `"${SECRET}"`, "[]", "5")
        server.run.say(JsonRpc.success(id, { content: [] }))
        expect(yield* Fiber.join(call)).toEqual({ content: [] })
        expect(log.lines.length).toBeLessThan(30)
        expect(log.lines.join()).not.toContain(SECRET)
      }).pipe(Effect.provide(log.layer))
    }
  )
})

describe("a result that breaks its revision", () => {
  const wrong: ReadonlyArray<readonly [string, "tools/list" | "tools/call", JsonRpc.JsonObject, string]> = [
    ["no tools", "tools/list", {}, "tools"],
    ["FEA-06 tools that are null", "tools/list", { tools: null }, "tools"],
    ["tools that are no list", "tools/list", { tools: SECRET }, "tools"],
    ["a cursor that is a number", "tools/list", { tools: [], nextCursor: 5 }, "nextCursor"],
    ["no content", "tools/call", {}, "content"],
    ["content that is null", "tools/call", { content: null }, "content"],
    ["isError that is a text", "tools/call", { content: [], isError: SECRET }, "isError"],
    ["a text that is a number", "tools/call", { content: [{ type: "text", text: 5 }] }, "content[0].text"],
    ["an image without data", "tools/call", { content: [{ type: "image", mimeType: SECRET }] }, "content[0].data"],
    ["content of an unknown kind", "tools/call", { content: [{ type: SECRET }] }, "content[0]"],
    ["_meta that is a list", "tools/call", { content: [], _meta: [SECRET] }, "_meta"]
  ]
  for (const era of ["modern", "legacy"] as const) {
    for (const [what, method, value, place] of wrong) {
      it.effect(`C-27 on ${era}: ${what} is a violation that names the place, never what stood there`, () =>
        Effect.gen(function* () {
          const script = { [method]: result(value) }
          const server = scripted(era === "modern" ? modern(script) : legacy(script))
          const client = yield* connect(server)
          const call: Effect.Effect<unknown, unknown> =
            method === "tools/list" ? Tools.list(client) : Tools.call(client, "t")
          const failure = yield* Effect.flip(call)
          expect(failure).toBeInstanceOf(Violation)
          expect(failure).toMatchObject({ method, revision: client.revision, outcome: "Unknown" })
          expect(failure).toMatchObject({ detail: expect.stringContaining(place) })
          expect(failure).toSatisfy((error: Violation) => !repeats(error))
        })
      )
    }
  }
  it.effect("structured content is any JSON on modern, and an object on legacy", () =>
    Effect.gen(function* () {
      const script = { "tools/call": result({ content: [], structuredContent: [1] }) }
      const client = yield* connect(scripted(modern(script)))
      expect(yield* Tools.call(client, "t")).toMatchObject({ structuredContent: [1] })
      const failure = yield* Effect.flip(Tools.call(yield* connect(scripted(legacy(script))), "t"))
      expect(failure).toMatchObject({ _tag: "Violation", detail: expect.stringContaining("structuredContent") })
    })
  )
})
