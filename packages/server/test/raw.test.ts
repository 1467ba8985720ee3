import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eras } from "./both.ts"
import { info, Log, wire } from "./wire.ts"

const address = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { $anchor: "address", type: "object", properties: { street: { type: "string" } } } },
  properties: { name: { type: "string", pattern: "^[A-Z]" }, home: { $ref: "#/$defs/address" } },
  allOf: [{ anyOf: [{ required: ["name"] }, { required: ["home"] }] }],
  ...JSON.parse('{ "if": { "required": ["home"] }, "then": { "required": ["name"] }, "else": {} }'),
  additionalProperties: false,
  "x-unknown": [1, null]
}

const echo = Tool.make("echo", {
  inputSchema: address,
  run: (args) => Effect.succeed(JSON.stringify(args))
})

for (const [era, params] of eras) {
  describe(`a tool described by JSON Schema, on ${era}`, () => {
    it.effect("is listed with that schema, word for word", () =>
      Effect.gen(function* () {
        const output = { type: "object", properties: { n: { type: "integer" } }, "x-o": 1 }
        const counts = Tool.make("counts", { outputSchema: output, run: () => Effect.succeed({ n: 1 }) })
        const { result } = yield* wire(Server.make(info, [echo, counts]))
        expect(JSON.stringify((yield* result("tools/list", params())).tools)).toBe(
          JSON.stringify([
            { name: "echo", inputSchema: address },
            { name: "counts", inputSchema: { type: "object", additionalProperties: false }, outputSchema: output }
          ])
        )
      })
    )
    it.effect("gets the arguments that fit it, as they came", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(Server.make(info, [echo]))
        const args = { name: "Ada", home: { street: "x", more: 1 } }
        const call = () => result("tools/call", params({ name: "echo", arguments: args }))
        for (let times = 0; times < 2; times++)
          expect(yield* call()).toMatchObject({ content: [{ text: JSON.stringify(args) }] })
      })
    )
    for (const args of [
      {},
      { name: "ada" },
      { name: 1 },
      { home: {} },
      { name: "Ada", other: 1 },
      { name: "Ada", home: [] }
    ]) {
      it.effect(`is not run with others, which are told where they are wrong: ${JSON.stringify(args)}`, () =>
        Effect.gen(function* () {
          const { result } = yield* wire(Server.make(info, [echo]))
          const answer = yield* result("tools/call", params({ name: "echo", arguments: args }))
          expect(answer).toMatchObject({ isError: true })
          expect(JSON.stringify(answer)).toContain("schema")
        })
      )
    }
    it.effect("gives back what its output schema says, or has failed", () => {
      const log = new Log()
      return Effect.gen(function* () {
        const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
        const right = Tool.make("right", { outputSchema, run: () => Effect.succeed({ n: 1 }) })
        const wrong = Tool.make("wrong", { outputSchema, run: () => Effect.succeed({ n: "s3cr3t" }) })
        const { result } = yield* wire(Server.make(info, [right, wrong]))
        expect(yield* result("tools/call", params({ name: "right" }))).toMatchObject({
          structuredContent: { n: 1 },
          content: [{ type: "text", text: '{"n":1}' }]
        })
        const failed = yield* result("tools/call", params({ name: "wrong" }))
        expect(failed).toMatchObject({ isError: true })
        expect(failed).not.toHaveProperty("structuredContent")
        expect(JSON.stringify(failed)).not.toContain("s3cr3t")
        expect(log.lines.join()).toContain("output schema")
      }).pipe(Effect.provide(log.layer))
    })
    it.effect("whose schema cannot be checked against is listed all the same, and fails when it is called", () => {
      const log = new Log()
      return Effect.gen(function* () {
        const unknown = Tool.make("unknown", {
          inputSchema: { $schema: "urn:other", type: "object" },
          run: () => Effect.succeed("")
        })
        const { result } = yield* wire(Server.make(info, [unknown, echo]))
        expect((yield* result("tools/list", params())).tools).toHaveLength(2)
        expect(yield* result("tools/call", params({ name: "unknown" }))).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining("log") }]
        })
        expect(log.lines.join()).toContain("urn:other")
      }).pipe(Effect.provide(log.layer))
    })
  })
}

describe("a mistake of the author", () => {
  const run = () => Effect.succeed("")
  it("is a schema that is not of an object, or a second description of the same thing", () => {
    expect(() => Tool.make("t", { inputSchema: { type: "string" }, run })).toThrow(/"type": "object"/)
    expect(() => Tool.make("t", { inputSchema: {}, run })).toThrow(/"type": "object"/)
    const twice = { input: { a: Schema.String }, inputSchema: { type: "object" }, run }
    expect(() => Tool.make("t", twice as never)).toThrow(/twice/)
    expect(() => Tool.make("t", { output: Schema.String, outputSchema: {}, run } as never)).toThrow(/twice/)
  })
})
