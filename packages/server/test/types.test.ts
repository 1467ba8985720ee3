import type { Host, TransportError } from "@effective-mcp/protocol"
import { type Duplex, type JsonRpc, Peer } from "@effective-mcp/protocol"
import { Call, type Feature, Server, Tool, ToolError } from "@effective-mcp/server"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { type } from "arktype"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as z from "zod"
import { info } from "./wire.ts"

class Db extends Context.Service<Db, { readonly get: (key: string) => Effect.Effect<string> }>()("test/Db") {}
class Clock extends Context.Service<Clock, { readonly now: number }>()("test/Clock") {}

declare const duplex: Duplex

const text = () => Effect.succeed("")

describe("what run is given", () => {
  it("comes from Effect Schema fields", () => {
    Tool.make("t", {
      input: {
        a: Schema.Finite,
        b: Schema.optionalKey(Schema.String),
        c: Schema.Literals(["x", "y"]),
        d: Schema.Array(Schema.Struct({ e: Schema.Boolean })),
        n: Schema.NumberFromString
      },
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          readonly a: number
          readonly b?: string
          readonly c: "x" | "y"
          readonly d: ReadonlyArray<{ readonly e: boolean }>
          readonly n: number
        }>()
        return text()
      }
    })
  })
  it("comes from an Effect Schema", () => {
    Tool.make("t", {
      input: Schema.Struct({ a: Schema.Finite }),
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly a: number }>()
        return text()
      }
    })
    Tool.make("t", {
      input: Schema.Union([Schema.Struct({ a: Schema.Finite }), Schema.Struct({ b: Schema.String })]),
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly a: number } | { readonly b: string }>()
        return text()
      }
    })
  })
  it("is always an object: no other schema describes arguments", () => {
    // @ts-expect-error on the wire arguments are an object
    Tool.make("t", { input: Schema.String, run: () => text() })
  })
  it("comes from an Effect Schema class", () => {
    class Point extends Schema.Class<Point>("Point")({ x: Schema.Finite }) {}
    Tool.make("t", {
      input: Point,
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<Point>()
        return text()
      }
    })
  })
  it("comes from zod: what its schema puts out", () => {
    Tool.make("t", {
      input: z.object({
        a: z.number(),
        b: z.string().optional(),
        c: z.string().default("x"),
        n: z.string().transform(Number)
      }),
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string | undefined; c: string; n: number }>()
        return text()
      }
    })
  })
  it("comes from arktype: what its schema puts out", () => {
    Tool.make("t", {
      input: type({ a: "number", "b?": "string", n: "string.numeric.parse" }),
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string; n: number }>()
        return text()
      }
    })
  })
  it("is nothing where nothing is described", () => {
    Tool.make("t", {
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{}>()
        return text()
      }
    })
    Tool.make("t", {
      input: {},
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{}>()
        return text()
      }
    })
  })
  it("holds no member that is not described", () => {
    Tool.make("t", {
      input: { a: Schema.Finite },
      // @ts-expect-error there is no b
      run: ({ a, b }) => Effect.succeed(`${a} ${b}`)
    })
    Tool.make("t", {
      input: z.object({ a: z.number() }),
      // @ts-expect-error there is no b
      run: ({ a, b }) => Effect.succeed(`${a} ${b}`)
    })
    Tool.make("t", {
      // @ts-expect-error there is nothing
      run: ({ a }) => Effect.succeed(`${a}`)
    })
  })
})

