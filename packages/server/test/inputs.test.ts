import { Server, Tool } from "@effective-mcp/server"
import type { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { type } from "arktype"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import type { StandardSchemaV1 } from "effect/StandardSchema"
import * as z from "zod"
import { info, Log, modern, wire } from "./wire.ts"

const AB = Schema.Struct({ a: Schema.Finite, b: Schema.Finite })
class Pair extends Schema.Class<Pair>("Pair")({ a: Schema.Finite, b: Schema.Finite }) {}

const sum = ({ a, b }: { readonly a: number; readonly b: number }) => Effect.succeed(`${a + b}`)

/** The same tool, described in every way there is. */
const adders = {
  "Effect Schema fields": Tool.make("add", { input: { a: Schema.Finite, b: Schema.Finite }, run: sum }),
  "an Effect Schema": Tool.make("add", { input: AB, run: sum }),
  "an Effect Schema class": Tool.make("add", {
    input: Pair,
    run: (pair) => Effect.succeed(pair instanceof Pair ? `${pair.a + pair.b}` : "no instance")
  }),
  zod: Tool.make("add", { input: z.object({ a: z.number(), b: z.number() }), run: sum }),
  arktype: Tool.make("add", { input: type({ a: "number", b: "number" }), run: sum })
}

const text = (value: string) => ({ content: [{ type: "text", text: value }] })

const call = (args: JsonRpc.JsonObject) => modern({ name: "add", arguments: args })

for (const [what, tool] of Object.entries(adders)) {
  describe(`input described by ${what}`, () => {
    const server = Server.make(info, [tool])
    it.effect("is listed as JSON Schema of an object", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        const { tools } = yield* result("tools/list", modern())
        const schema = JSON.stringify(tools)
        expect(tools).toMatchObject([{ name: "add", inputSchema: { type: "object" } }])
        expect(schema).toContain('"a":{"type":"number"')
        expect(schema).toMatch(/"required":\["a","b"\]/)
      })
    )
    it.effect("reaches the tool as it is decoded", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        expect(yield* result("tools/call", call({ a: 1, b: 2 }))).toMatchObject(text("3"))
      })
    )
    for (const args of [{}, { a: 1 }, { a: "1", b: 2 }, { a: null, b: 2 }]) {
      it.effect(`that does not fit is a result that says where: ${JSON.stringify(args)}`, () =>
        Effect.gen(function* () {
          const { result } = yield* wire(server)
          for (const params of [call(args), { name: "add", arguments: args }]) {
            const answer = yield* result("tools/call", params)
            expect(answer).toMatchObject({ isError: true })
            expect(JSON.stringify(answer.content)).toMatch(/\b[ab]\b/)
          }
        })
      )
    }
    it.effect("that is not there does not fit", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        expect(yield* result("tools/call", modern({ name: "add" }))).toMatchObject({ isError: true })
      })
    )
  })
}

describe("input", () => {
  it.effect("is none where none is described, and listed as the protocol recommends", () =>
    Effect.gen(function* () {
      const tools = [
        Tool.make("none", { run: () => Effect.succeed("") }),
        Tool.make("empty", { input: {}, run: () => Effect.succeed("") })
      ]
      const { result } = yield* wire(Server.make(info, tools))
      const inputSchema = { type: "object", additionalProperties: false }
      expect(yield* result("tools/list")).toEqual({
        tools: [
          { name: "none", inputSchema },
          { name: "empty", inputSchema }
        ]
      })
    })
  )
  it.effect("is decoded: transformations, defaults and optional members are the tool's own", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const see = (args: unknown) => Effect.sync(() => String(seen.push(args)))
      const tools = [
        Tool.make("effect", { input: { n: Schema.NumberFromString, m: Schema.optionalKey(Schema.String) }, run: see }),
        Tool.make("zod", {
          input: z.object({ n: z.string().transform(Number), m: z.string().default("x") }),
          run: see
        }),
        Tool.make("arktype", { input: type({ n: "string.numeric.parse", m: "string = 'x'" }), run: see })
      ]
      const { result } = yield* wire(Server.make(info, tools))
      for (const { name } of tools) yield* result("tools/call", { name, arguments: { n: "5" } })
      expect(seen).toEqual([{ n: 5 }, { n: 5, m: "x" }, { n: 5, m: "x" }])
    })
  )
  it.effect("is listed as callers write it, not as the tool gets it", () =>
    Effect.gen(function* () {
      const tools = [
        Tool.make("effect", { input: { n: Schema.NumberFromString }, run: () => Effect.succeed("") }),
        Tool.make("zod", { input: z.object({ n: z.string().transform(Number) }), run: () => Effect.succeed("") })
      ]
      const { result } = yield* wire(Server.make(info, tools))
      expect(yield* result("tools/list")).toMatchObject({
        tools: [
          { inputSchema: { properties: { n: { type: "string" } } } },
          { inputSchema: { properties: { n: { type: "string" } } } }
        ]
      })
    })
  )
  it.effect("is taken in the form that is listed: what JSON cannot hold comes as what it can", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const input = { when: Schema.Date, many: Schema.BigInt }
      const tool = Tool.make("t", { input, run: (args) => Effect.sync(() => String(seen.push(args))) })
      const { result } = yield* wire(Server.make(info, [tool]))
      expect(yield* result("tools/list")).toMatchObject({
        tools: [{ inputSchema: { properties: { when: { type: "string" }, many: { type: "string" } } } }]
      })
      const when = "2026-07-28T00:00:00.000Z"
      yield* result("tools/call", { name: "t", arguments: { when, many: "12345678901234567890" } })
      expect(seen).toEqual([{ when: new Date(when), many: 12345678901234567890n }])
    })
  )
  it.effect("keeps what describes it for the model", () =>
    Effect.gen(function* () {
      const tools = [
        Tool.make("effect", {
          input: { q: Schema.String.annotate({ description: "What to look for" }) },
          run: () => Effect.succeed("")
        }),
        Tool.make("zod", {
          input: z.object({ q: z.string().describe("What to look for") }),
          run: () => Effect.succeed("")
        })
      ]
      const { result } = yield* wire(Server.make(info, tools))
      const description = "What to look for"
      expect(yield* result("tools/list")).toMatchObject({
        tools: [
          { inputSchema: { properties: { q: { description } } } },
          { inputSchema: { properties: { q: { description } } } }
        ]
      })
    })
  )
  it.effect("says all that does not fit, not only the first", () =>
    Effect.gen(function* () {
      const tool = Tool.make("t", {
        input: { first: Schema.Finite, second: Schema.Finite },
        run: () => Effect.succeed("")
      })
      const { result } = yield* wire(Server.make(info, [tool]))
      const answer = JSON.stringify(yield* result("tools/call", { name: "t", arguments: { first: "x", second: "y" } }))
      expect(answer).toContain("first")
      expect(answer).toContain("second")
    })
  )
  it.effect("can need a service to be decoded", () =>
    Effect.gen(function* () {
      class Factor extends Context.Service<Factor, number>()("test/Factor") {}
      const Scaled = Schema.Finite.pipe(
        Schema.decodeTo(Schema.Finite, {
          decode: SchemaGetter.transformEffect((n: number) => Effect.map(Factor, (factor) => n * factor)),
          encode: SchemaGetter.transform((n: number) => n)
        })
      )
      const tool = Tool.make("t", { input: { n: Scaled }, run: ({ n }) => Effect.succeed(`${n}`) })
      const { result } = yield* Effect.provideService(wire(Server.make(info, [tool])), Factor, 3)
      expect(yield* result("tools/call", { name: "t", arguments: { n: 2 } })).toEqual(text("6"))
    })
  )
})

