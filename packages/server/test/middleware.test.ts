import { Call, Extension, type Middleware, Prompt, RpcError, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { eras } from "./both.ts"
import { info, wire } from "./wire.ts"

const tool = Tool.make("t", { run: () => Effect.succeed("done") })
const prompt = Prompt.make("p", { run: () => Effect.succeed("") })

class Budget extends Context.Service<Budget, { left: number }>()("test/Budget") {}

for (const [era, params] of eras) {
  describe(`middleware on ${era}`, () => {
    it.effect("goes around every operation, the first outermost, and knows what is asked", () =>
      Effect.gen(function* () {
        const seen: Array<unknown> = []
        const layer =
          (name: string): Middleware =>
          ({ extension, method, params }, next) =>
            Effect.gen(function* () {
              seen.push([`${name} in`, method, params, extension])
              const result = yield* next
              seen.push(`${name} out`)
              return result
            })
        const ping = Extension.make("com.example/x", { methods: { "x/y": (given) => Effect.succeed({ given }) } })
        const options = { middleware: [layer("a"), layer("b")] }
        const { result } = yield* wire(Server.make(info, [tool, prompt, ping], options))
        yield* result("tools/call", params({ name: "t", arguments: { k: 1 } }))
        const call = { name: "t", arguments: { k: 1 } }
        expect(seen).toEqual([
          ["a in", "tools/call", call, undefined],
          ["b in", "tools/call", call, undefined],
          "b out",
          "a out"
        ])
        seen.length = 0
        yield* result("prompts/list", params())
        expect(seen[0]).toEqual(["a in", "prompts/list", {}, undefined])
        seen.length = 0
        yield* result("x/y", params({ z: 1 }))
        expect(seen[0]).toMatchObject(["a in", "x/y", { z: 1 }, "com.example/x"])
        seen.length = 0
        yield* result(era === "modern" ? "server/discover" : "ping", params())
        expect(seen).toEqual([])
      })
    )
    it.effect("may fail instead, with an error of its own, and nothing runs", () =>
      Effect.gen(function* () {
        let ran = 0
        const counted = Tool.make("t", {
          run: () => {
            ran++
            return Effect.succeed("")
          }
        })
        const limit: Middleware<Budget> = ({ method }, next) =>
          Effect.gen(function* () {
            const budget = yield* Budget
            if (method === "tools/call" && budget.left-- === 0)
              return yield* new RpcError({ code: 429, message: "Too many calls" })
            return yield* next
          })
        const server = Server.make(info, [counted], { middleware: [limit] })
        const { error, result } = yield* wire(server)
        yield* result("tools/call", params({ name: "t" }))
        expect(yield* error("tools/call", params({ name: "t" }))).toEqual({ code: 429, message: "Too many calls" })
        yield* result("tools/list", params())
        expect(ran).toBe(1)
      }).pipe(Effect.provideService(Budget, { left: 1 }))
    )
    it.effect("S-44 that dies is -32603 that says nothing of why", () =>
      Effect.gen(function* () {
        const dying: Middleware = () => Effect.die("s3cr3t")
        const throwing: Middleware = () => {
          throw new Error("s3cr3t")
        }
        for (const middleware of [[dying], [throwing]]) {
          const { error } = yield* wire(Server.make(info, [tool], { middleware }))
          const answer = yield* error("tools/call", params({ name: "t" }))
          expect(answer).toEqual({ code: -32603, message: "Internal error" })
        }
      })
    )
    it.effect("finds the call in its context, and may say something to the caller", () =>
      Effect.gen(function* () {
        const progressing: Middleware = ({ call }, next) =>
          Effect.andThen(
            Effect.flatMap(Call, ({ progress }) => progress(call.request.method.length)),
            next
          )
        const { result, said } = yield* wire(Server.make(info, [tool], { middleware: [progressing] }))
        const { _meta } = params({ name: "t" })
        yield* result("tools/call", { name: "t", _meta: { ...(_meta as object | undefined), progressToken: 1 } })
        expect(said[0]).toMatchObject({ method: "notifications/progress", params: { progress: 10 } })
      })
    )
  })
}