describe("what run gives back", () => {
  it("is a text, content, or a whole result where no output is described", () => {
    Tool.make("t", { run: () => Effect.succeed("x") })
    Tool.make("t", { run: () => Effect.succeed({ type: "text", text: "x" } as const) })
    Tool.make("t", { run: () => Effect.succeed([{ type: "image", data: "", mimeType: "image/png" }] as const) })
    Tool.make("t", { run: () => Effect.succeed({ content: [], isError: true }) })
    Tool.make("t", { run: () => Effect.succeed({ content: [], structuredContent: [1], _meta: { a: 1 } }) })
  })
  it("may be made by a generator, with failures and interruption in between", () => {
    const tool = Tool.make("t", {
      input: { a: Schema.Finite },
      run: Effect.fnUntraced(function* ({ a }) {
        if (a < 0) return yield* new ToolError({ message: "no" })
        return `${a}`
      })
    })
    expectTypeOf(tool).toEqualTypeOf<Tool.Tool>()
  })
  it("is something", () => {
    // @ts-expect-error nothing is no answer
    Tool.make("t", { run: () => Effect.void })
    // @ts-expect-error neither is undefined
    Tool.make("t", { run: () => Effect.succeed(undefined) })
    // @ts-expect-error nor a number
    Tool.make("t", { run: () => Effect.succeed(5) })
    // @ts-expect-error nor an object that is no result
    Tool.make("t", { run: () => Effect.succeed({ sum: 5 }) })
    // @ts-expect-error nor content of no kind
    Tool.make("t", { run: () => Effect.succeed({ type: "video", data: "" } as const) })
    // @ts-expect-error and it is an effect
    Tool.make("t", { run: () => "x" })
    // @ts-expect-error not a promise
    Tool.make("t", { run: () => Promise.resolve("x") })
  })
  it("is what output describes", () => {
    const run = () => Effect.succeed({ a: 1 })
    Tool.make("t", { output: { a: Schema.Finite }, run })
    Tool.make("t", { output: Schema.Struct({ a: Schema.Finite }), run })
    Tool.make("t", { output: z.object({ a: z.number() }), run })
    Tool.make("t", { output: type({ a: "number" }), run })
    Tool.make("t", { output: Schema.Array(Schema.Finite), run: () => Effect.succeed([1]) })
  })
  it("is nothing but what output describes", () => {
    const wrong = () => Effect.succeed({ a: "1" })
    // @ts-expect-error a is a number
    Tool.make("t", { output: { a: Schema.Finite }, run: wrong })
    // @ts-expect-error a is a number
    Tool.make("t", { output: Schema.Struct({ a: Schema.Finite }), run: wrong })
    // @ts-expect-error a is a number
    Tool.make("t", { output: z.object({ a: z.number() }), run: wrong })
    // @ts-expect-error a is a number
    Tool.make("t", { output: type({ a: "number" }), run: wrong })
    // @ts-expect-error a text is no value of it
    Tool.make("t", { output: { a: Schema.Finite }, run: () => Effect.succeed("x") })
    // @ts-expect-error a whole result is no value of it
    Tool.make("t", { output: { a: Schema.Finite }, run: () => Effect.succeed({ content: [] }) })
  })
  it("is what goes into a schema that changes it", () => {
    Tool.make("t", { output: { n: Schema.NumberFromString }, run: () => Effect.succeed({ n: 1 }) })
    Tool.make("t", { output: z.object({ n: z.string().transform(Number) }), run: () => Effect.succeed({ n: "1" }) })
    Tool.make("t", {
      output: z.object({ n: z.string().transform(Number) }),
      // @ts-expect-error the schema makes the number
      run: () => Effect.succeed({ n: 1 })
    })
    Tool.make("t", { output: z.object({ n: z.number().default(1) }), run: () => Effect.succeed({}) })
  })
})

