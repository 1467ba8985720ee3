import { ErrorCode, JsonRpc, Meta, type Method } from "@effective-mcp/protocol"
import { Ask, Call } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Core } from "../src/Core.ts"
import { host } from "../src/era/host.ts"
import { accept, all, legacyClient, roundOf } from "./asking.ts"
import { info, modern, wire } from "./wire.ts"

const sure = Ask.form("Sure?", { yes: Schema.Boolean })
const results = {
  "tools/call": { content: [] },
  "prompts/get": { messages: [] },
  "resources/read": { contents: [], ttlMs: 0, cacheScope: "private" },
  "completion/complete": { completion: { values: [] } },
  "tools/list": { tools: [] }
}
const params = {
  "tools/call": { name: "a" },
  "prompts/get": { name: "a" },
  "resources/read": { uri: "a:b" },
  "completion/complete": { ref: { type: "ref/prompt", name: "a" }, argument: { name: "a", value: "" } },
  "tools/list": {}
}

/** A server whose every method asks before it answers; what it is not told fails it. */
const serverOf = (method: keyof typeof results) => {
  const core: Core<never> = {
    info,
    instructions: undefined,
    eras: ["modern", "legacy"],
    capabilities: {},
    operations: {
      [method satisfies Method]: () =>
        Effect.flatMap(Call, ({ ask }) =>
          Effect.mapBoth(ask({ sure }), {
            onSuccess: () => results[method],
            onFailure: ({ message, refusal }) =>
              refusal ?? { _tag: "InvalidArguments" as const, message, name: "InvalidArguments" }
          })
        )
    }
  }
  return host(core)
}
const saying = (method: keyof typeof params, more: JsonRpc.JsonObject = {}) =>
  modern({ ...params[method], ...more }, { [Meta.CLIENT_CAPABILITIES]: all })

describe("a request that may end with questions", () => {
  for (const method of ["tools/call", "prompts/get", "resources/read"] as const) {
    it.effect(`is ${method}`, () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(serverOf(method))
        const { requestState } = roundOf(yield* result(method, saying(method)))
        const inputResponses = { sure: accept({ yes: true }) }
        expect(yield* result(method, saying(method, { inputResponses, requestState }))).toMatchObject({
          ...results[method],
          resultType: "complete"
        })
        const changed = { uri: "a:c", name: "b", inputResponses, requestState }
        expect(yield* error(method, saying(method, changed))).toMatchObject({ code: ErrorCode.InvalidParams })
      })
    )
  }
  for (const method of ["completion/complete", "tools/list"] as const) {
    it.effect(`is not ${method}: the question fails there`, () =>
      Effect.gen(function* () {
        const { ask } = yield* wire(serverOf(method))
        const response = yield* ask(method, saying(method))
        expect(response).toMatchObject({ error: { message: expect.stringContaining("cannot ask") } })
        const brought = { inputResponses: { sure: accept({ yes: true }) }, requestState: "x" }
        expect(yield* ask(method, saying(method, brought))).toMatchObject({
          error: { message: expect.stringContaining("cannot ask") }
        })
      })
    )
  }
  it.effect("is any on a legacy revision, which answers while it runs", () =>
    Effect.gen(function* () {
      const client = yield* legacyClient(serverOf("completion/complete"))
      yield* client.say(JsonRpc.request(5, "completion/complete", params["completion/complete"]))
      yield* client.answer(yield* client.question(1), accept({ yes: true }))
      expect(yield* client.answerTo(5)).toMatchObject({ result: results["completion/complete"] })
    })
  )
})
