import { Server, Tool, ToolError } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { info, Log, modern, wire } from "./wire.ts"

const SECRET = "s3cr3t"

class Broken extends Data.TaggedError("Broken")<{ readonly secret: string }> {}

const call = Effect.fnUntraced(function* (tool: Tool.Tool) {
  const { result } = yield* wire(Server.make(info, [tool]))
  return yield* result("tools/call", { name: tool.name })
})

describe("what a tool gives back", () => {
  const text = { type: "text", text: "x" } as const
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const
  const audio = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" } as const
  const link = { type: "resource_link", uri: "file:///a", name: "a" } as const
  const embedded = { type: "resource", resource: { uri: "file:///a", text: "a" } } as const
  const whole = { content: [text], structuredContent: { a: 1 }, isError: false, _meta: { "com.example/k": 1 } }
  const answers: ReadonlyArray<readonly [string, Tool.Answer, Readonly<Record<string, unknown>>]> = [
    ["a text", "x", { content: [text] }],
    ["an empty text", "", { content: [{ type: "text", text: "" }] }],
    ["one piece of content", image, { content: [image] }],
    ["a link", link, { content: [link] }],
    ["several pieces", [text, image, audio, link, embedded], { content: [text, image, audio, link, embedded] }],
    ["nothing at all", [], { content: [] }],
    ["a whole result", whole, whole],
    ["a whole result that failed", { content: [text], isError: true }, { content: [text], isError: true }]
  ]
  for (const [what, answer, expected] of answers) {
    it.effect(`may be ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* call(Tool.make("t", { run: () => Effect.succeed(answer) }))).toEqual(expected)
      })
    )
  }
})

describe("a tool that fails", () => {
  it.effect("with a ToolError tells the model its text, and logs nothing", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const tool = Tool.make("t", { run: () => Effect.fail(new ToolError({ message: "Cannot divide by zero" })) })
      expect(yield* call(tool)).toEqual({ content: [{ type: "text", text: "Cannot divide by zero" }], isError: true })
      expect(log.lines).toEqual([])
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("with a ToolError that has content tells the model that", () =>
    Effect.gen(function* () {
      const content = [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }] as const
      const tool = Tool.make("t", { run: () => Effect.fail(new ToolError({ message: "unused", content })) })
      expect(yield* call(tool)).toEqual({ content, isError: true })
    })
  )
  it.effect("with a ToolError does so with an output schema, too", () =>
    Effect.gen(function* () {
      const tool = Tool.make("t", {
        output: { a: Schema.Finite },
        run: () => Effect.fail(new ToolError({ message: "no" }))
      })
      expect(yield* call(tool)).toEqual({ content: [{ type: "text", text: "no" }], isError: true })
    })
  )
  const failures: Readonly<Record<string, () => Effect.Effect<string, unknown>>> = {
    "fails with an error": () => Effect.fail(new Broken({ secret: SECRET })),
    "fails with a text": () => Effect.fail(SECRET),
    "dies of an error": () => Effect.die(new Error(SECRET)),
    "dies of a text": () => Effect.die(SECRET),
    "throws while it makes its effect": () => {
      throw new Error(SECRET)
    },
    "throws in its effect": () =>
      Effect.sync(() => {
        throw new Error(SECRET)
      }),
    "rejects a promise": () => Effect.promise(() => Promise.reject(new Error(SECRET)))
  }
  const texts = new Set<string>()
  for (const [what, run] of Object.entries(failures)) {
    it.effect(`S-44 and ${what} tells the model only that it failed; the cause is in the log`, () => {
      const log = new Log()
      return Effect.gen(function* () {
        const answer = yield* call(Tool.make("t", { run }))
        expect(answer).toEqual({ content: [{ type: "text", text: expect.any(String) }], isError: true })
        expect(JSON.stringify(answer)).not.toContain(SECRET)
        expect(log.lines.length).toBe(1)
        expect(log.lines[0]).toContain(SECRET)
        expect(log.lines[0]).toMatch(/^Error .*\bt\b/)
        texts.add(JSON.stringify(answer))
        expect(texts.size).toBe(1)
      }).pipe(Effect.provide(log.layer))
    })
  }
  it.effect("releases what it holds", () =>
    Effect.gen(function* () {
      const released: Array<string> = []
      const run = () =>
        Effect.ensuring(
          Effect.fail("x"),
          Effect.sync(() => released.push("released"))
        )
      yield* call(Tool.make("t", { run }))
      expect(released).toEqual(["released"])
    }).pipe(Effect.provide(new Log().layer))
  )
})

describe("a tool", () => {
  it.effect("that nobody made is -32602, and the message names it", () =>
    Effect.gen(function* () {
      const { error } = yield* wire(Server.make(info, [Tool.make("t", { run: () => Effect.succeed("") })]))
      for (const params of [{ name: "nope", arguments: {} }, modern({ name: "nope" })]) {
        expect(yield* error("tools/call", params)).toEqual({ code: -32602, message: "Unknown tool: nope" })
      }
    })
  )
  it.effect("that nobody made is named by no more than 100 characters, and none that a terminal obeys", () =>
    Effect.gen(function* () {
      const { error } = yield* wire(Server.make(info, [Tool.make("t", { run: () => Effect.succeed("") })]))
      const name = `\u001b[2J\u009b${"x".repeat(1_000_000)}`
      for (const [method, params] of [
        ["tools/call", { name }],
        ["tools/call", modern({ name })],
        [name, {}],
        [name, modern()]
      ] as const) {
        const { message } = yield* error(method, params)
        expect(message).toMatch(/: "\\u001b\[2J\\u009bx{95}…"$/)
      }
    })
  )
  it.effect("is named in exactly the letters that it has", () =>
    Effect.gen(function* () {
      const { error } = yield* wire(Server.make(info, [Tool.make("getUser", { run: () => Effect.succeed("") })]))
      for (const name of ["getuser", "getUser ", "getUser\u0000", ""]) {
        expect(yield* error("tools/call", { name })).toMatchObject({ code: -32602 })
      }
    })
  )
  it.effect("RPC-13 is the one that the exact member names, whatever stands beside it", () =>
    Effect.gen(function* () {
      const tools = ["safe", "danger"].map((name) => Tool.make(name, { run: () => Effect.succeed(name) }))
      const { result } = yield* wire(Server.make(info, tools))
      for (const params of [
        { name: "safe", Name: "danger" },
        { name: "safe", "name\u0000": "danger" },
        { NAME: "danger", name: "safe" }
      ]) {
        expect(yield* result("tools/call", params)).toEqual({ content: [{ type: "text", text: "safe" }] })
      }
    })
  )
  it.effect("is listed with all that it says of itself", () =>
    Effect.gen(function* () {
      const said = {
        title: "Search",
        description: "Finds documents",
        annotations: { readOnlyHint: true, idempotentHint: true },
        icons: [{ src: "https://example.com/i.png", mimeType: "image/png", sizes: ["48x48"] }],
        _meta: { "com.example/k": 1 }
      }
      const { result } = yield* wire(Server.make(info, [Tool.make("t", { ...said, run: () => Effect.succeed("") })]))
      const inputSchema = { type: "object", additionalProperties: false }
      expect(yield* result("tools/list")).toEqual({ tools: [{ name: "t", inputSchema, ...said }] })
      expect(yield* result("tools/list", modern())).toMatchObject({ tools: [{ name: "t", inputSchema, ...said }] })
    })
  )
  it.effect("finds what it needs in the context that the server is hosted with", () =>
    Effect.gen(function* () {
      class Greeting extends Context.Service<Greeting, string>()("test/Greeting") {}
      const tool = Tool.make("t", { run: () => Greeting })
      const { result } = yield* Effect.provideService(wire(Server.make(info, [tool])), Greeting, "Hello")
      expect(yield* result("tools/call", { name: "t" })).toEqual({ content: [{ type: "text", text: "Hello" }] })
    })
  )
})
