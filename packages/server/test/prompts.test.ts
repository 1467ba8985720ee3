import { Prompt, RpcError, Server } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eras, plain } from "./both.ts"
import { info, Log, wire } from "./wire.ts"

const review = Prompt.make("review", {
  title: "Review",
  description: "Asks for a review",
  icons: [{ src: "https://example.com/icon.svg" }],
  _meta: { "com.example/a": 1 },
  arguments: {
    code: Schema.String.annotate({ description: "What to review" }),
    lines: Schema.optionalKey(Schema.FiniteFromString.annotate({ title: "Lines" }))
  },
  run: ({ code, lines = 0 }) => Effect.succeed(`${code}: ${lines + 1}`)
})
const listed = Prompt.make("listed", {
  arguments: [
    { name: "a", title: "A", description: "the first", required: true },
    { name: "b", required: false },
    { name: "__proto__" }
  ],
  run: (args) => Effect.succeed(JSON.stringify(args))
})
const bare = Prompt.make("bare", { run: () => Effect.succeed("Hello") })
const server = Server.make(info, [review, listed, bare])

for (const [era, params] of eras) {
  describe(`prompts of ${era}`, () => {
    it.effect("are listed with their arguments, whichever way they are described", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        expect(plain(yield* result("prompts/list", params()))).toEqual({
          prompts: [
            {
              name: "review",
              title: "Review",
              description: "Asks for a review",
              icons: [{ src: "https://example.com/icon.svg" }],
              _meta: { "com.example/a": 1 },
              arguments: [
                { name: "code", description: "What to review", required: true },
                { name: "lines", title: "Lines", required: false }
              ]
            },
            {
              name: "listed",
              arguments: [
                { name: "a", title: "A", description: "the first", required: true },
                { name: "b", required: false },
                { name: "__proto__" }
              ]
            },
            { name: "bare" }
          ]
        })
      })
    )
    it.effect("get their arguments decoded", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        const get = (args: object) => result("prompts/get", params({ name: "review", arguments: args }))
        expect(plain(yield* get({ code: "x", lines: "41", other: "y" }))).toEqual({
          description: "Asks for a review",
          messages: [{ role: "user", content: { type: "text", text: "x: 42" } }]
        })
        expect(plain(yield* get({ code: "x" }))).toMatchObject({ messages: [{ content: { text: "x: 1" } }] })
      })
    )
    it.effect("get only those of a list that are in it", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        const got = yield* result("prompts/get", params({ name: "listed", arguments: { a: "1", c: "2" } }))
        expect(got).toMatchObject({ messages: [{ content: { text: '{"a":"1"}' } }] })
      })
    )
    const wrong = [
      ["an unknown name", { name: "nobody" }],
      ["a name that every object has", { name: "toString" }],
      ["no arguments at all", { name: "review" }],
      ["a missing argument", { name: "review", arguments: { lines: "1" } }],
      ["an argument that cannot be decoded", { name: "review", arguments: { code: "", lines: "many" } }],
      ["an argument that is no text", { name: "review", arguments: { code: 1 } }],
      ["a missing argument of a list", { name: "listed", arguments: { b: "" } }],
      ["no name", {}]
    ] as const
    for (const [what, asked] of wrong) {
      it.effect(`FEA-15 with ${what} are -32602, and say nothing of what was sent`, () =>
        Effect.gen(function* () {
          const { error, result } = yield* wire(server)
          const { code, message } = yield* error("prompts/get", params(asked))
          expect(code).toBe(-32602)
          expect(message).not.toContain("many")
          yield* result("prompts/get", params({ name: "bare" }))
        })
      )
    }
    it.effect("S-44 that fail say nothing of why; the log does", () => {
      const log = new Log()
      return Effect.gen(function* () {
        const failing = [
          Prompt.make("a", { run: () => Effect.fail(new Error("s3cr3t")) }),
          Prompt.make("b", {
            run: () => {
              throw new Error("s3cr3t")
            }
          }),
          Prompt.make("c", { run: (() => "no effect, s3cr3t") as never }),
          Prompt.make("d", { run: () => Effect.succeed(undefined as never) })
        ]
        const { error } = yield* wire(Server.make(info, failing))
        for (const name of ["a", "b", "c", "d"])
          expect(yield* error("prompts/get", params({ name }))).toEqual({ code: -32603, message: "Internal error" })
        expect(log.lines).toHaveLength(4)
      }).pipe(Effect.provide(log.layer))
    })
    it.effect("may choose their error", () =>
      Effect.gen(function* () {
        const prompt = Prompt.make("p", { run: () => Effect.fail(RpcError.invalidParams("no such project")) })
        const { error } = yield* wire(Server.make(info, [prompt]))
        expect(yield* error("prompts/get", params({ name: "p" }))).toEqual({ code: -32602, message: "no such project" })
      })
    )
  })
}

describe("the messages of a prompt", () => {
  const contents = [
    { type: "text", text: "t", annotations: { priority: 1 } },
    { type: "image", data: "AAA=", mimeType: "image/png" },
    { type: "audio", data: "AAA=", mimeType: "audio/wav" },
    { type: "resource_link", uri: "a://b", name: "b", size: 1 },
    { type: "resource", resource: { uri: "a://b", text: "t" } },
    { type: "resource", resource: { uri: "a://b", blob: "AAA=" } }
  ] as const
  it.effect("may be of every type, from both sides", () =>
    Effect.gen(function* () {
      const all = Prompt.make("all", {
        run: () => Effect.succeed(contents.flatMap((content) => [Prompt.user(content), Prompt.assistant(content)]))
      })
      const { result } = yield* wire(Server.make(info, [all]))
      const { messages } = yield* result("prompts/get", { name: "all" })
      expect(messages).toEqual(
        contents.flatMap((content) => [
          { role: "user", content },
          { role: "assistant", content }
        ])
      )
    })
  )
  it.effect("are one where one is given, and a whole result where that is", () =>
    Effect.gen(function* () {
      const one = Prompt.make("one", { description: "d", run: () => Effect.succeed(Prompt.assistant("Hi")) })
      const whole = Prompt.make("whole", {
        description: "of the prompt",
        run: () => Effect.succeed({ description: "of the result", messages: [], _meta: { a: 1 } })
      })
      const { result } = yield* wire(Server.make(info, [one, whole]))
      expect(yield* result("prompts/get", { name: "one" })).toEqual({
        description: "d",
        messages: [{ role: "assistant", content: { type: "text", text: "Hi" } }]
      })
      expect(yield* result("prompts/get", { name: "whole" })).toEqual({
        description: "of the result",
        messages: [],
        _meta: { a: 1 }
      })
    })
  )
})

describe("a mistake of the author", () => {
  it("is found when the prompt or its server is made", () => {
    const run = () => Effect.succeed("")
    expect(() => Server.make(info, [bare, bare])).toThrow(/two prompts have the same name: "bare"/)
    expect(() => Prompt.make("p", { arguments: [{ name: "a" }, { name: "a" }], run })).toThrow(/two arguments/)
    expect(() => Prompt.make("p", { complete: { a: [] } as never, run })).toThrow(/no such argument/)
    expect(() => Prompt.make("p", { arguments: { a: "text" } as never, run })).toThrow(/arguments.a/)
  })
})
