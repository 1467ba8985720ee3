import { Server, Tool } from "@effective-mcp/server"
import type { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as z from "zod"
import { info, modern, wire } from "./wire.ts"

const run = () => Effect.succeed("")

/** Tools that take a list. */
const tools = {
  // each wrong element is wrong in several ways
  "Effect Schema": Tool.make("t", {
    input: {
      x: Schema.Array(
        Schema.Union([
          Schema.Struct({ kind: Schema.Literal("a"), v: Schema.String }),
          Schema.Struct({ v: Schema.Finite, w: Schema.String }),
          Schema.Struct({ z: Schema.Boolean })
        ])
      )
    },
    run
  }),
  zod: Tool.make("t", { input: z.object({ x: z.array(z.string()) }), run })
}

/** What a tool says of arguments that do not fit, and how long that takes, in ms. */
const refusal = Effect.fnUntraced(function* (tool: Tool.Tool, args: JsonRpc.JsonObject) {
  const { result } = yield* wire(Server.make(info, [tool]))
  const start = performance.now()
  const answer = yield* result("tools/call", modern({ name: "t", arguments: args }))
  expect(answer).toMatchObject({ isError: true, content: [{ type: "text", text: expect.any(String) }] })
  const [{ text }] = answer.content as [{ readonly text: string }] // cast: it was just matched
  return { text, ms: performance.now() - start }
})

const list = (count: number, of: unknown = {}) => ({ x: Array.from({ length: count }, () => of) })

for (const [what, tool] of Object.entries(tools)) {
  describe(`arguments that do not fit ${what}`, () => {
    it.effect("are explained in 20 lines, and the rest is counted", () =>
      Effect.gen(function* () {
        const { text } = yield* refusal(tool, list(200))
        const lines = text.split("\n")
        expect(lines).toHaveLength(21)
        expect(lines[0]).toMatch(/^x\.0/)
        expect(lines[20]).toMatch(/^… and \d+ more$/)
        expect(Number(/\d+/.exec(lines[20]!)![0])).toBeGreaterThanOrEqual(180)
      })
    )
    it.effect("are explained whole when there are no more than that", () =>
      Effect.gen(function* () {
        const { text } = yield* refusal(tool, list(4))
        expect(text).toContain("x.3")
        expect(text).not.toContain("more")
      })
    )
    it.effect("are explained in little text and time when they are large", () =>
      Effect.gen(function* () {
        const { ms, text } = yield* refusal(tool, list(130_000))
        expect(text.length).toBeLessThan(4_200)
        expect(text).toMatch(/^x\.0[^]*\n… and [^\n]*more$/)
        expect(ms).toBeLessThan(3_000)
      })
    )
  })
}

describe("what does not fit", () => {
  it.effect("is looked for in large arguments no further than its first place", () =>
    Effect.gen(function* () {
      let looked = 0
      const Odd = Schema.Finite.check(Schema.makeFilter((n) => ++looked > 0 && n % 2 === 1))
      const tool = Tool.make("t", { input: { x: Schema.Array(Odd) }, run })
      const { text } = yield* refusal(tool, list(100_000, 2))
      expect(looked).toBe(1)
      expect(text).toMatch(/^x\.0: [^\n]*\n… and perhaps more$/)
    })
  )
  it.effect("is named by a place that is cut, and that no terminal obeys", () =>
    Effect.gen(function* () {
      const tool = Tool.make("t", { input: Schema.Record(Schema.String, Schema.Finite), run })
      const { text } = yield* refusal(tool, { [`\u009b2J${"x".repeat(1_000_000)}`]: "no number" })
      expect(text).toMatch(/^"\\u009b2Jx{97}…": /)
      expect(text.length).toBeLessThan(300)
    })
  )
  it.effect("is told in 4,096 characters, whatever its words", () =>
    Effect.gen(function* () {
      const Loud = Schema.String.check(Schema.makeFilter((s) => `${s} is too loud`))
      const tool = Tool.make("t", { input: { x: Schema.Array(Loud) }, run })
      const one = yield* refusal(tool, list(1, "a".repeat(1_000_000)))
      expect(one.text).toHaveLength(4_097)
      const many = yield* refusal(tool, list(10, "a".repeat(1_000)))
      expect(many.text.length).toBeLessThan(4_200)
      expect(many.text.split("\n").at(-1)).toBe("… and 6 more")
    })
  )
  it.effect("keeps the words that an author has chosen for it", () =>
    Effect.gen(function* () {
      const input = { n: Schema.Union([Schema.String, Schema.Finite]).annotate({ message: "give me a word" }) }
      const tool = Tool.make("t", { input, run })
      expect((yield* refusal(tool, { n: true })).text).toBe("n: give me a word")
    })
  )
})

describe("an argument named like what every object inherits", () => {
  const names = ["toString", "constructor", "valueOf", "hasOwnProperty"]
  for (const name of names) {
    it.effect(`is absent when it was not sent: ${name}`, () =>
      Effect.gen(function* () {
        const tool = Tool.make("t", {
          input: { [name]: Schema.optionalKey(Schema.String) },
          run: (args) => Effect.succeed(JSON.stringify(Object.entries(args)))
        })
        const { result } = yield* wire(Server.make(info, [tool]))
        const text = (args: JsonRpc.JsonObject) =>
          Effect.map(result("tools/call", { name: "t", arguments: args }), ({ content }) => content)
        expect(yield* text({})).toEqual([{ type: "text", text: "[]" }])
        expect(yield* text({ [name]: "x" })).toEqual([{ type: "text", text: JSON.stringify([[name, "x"]]) }])
      })
    )
  }
})