/** A Standard Schema made by hand. */
const standard = (
  validate: (value: unknown) => StandardSchemaV1.Result<{ n: number }> | Promise<StandardSchemaV1.Result<{ n: number }>>
) => ({
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate,
    types: undefined as unknown as { input: { n: number }; output: { n: number } }, // cast: only its type counts
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) }
  }
})

describe("a Standard Schema", () => {
  const run = ({ n }: { readonly n: number }) => Effect.succeed(`${n}`)

  it.effect("may take its time", () =>
    Effect.gen(function* () {
      const slow = standard((value) => Promise.resolve(value === 1 ? { issues: [] } : { value: { n: 7 } }))
      const { result } = yield* wire(Server.make(info, [Tool.make("t", { input: slow, run })]))
      expect(yield* result("tools/call", { name: "t", arguments: {} })).toEqual(text("7"))
    })
  )
  it.effect("may take its time to find what does not fit, and where", () =>
    Effect.gen(function* () {
      const issues = [{ message: "is odd", path: ["n", { key: 0 }] }, { message: "it is Monday" }]
      const slow = standard(() => Promise.resolve({ issues }))
      const { result } = yield* wire(Server.make(info, [Tool.make("t", { input: slow, run })]))
      expect(yield* result("tools/call", { name: "t", arguments: {} })).toEqual({
        ...text("n.0: is odd\nit is Monday"),
        isError: true
      })
    })
  )
  it.effect("with zod's asynchronous checks", () =>
    Effect.gen(function* () {
      const input = z.object({ n: z.number().refine((n) => Promise.resolve(n > 1), "too small") })
      const { result } = yield* wire(Server.make(info, [Tool.make("t", { input, run })]))
      expect(yield* result("tools/call", { name: "t", arguments: { n: 2 } })).toEqual(text("2"))
      expect(yield* result("tools/call", { name: "t", arguments: { n: 1 } })).toMatchObject({
        content: [{ text: "n: too small" }],
        isError: true
      })
    })
  )
  const broken = {
    throws: standard(() => {
      throw new Error("s3cr3t")
    }),
    rejects: standard(() => Promise.reject(new Error("s3cr3t")))
  }
  for (const [what, input] of Object.entries(broken)) {
    it.effect(
      `that ${what} is the tool's own failure: its caller is told nothing more, and the session lives on`,
      () => {
        const log = new Log()
        return Effect.gen(function* () {
          const { result, said } = yield* wire(Server.make(info, [Tool.make("t", { input, run })]))
          expect(yield* result("tools/call", { name: "t", arguments: {} })).toMatchObject({ isError: true })
          expect(JSON.stringify(said)).not.toContain("s3cr3t")
          expect(log.lines.join()).toContain("s3cr3t")
          expect(yield* result("ping")).toEqual({})
        }).pipe(Effect.provide(log.layer))
      }
    )
  }
})

it.effect("a tool without input is given none, whatever it is called with", () =>
  Effect.gen(function* () {
    const { result } = yield* wire(
      Server.make(info, [Tool.make("t", { run: (args) => Effect.succeed(JSON.stringify(args)) })])
    )
    expect(yield* result("tools/call", { name: "t", arguments: { a: 1 } })).toEqual(text("{}"))
  })
)
