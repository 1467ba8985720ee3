import { Server, Tool } from "@effective-mcp/server"
import type { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import { type } from "arktype"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as z from "zod"
import { info, initialize, Log, modern, wire } from "./wire.ts"

const sky = { celsius: 21, sky: "clear" } as const
const Sky = Schema.Struct({ celsius: Schema.Finite, sky: Schema.Literals(["clear", "cloudy"]) })

/** The same tool, its result described in every way there is. */
const weathers = {
  "Effect Schema fields": Tool.make("weather", { output: Sky.fields, run: () => Effect.succeed(sky) }),
  "an Effect Schema": Tool.make("weather", { output: Sky, run: () => Effect.succeed(sky) }),
  zod: Tool.make("weather", {
    output: z.object({ celsius: z.number(), sky: z.enum(["clear", "cloudy"]) }),
    run: () => Effect.succeed(sky)
  }),
  arktype: Tool.make("weather", {
    output: type({ celsius: "number", sky: "'clear' | 'cloudy'" }),
    run: () => Effect.succeed(sky)
  })
}

const listed = Effect.fnUntraced(function* (tool: Tool.Tool, era: "modern" | "legacy") {
  const { result } = yield* wire(Server.make(info, [tool]))
  if (era === "legacy") yield* result("initialize", initialize)
  const { tools } = yield* result("tools/list", era === "modern" ? modern() : {})
  const [first] = tools as ReadonlyArray<JsonRpc.JsonObject> // cast: a list of tools is what was asked for
  return first!
})

const called = Effect.fnUntraced(function* (tool: Tool.Tool, era: "modern" | "legacy") {
  const { result } = yield* wire(Server.make(info, [tool]))
  if (era === "legacy") yield* result("initialize", initialize)
  const params = { name: tool.name, arguments: {} }
  return yield* result("tools/call", era === "modern" ? modern(params) : params)
})

for (const [what, tool] of Object.entries(weathers)) {
  describe(`output described by ${what}`, () => {
    for (const era of ["modern", "legacy"] as const) {
      it.effect(`on ${era} is listed, and given as structured content and as its JSON in a text`, () =>
        Effect.gen(function* () {
          expect(yield* listed(tool, era)).toMatchObject({
            outputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius", "sky"] }
          })
          const { content, structuredContent } = yield* called(tool, era)
          expect(structuredContent).toEqual(sky)
          expect(content).toEqual([{ type: "text", text: JSON.stringify(sky) }])
        })
      )
    }
  })
}

describe("output", () => {
  it.effect("that is no object is given whole on modern, and as a text alone on legacy, which loses its schema", () =>
    Effect.gen(function* () {
      const values: ReadonlyArray<readonly [Schema.Constraint & Schema.Schema<unknown>, unknown]> = [
        [Schema.Array(Schema.Finite), [1, 2]],
        [Schema.String, "x"],
        [Schema.Finite, 0],
        [Schema.Boolean, false],
        [Schema.Null, null]
      ]
      for (const [output, value] of values) {
        const tool = Tool.make("t", { output: output as Schema.Unknown, run: () => Effect.succeed(value) }) // cast: any value of it will do
        const content = [{ type: "text", text: JSON.stringify(value) }]
        expect(yield* called(tool, "modern")).toMatchObject({ content, structuredContent: value })
        expect(yield* called(tool, "legacy")).toEqual({ content })
        expect(yield* listed(tool, "modern")).toHaveProperty("outputSchema")
        expect(yield* listed(tool, "legacy")).not.toHaveProperty("outputSchema")
      }
    })
  )
  it.effect("is encoded as it is listed", () =>
    Effect.gen(function* () {
      const when = new Date(0)
      const tool = Tool.make("t", {
        output: { when: Schema.Date, many: Schema.BigInt, n: Schema.NumberFromString },
        run: () => Effect.succeed({ when, many: 5n, n: 5 })
      })
      expect(yield* listed(tool, "modern")).toMatchObject({
        outputSchema: { properties: { when: { type: "string" }, many: { type: "string" }, n: { type: "string" } } }
      })
      expect(yield* called(tool, "modern")).toMatchObject({
        structuredContent: { when: when.toISOString(), many: "5", n: "5" }
      })
    })
  )
  it.effect("of a class keeps its schema on legacy: its root says that it is an object", () =>
    Effect.gen(function* () {
      class Point extends Schema.Class<Point>("Point")({ x: Schema.Finite }) {}
      const tool = Tool.make("t", { output: Point, run: () => Effect.succeed(new Point({ x: 1 })) })
      expect(yield* listed(tool, "legacy")).toMatchObject({
        outputSchema: { type: "object", properties: { x: { type: "number" } } }
      })
      expect(yield* called(tool, "legacy")).toMatchObject({ structuredContent: { x: 1 } })
    })
  )
  it.effect("that refers to itself brings its definitions along", () =>
    Effect.gen(function* () {
      interface Tree {
        readonly leaves: ReadonlyArray<Tree>
      }
      const Tree = Schema.Struct({
        leaves: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
      }).annotate({ identifier: "Tree" })
      const tool = Tool.make("t", { output: Tree, run: () => Effect.succeed({ leaves: [{ leaves: [] }] }) })
      const { outputSchema } = yield* listed(tool, "modern")
      expect(outputSchema).toMatchObject({ type: "object", $defs: { Tree: { type: "object" } } })
      expect(yield* called(tool, "modern")).toMatchObject({ structuredContent: { leaves: [{ leaves: [] }] } })
    })
  )
  it.effect("of a Standard Schema is what comes out of it", () =>
    Effect.gen(function* () {
      const output = z.object({ n: z.string().transform(Number).pipe(z.number()), mood: z.string().default("calm") })
      const tool = Tool.make("t", { output, run: () => Effect.succeed({ n: "5" }) })
      expect(yield* listed(tool, "modern")).toMatchObject({
        outputSchema: { properties: { n: { type: "number" } }, required: ["n", "mood"] }
      })
      expect(yield* called(tool, "modern")).toMatchObject({ structuredContent: { n: 5, mood: "calm" } })
    })
  )
  it.effect("that does not fit its own description is a failure of the tool, and stays on the server", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const wrong = "s3cr3t" as never // cast: a mistake that the compiler did not see
      const tools = [
        Tool.make("effect", { output: Sky, run: () => Effect.succeed(wrong) }),
        Tool.make("zod", { output: z.object({ celsius: z.number() }), run: () => Effect.succeed(wrong) })
      ]
      for (const tool of tools) {
        const answer = yield* called(tool, "modern")
        expect(answer).toMatchObject({ isError: true, content: [{ type: "text" }] })
        expect(answer).not.toHaveProperty("structuredContent")
        expect(JSON.stringify(answer)).not.toContain("s3cr3t")
      }
      expect(log.lines.length).toBe(2)
    }).pipe(Effect.provide(log.layer))
  })
})

