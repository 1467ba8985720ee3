import { ErrorCode, type Host, JsonRpc, Meta } from "@effective-mcp/protocol"
import {
  Ask,
  Call,
  Extension,
  type Middleware,
  Prompt,
  Resource,
  ResourceTemplate,
  Server,
  Tool
} from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { accept, all, legacyClient, roundOf } from "./asking.ts"
import { info, modern, wire } from "./wire.ts"

const sure = Ask.form("Sure?", { yes: Schema.Boolean })

/** Asks, and says what it was told. */
const asking = Effect.gen(function* () {
  const { ask } = yield* Call
  const { sure: answer } = yield* ask({ sure })
  return answer.action
})
/** The same, with rounds of its own. */
const rounds = Effect.map(Call, ({ inputResponses, requestState }) => {
  const { sure: answer } = inputResponses
  return answer === undefined ? Ask.required({ sure }, "kept") : `${answer.action} ${requestState}`
})

const server = Server.make(info, [
  Tool.make("asks", { run: () => asking }),
  Tool.make("rounds", { run: () => rounds }),
  Tool.make("schema", { outputSchema: { type: "string" }, run: () => rounds }),
  Prompt.make("asks", { arguments: { a: Schema.optionalKey(Schema.String) }, run: () => asking }),
  Prompt.make("rounds", { run: () => rounds }),
  Resource.make("a:asks", { read: asking }),
  Resource.make("a:rounds", { read: rounds, cache: { ttlMs: 1_000, cacheScope: "public" } }),
  ResourceTemplate.make("b:asks/{id}", { read: () => asking }),
  ResourceTemplate.make("b:rounds/{id}", { read: () => rounds, cache: { ttlMs: 1_000, cacheScope: "public" } }),
  Prompt.make("completes", {
    arguments: [{ name: "a" }],
    complete: { a: () => Effect.map(asking, (action) => [action]) },
    run: () => Effect.succeed("")
  }),
  Extension.make("com.example/asking", {
    methods: { "asking/now": () => Effect.map(asking, (action) => ({ action })) }
  })
])
const said = (text: string) => ({
  tool: { content: [{ type: "text", text }] },
  prompt: { messages: [{ role: "user", content: { type: "text", text } }] },
  resource: (uri: string) => ({ contents: [{ uri, text }] })
})
const asked = said("accept")
const kept = said("accept kept")

/** What may ask, and what each says once it has been told. */
const cases: ReadonlyArray<readonly [method: string, params: JsonRpc.JsonObject, result: JsonRpc.JsonObject]> = [
  ["tools/call", { name: "asks" }, asked.tool],
  ["tools/call", { name: "rounds" }, kept.tool],
  ["tools/call", { name: "schema" }, said(JSON.stringify("accept kept")).tool],
  ["prompts/get", { name: "asks" }, asked.prompt],
  ["prompts/get", { name: "rounds" }, kept.prompt],
  ["resources/read", { uri: "a:asks" }, asked.resource("a:asks")],
  ["resources/read", { uri: "a:rounds" }, kept.resource("a:rounds")],
  ["resources/read", { uri: "b:asks/1" }, asked.resource("b:asks/1")],
  ["resources/read", { uri: "b:rounds/1" }, kept.resource("b:rounds/1")]
]
const answer = { sure: accept({ yes: true }) }
const saying = (params: JsonRpc.JsonObject, capabilities: JsonRpc.JsonObject = all) =>
  modern(params, { [Meta.CLIENT_CAPABILITIES]: capabilities })