describe("what a tool needs", () => {
  const plain = Tool.make("plain", { run: text })
  const db = Tool.make("db", { run: () => Effect.flatMap(Db, ({ get }) => get("x")) })
  const clock = Tool.make("clock", {
    run: Effect.fnUntraced(function* () {
      return `${(yield* Clock).now}`
    })
  })
  const call = Tool.make("call", { run: () => Effect.map(Call, ({ request }) => request.method) })
  const both = Tool.make("both", {
    run: () =>
      Effect.gen(function* () {
        const { progress } = yield* Call
        yield* progress(1)
        return yield* (yield* Db).get("x")
      })
  })

  it("is in its type, and the call is not", () => {
    expectTypeOf(plain).toEqualTypeOf<Tool.Tool>()
    expectTypeOf(db).toEqualTypeOf<Tool.Tool<Db>>()
    expectTypeOf(call).toEqualTypeOf<Tool.Tool>()
    expectTypeOf(both).toEqualTypeOf<Tool.Tool<Db>>()
  })
  it("to decode its input or encode its output is in its type, too", () => {
    const WithDb = Schema.String.pipe(
      Schema.decodeTo(Schema.String, {
        decode: SchemaGetter.transformEffect((key: string) => Effect.flatMap(Db, ({ get }) => get(key))),
        encode: SchemaGetter.transformEffect((n: string) => Effect.map(Clock, ({ now }) => `${n}${now}`))
      })
    )
    const decoding = Tool.make("t", { input: { a: WithDb }, run: text })
    expectTypeOf(decoding).toExtend<Tool.Tool<Db | Clock>>()
    // @ts-expect-error it needs the services of its schema
    expectTypeOf(decoding).toExtend<Tool.Tool>()
  })
  it("is what its server needs", () => {
    expectTypeOf(Server.make(info, [])).toEqualTypeOf<Server.Server>()
    expectTypeOf(Server.make(info, [plain, call])).toEqualTypeOf<Server.Server>()
    expectTypeOf(Server.make(info, [plain, db])).toEqualTypeOf<Server.Server<Db>>()
    expectTypeOf(Server.make(info, [db, clock, both])).toEqualTypeOf<Server.Server<Db | Clock>>()
    const some: ReadonlyArray<Feature<Clock>> = [clock, plain]
    expectTypeOf(Server.make(info, some)).toEqualTypeOf<Server.Server<Clock>>()
    expectTypeOf(Server.make(info, [...some, db])).toEqualTypeOf<Server.Server<Clock | Db>>()
  })
  it("has to be provided before the server can be run", () => {
    const needy = () => Peer.host(duplex, Server.make(info, [db, call]))
    expectTypeOf<ReturnType<typeof needy>>().toEqualTypeOf<Effect.Effect<void, TransportError, Db>>()
    const run = <E>(effect: Effect.Effect<void, E>) => effect
    // @ts-expect-error Db is missing
    const unprovided = () => run(needy())
    const provided = () => run(Effect.provide(needy(), Layer.succeed(Db, { get: Effect.succeed })))
    expectTypeOf(unprovided).toBeFunction()
    expectTypeOf(provided).toBeFunction()
  })
  it("keeps a server from going where less is provided", () => {
    const server = Server.make(info, [db])
    expectTypeOf(server).toExtend<Host<Db>>()
    expectTypeOf(server).toExtend<Host<Db | Clock>>()
    // @ts-expect-error Db is missing
    expectTypeOf(server).toExtend<Host>()
  })
})

describe("a tool's description", () => {
  it("is checked", () => {
    Tool.make("t", { title: "T", description: "D", annotations: { readOnlyHint: true }, run: text })
    // @ts-expect-error a hint is a boolean
    Tool.make("t", { annotations: { readOnlyHint: "yes" }, run: text })
    // @ts-expect-error there is no such member
    Tool.make("t", { descriptoin: "D", run: text })
    // @ts-expect-error a tool runs
    Tool.make("t", { description: "D" })
    // @ts-expect-error a JSON Schema is not what describes input
    expect(() => Tool.make("t", { input: { type: "object", properties: {} }, run: text })).toThrow("input.type")
    // @ts-expect-error nor are bare fields of zod
    expect(() => Tool.make("t", { input: { n: z.number() }, run: text })).toThrow("z.object")
  })
  it("has a call whose metadata is to be checked by whoever reads it", () => {
    Tool.make("t", {
      run: Effect.fnUntraced(function* () {
        const call = yield* Call
        expectTypeOf(call.meta).toEqualTypeOf<JsonRpc.JsonObject>()
        expectTypeOf(call.client?.name).toEqualTypeOf<string | undefined>()
        expectTypeOf(call.progress(1, 2, "x")).toEqualTypeOf<Effect.Effect<void>>()
        return ""
      })
    })
  })
})