describe("a tool that was written without its types", () => {
  // cast: what plain JavaScript lets pass
  const broken = { promise: async () => "x", text: () => "x" } as unknown as Record<string, () => Effect.Effect<string>>
  for (const [what, run] of Object.entries(broken)) {
    it.effect(`gives back a ${what} instead of an effect: it has failed, and the log says why`, () => {
      const log = new Log()
      return Effect.gen(function* () {
        const { result } = yield* wire(Server.make(info, [Tool.make("t", { run })]))
        expect(yield* result("tools/call", { name: "t" })).toMatchObject({ isError: true })
        expect(log.lines.join()).toContain("no Effect")
      }).pipe(Effect.provide(log.layer))
    })
  }
})

describe("a value that breaks its output schema", () => {
  it.effect("is the tool's own failure, and the log says where", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const tool = Tool.make("t", { output: { x: Schema.Int }, run: () => Effect.succeed({ x: 1.5 }) })
      const { result } = yield* wire(Server.make(info, [tool]))
      expect(yield* result("tools/call", { name: "t" })).toMatchObject({ isError: true })
      expect(log.lines.join()).toMatch(/broke its output schema: x: [^{]*integer/)
    }).pipe(Effect.provide(log.layer))
  })
})

describe("a whole result", () => {
  const odd = { content: [], resultType: "input_required" }
  const tool = Tool.make("t", { run: () => Effect.succeed(odd) })
  it.effect("DET-07 cannot change its result type, and has none on legacy", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(Server.make(info, [tool]))
      expect(yield* result("tools/call", modern({ name: "t" }))).toMatchObject({ resultType: "complete" })
      expect(yield* result("tools/call", { name: "t" })).toEqual({ content: [] })
    })
  )
})

describe("a tool that interrupts itself", () => {
  it.effect("has failed like any other", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(Server.make(info, [Tool.make("t", { run: () => Effect.interrupt })]))
      expect(yield* result("tools/call", { name: "t" })).toMatchObject({ isError: true })
    }).pipe(Effect.provide(new Log().layer))
  )
})