describe("a request that may end with questions", () => {
  for (const [method, params, expected] of cases) {
    const what = `${method} of ${String(params.name ?? params.uri)}`
    it.effect(`is ${what}`, () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(server)
        const first = yield* result(method, saying(params))
        expect(first).not.toHaveProperty("ttlMs")
        const { requestState } = roundOf(first)
        const again = { ...params, inputResponses: answer, requestState }
        expect(yield* result(method, saying(again))).toMatchObject({ ...expected, resultType: "complete" })
        const other = { ...again, name: "b", uri: "a:c" }
        expect(yield* error(method, saying(other))).toMatchObject({ code: ErrorCode.InvalidParams })
      })
    )
    it.effect(`is ${what}, asked by requests on a legacy revision`, () =>
      Effect.gen(function* () {
        const client = yield* legacyClient(server)
        yield* client.say(JsonRpc.request(5, method, params))
        yield* client.answer(yield* client.question(1), answer.sure)
        expect(yield* client.answerTo(5)).toMatchObject({ result: expected })
      })
    )
  }
})

describe("what a client has not declared", () => {
  for (const [method, params] of cases) {
    if (method === "tools/call") continue
    it.effect(`fails ${method} of ${String(params.name ?? params.uri)}, in both eras`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        expect(yield* error(method, saying(params, {}))).toMatchObject({
          code: ErrorCode.MissingRequiredClientCapability,
          data: { requiredCapabilities: { elicitation: {} } }
        })
        const legacy = yield* legacyClient(server, {})
        expect(yield* legacy.error(method, params)).toEqual({
          code: ErrorCode.InternalError,
          message: "the client has not declared elicitation"
        })
        expect(legacy.said.filter(JsonRpc.isRequest)).toEqual([])
      })
    )
  }
})

const completing = { ref: { type: "ref/prompt", name: "completes" }, argument: { name: "a", value: "" } }

describe("a request that may not end with questions", () => {
  const others: ReadonlyArray<readonly [method: string, params: JsonRpc.JsonObject, result: JsonRpc.JsonObject]> = [
    ["completion/complete", completing, { completion: { values: ["accept"] } }],
    ["asking/now", {}, { action: "accept" }]
  ]
  for (const [method, params, expected] of others) {
    it.effect(`is ${method}: the question fails there`, () =>
      Effect.gen(function* () {
        const { error } = yield* wire(server)
        const cannot = { code: ErrorCode.InternalError, message: expect.stringContaining("cannot ask") }
        expect(yield* error(method, saying(params))).toMatchObject(cannot)
        const brought = { ...params, inputResponses: answer, requestState: "x" }
        expect(yield* error(method, saying(brought))).toMatchObject(cannot)
      })
    )
    it.effect(`is ${method}, which asks on a legacy revision while it runs`, () =>
      Effect.gen(function* () {
        const client = yield* legacyClient(server)
        yield* client.say(JsonRpc.request(5, method, params))
        yield* client.answer(yield* client.question(1), answer.sure)
        expect(yield* client.answerTo(5)).toMatchObject({ result: expected })
      })
    )
  }
})

describe("middleware that asks", () => {
  const confirm: Middleware = ({ call }, next) =>
    Effect.flatMap(call.ask({ first: sure }), ({ first }) =>
      first.action === "accept" ? next : Effect.die("nobody was asked")
    )
  const confirmed: Host = Server.make(info, [Tool.make("asks", { run: () => asking })], { middleware: [confirm] })
  it.effect("asks before the tool does, a round each", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(confirmed)
      const params = { name: "asks" }
      const first = roundOf(yield* result("tools/call", saying(params)))
      expect(Object.keys(first.inputRequests)).toEqual(["first"])
      const { requestState } = first
      const responses = { first: answer.sure }
      const second = roundOf(
        yield* result("tools/call", saying({ ...params, inputResponses: responses, requestState }))
      )
      expect(Object.keys(second.inputRequests)).toEqual(["sure"])
      const last = { ...params, inputResponses: answer, requestState: second.requestState }
      expect(yield* result("tools/call", saying(last))).toMatchObject(asked.tool)
    })
  )
  it.effect("fails what cannot ask", () =>
    Effect.gen(function* () {
      const { error } = yield* wire(confirmed)
      const code = ErrorCode.InternalError
      expect(yield* error("tools/list", saying({}))).toMatchObject({
        code,
        message: expect.stringContaining("cannot ask")
      })
    })
  )
})
