import { Prompt, Resource, ResourceTemplate, RpcError, Server } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eras, plain } from "./both.ts"
import { info, initialize, Log, wire } from "./wire.ts"

const frameworks: { readonly [language: string]: ReadonlyArray<string> } = {
  python: ["flask", "fastapi"],
  rust: ["axum"]
}
const review = Prompt.make("review", {
  arguments: { language: Schema.String, framework: Schema.String, other: Schema.String },
  complete: {
    language: ["Python", "python 2", "rust"],
    framework: (value, { language = "" }) =>
      Effect.succeed((frameworks[language] ?? []).filter((name) => name.startsWith(value)))
  },
  run: () => Effect.succeed("")
})
const files = ResourceTemplate.make("file:///{+path}{?rev}", {
  complete: { path: (value) => Effect.succeed({ values: [`${value}/a`], total: 7, hasMore: true }) },
  read: () => Effect.succeed("")
})
const fixed = Resource.make("file:///a", { read: Effect.succeed("") })
const server = Server.make(info, [review, files, fixed])

const ask = (ref: object, name: string, value = "", others?: object) => ({
  ref,
  argument: { name, value },
  ...(others === undefined ? undefined : { context: { arguments: others } })
})
const prompt = { type: "ref/prompt", name: "review" }
const template = { type: "ref/resource", uri: "file:///{+path}{?rev}" }

for (const [era, params] of eras) {
  describe(`completion on ${era}`, () => {
    const cases = [
      ["all values that begin so, in any case", ask(prompt, "language", "py"), ["Python", "python 2"], 2],
      ["all values for nothing", ask(prompt, "language"), ["Python", "python 2", "rust"], 3],
      [
        "what the other arguments make of it",
        ask(prompt, "framework", "f", { language: "python" }),
        ["flask", "fastapi"],
        2
      ],
      ["nothing where they make nothing of it", ask(prompt, "framework", "f"), [], 0]
    ] as const
    for (const [what, asked, values, total] of cases) {
      it.effect(`gives ${what}`, () =>
        Effect.gen(function* () {
          const { result } = yield* wire(server)
          expect(plain(yield* result("completion/complete", params(asked)))).toEqual({
            completion: { values, total, hasMore: false }
          })
        })
      )
    }
    it.effect("of a template's variable is what its completer says", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(server)
        expect(yield* result("completion/complete", params(ask(template, "path", "x")))).toMatchObject({
          completion: { values: ["x/a"], total: 7, hasMore: true }
        })
      })
    )
    for (const [what, asked] of [
      ["an argument without a completer", ask(prompt, "other")],
      ["a variable without a completer", ask(template, "rev")],
      ["a fixed resource", ask({ type: "ref/resource", uri: "file:///a" }, "x")]
    ] as const) {
      it.effect(`knows no values of ${what}`, () =>
        Effect.gen(function* () {
          const { result } = yield* wire(server)
          expect(plain(yield* result("completion/complete", params(asked)))).toEqual({ completion: { values: [] } })
        })
      )
    }
    for (const [what, asked] of [
      ["an unknown prompt", ask({ type: "ref/prompt", name: "nobody" }, "a")],
      ["an unknown template", ask({ type: "ref/resource", uri: "no://{such}" }, "such")],
      ["an unknown argument", ask(prompt, "nothing")],
      ["an argument that every object has", ask(prompt, "constructor")],
      ["a reference of no kind", ask({ type: "ref/tool", name: "review" }, "a")],
      ["no argument", { ref: prompt }]
    ] as const) {
      it.effect(`of ${what} is -32602`, () =>
        Effect.gen(function* () {
          const { error } = yield* wire(server)
          expect(yield* error("completion/complete", params(asked))).toMatchObject({ code: -32602 })
        })
      )
    }
    it.effect("S-45 says at most 100 values, and how many there are", () =>
      Effect.gen(function* () {
        const values = Array.from({ length: 101 }, (_, i) => `v${i}`)
        const many = Prompt.make("many", {
          arguments: [{ name: "list" }, { name: "effect" }, { name: "counted" }, { name: "hundred" }],
          complete: {
            list: values,
            effect: () => Effect.succeed(values),
            counted: () => Effect.succeed({ values, total: 5000 }),
            hundred: values.slice(1)
          },
          run: () => Effect.succeed("")
        })
        const { result } = yield* wire(Server.make(info, [many]))
        for (const [name, total, hasMore] of [
          ["list", 101, true],
          ["effect", 101, true],
          ["counted", 5000, true],
          ["hundred", 100, false]
        ] as const) {
          const asked = params(ask({ type: "ref/prompt", name: "many" }, name))
          const { completion } = yield* result("completion/complete", asked)
          expect(completion).toMatchObject({ total, hasMore })
          expect(completion).toHaveProperty("values.length", 100)
        }
      })
    )
    it.effect("S-44 that fails says nothing of why", () => {
      const log = new Log()
      return Effect.gen(function* () {
        const failing = Prompt.make("failing", {
          arguments: [{ name: "a" }, { name: "b" }],
          complete: {
            a: () => Effect.die("s3cr3t"),
            b: () => Effect.fail(RpcError.invalidParams("not like that"))
          },
          run: () => Effect.succeed("")
        })
        const { error } = yield* wire(Server.make(info, [failing]))
        const of = (name: string) => params(ask({ type: "ref/prompt", name: "failing" }, name))
        expect(yield* error("completion/complete", of("a"))).toEqual({ code: -32603, message: "Internal error" })
        expect(yield* error("completion/complete", of("b"))).toEqual({ code: -32602, message: "not like that" })
        expect(log.lines.join()).toContain("s3cr3t")
      }).pipe(Effect.provide(log.layer))
    })
  })
}

describe("a server without completers", () => {
  it.effect("has no completion, and one with them says so where the revision can", () =>
    Effect.gen(function* () {
      const without = yield* wire(Server.make(info, [fixed]))
      expect(yield* without.error("completion/complete", ask(prompt, "a"))).toMatchObject({ code: -32601 })
      const { result } = yield* wire(server)
      expect(yield* result("initialize", initialize)).toMatchObject({ capabilities: { completions: {} } })
      const oldest = yield* result("initialize", { ...initialize, protocolVersion: "2024-11-05" })
      expect(oldest.capabilities).not.toHaveProperty("completions")
      yield* result("completion/complete", ask(prompt, "language"))
    })
  )
})
