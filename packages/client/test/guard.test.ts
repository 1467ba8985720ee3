import { Client, type Guard, Tools, Withheld } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { info, legacy, modern, result, scripted } from "./scripted.ts"

const tools = result({ resultType: "complete", tools: [] })
const called = result({ resultType: "complete", content: [] })
const held = new Withheld({ why: "not any more" })

for (const era of ["modern", "legacy"] as const) {
  const script = { "tools/list": tools, "tools/call": called }
  const server = () => scripted(era === "modern" ? modern(script) : legacy(script))

  describe(`a guard, on ${era}`, () => {
    it.effect("R-174 holds back what it does not let pass, so that nothing is sent", () =>
      Effect.gen(function* () {
        const scripted = server()
        const client = yield* Client.connect(scripted.transport, info, { era })
        const guarded = Client.guarded(Tools.call(client, "t"), () => Effect.fail(held))
        expect(yield* Effect.flip(guarded)).toMatchObject({ _tag: "Withheld", outcome: "NotSent" })
        expect(scripted.run.methods).not.toContain("tools/call")
      })
    )
    it.effect("R-174 looks at each request, and at those of its own part alone", () =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        const client = yield* Client.connect(server().transport, info, { era })
        const both = Effect.andThen(Tools.list(client), Tools.call(client, "t"))
        const guard: Guard = ({ method, params }) => Effect.sync(() => void seen.push(`${method} ${params.name ?? ""}`))
        yield* Client.guarded(both, guard)
        yield* Tools.call(client, "t")
        expect(seen).toEqual(["tools/list ", "tools/call t"])
      })
    )
    it.effect("R-174 takes the place of one further out", () =>
      Effect.gen(function* () {
        const client = yield* Client.connect(server().transport, info, { era })
        const inner = Client.guarded(Tools.call(client, "t"), () => Effect.void)
        yield* Client.guarded(inner, () => Effect.fail(held))
      })
    )
    it.effect("R-173 has no say in how a session is begun", () =>
      Effect.gen(function* () {
        const client = yield* Client.connect(server().transport, info, { era })
        yield* client.close
        yield* Client.guarded(client.connect, () => Effect.fail(held))
        expect(client.connected).toBe(true)
      })
    )
  })
}
