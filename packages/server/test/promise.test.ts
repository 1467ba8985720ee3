import {
  prompt,
  resource,
  ResourceNotFound,
  resourceTemplate,
  RpcError,
  server,
  tool,
  ToolError,
  user
} from "@effective-mcp/server/promise"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as z from "zod"
import { info, Log, modern, stamp, wire } from "./wire.ts"

const text = (value: string) => ({ content: [{ type: "text", text: value }] })

const calling = (name: string, args: JsonRpc.JsonObject = {}, meta: JsonRpc.JsonObject = {}) =>
  modern({ name, arguments: args }, meta)

const reports = (said: ReadonlyArray<JsonRpc.Message>) =>
  said.flatMap((message) => ("method" in message ? [message.params] : []))

describe("a tool made of an async function", () => {
  const add = tool("add", {
    description: "Adds two numbers",
    input: z.object({ a: z.number(), b: z.number().default(1) }),
    run: async ({ a, b }) => `${a + b}`
  })
  it.effect("is listed by the JSON Schema of its zod schema", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server(info, [add]))
      expect(yield* result("tools/list", modern())).toMatchObject({
        tools: [
          {
            name: "add",
            description: "Adds two numbers",
            inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] }
          }
        ]
      })
    })
  )
  it.effect("gets what its schema puts out, and answers with what it resolves to", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server(info, [add]))
      expect(yield* result("tools/call", calling("add", { a: 1 }))).toEqual({ ...stamp, ...text("2") })
    })
  )
  it.effect("does not run for arguments that do not fit, and the model is told where", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server(info, [add]))
      const answer = yield* result("tools/call", calling("add", { a: "1" }))
      expect(answer).toMatchObject({ isError: true })
      expect(JSON.stringify(answer.content)).toContain("a: ")
    })
  )
  it.effect("may take JSON Schema, give back a value of its output, and need no promise", () =>
    Effect.gen(function* () {
      const length = tool("length", {
        inputSchema: { type: "object", properties: { s: { type: "string" } }, required: ["s"] },
        output: z.object({ length: z.number() }),
        run: ({ s }) => ({ length: String(s).length })
      })
      const { result } = yield* wire(server(info, [length]))
      expect(yield* result("tools/call", { name: "length", arguments: { s: "four" } })).toEqual({
        ...text('{"length":4}'),
        structuredContent: { length: 4 }
      })
      expect(yield* result("tools/call", { name: "length", arguments: {} })).toMatchObject({ isError: true })
    })
  )
  it.effect("fails for the model with the text, or the content, of a ToolError", () =>
    Effect.gen(function* () {
      const image = { type: "image", data: "AA==", mimeType: "image/png" } as const
      const tools = [
        tool("text", { run: () => Promise.reject(new ToolError("There is no such city.")) }),
        tool("content", {
          run: () => {
            throw new ToolError("a picture", [image])
          }
        })
      ]
      const { result } = yield* wire(server(info, tools))
      expect(yield* result("tools/call", { name: "text" })).toEqual({
        ...text("There is no such city."),
        isError: true
      })
      expect(yield* result("tools/call", { name: "content" })).toEqual({ content: [image], isError: true })
    })
  )
  for (const [what, thrown] of Object.entries({
    "an Error": new Error("s3cr3t"),
    "an RpcError": new RpcError({ code: 1, message: "s3cr3t" }),
    "a text": "s3cr3t",
    "what looks like a ToolError": { _tag: "ToolError", message: "s3cr3t" },
    nothing: undefined
  })) {
    it.effect(`that throws ${what} fails with constant text, and the cause is in the log`, () => {
      const log = new Log()
      return Effect.gen(function* () {
        const { result, said } = yield* wire(server(info, [tool("t", { run: () => Promise.reject(thrown) })]))
        expect(yield* result("tools/call", { name: "t" })).toEqual({
          ...text("The tool failed. The reason is in the server's log."),
          isError: true
        })
        expect(JSON.stringify(said)).not.toContain("s3cr3t")
        expect(log.lines).toHaveLength(1)
        if (thrown !== undefined) expect(log.lines.join()).toContain("s3cr3t")
        expect(yield* result("ping")).toEqual({})
      }).pipe(Effect.provide(log.layer))
    })
  }
})

describe("a call of an async function", () => {
  for (const era of ["modern", "legacy"] as const) {
    it.effect(`on ${era} that is cancelled aborts its signal, and what it reports then rejects`, () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<AbortSignal>()
        const left = yield* Deferred.make<unknown>()
        const linger = tool("linger", {
          run: async (_, call) => {
            Deferred.doneUnsafe(begun, Effect.succeed(call.signal))
            await new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve()))
            // nobody waits for these: that must be no unhandled rejection
            void call.progress(1)
            void call.ask({})
            const reason = await call.log("error", "too late").catch((reason: unknown) => reason)
            Deferred.doneUnsafe(left, Effect.succeed(reason))
            return "too late"
          }
        })
        const { result, said, say } = yield* wire(server(info, [linger], { logging: true }))
        const params = { name: "linger" }
        yield* say(JsonRpc.request(1, "tools/call", era === "modern" ? modern(params, { progressToken: 1 }) : params))
        const signal = yield* Deferred.await(begun)
        expect(signal.aborted).toBe(false)
        yield* say(JsonRpc.notification("notifications/cancelled", { requestId: 1 }))
        expect(yield* Deferred.await(left)).toBe(signal.reason)
        expect(signal.aborted).toBe(true)
        yield* result("ping")
        expect(said).toHaveLength(1)
      })
    )
  }
  it.effect("reports progress and logs, in order and before its answer", () =>
    Effect.gen(function* () {
      const work = tool("work", {
        run: async (_, call) => {
          await call.progress(1, 2)
          await call.log("info", { half: true }, "work")
          await call.progress(2, 2, "done")
          return `${call.client?.name} ${String(call.meta.progressToken)} ${call.signal.aborted}`
        }
      })
      const { result, said } = yield* wire(server(info, [work], { logging: true }))
      const meta = { progressToken: "p", "io.modelcontextprotocol/logLevel": "info" }
      const answer = yield* result("tools/call", calling("work", {}, meta))
      expect(answer).toMatchObject(text("client of the tests p false"))
      expect(reports(said)).toMatchObject([
        { progressToken: "p", progress: 1, total: 2 },
        { level: "info", logger: "work", data: { half: true } },
        { progressToken: "p", progress: 2, total: 2, message: "done" }
      ])
      expect(said.at(-1)).toHaveProperty("result")
    })
  )
})

describe("resources made of async functions", () => {
  const names = new Map([["1", "Ada"]])
  const features = [
    resource("motd://today", { mimeType: "text/plain", read: async (call) => `Be kind, ${call.client?.name}.` }),
    resource("broken://x", { read: () => Promise.reject(new Error("s3cr3t")) }),
    resourceTemplate("users://{id}", {
      complete: { id: async (typed, _, call) => [`${typed}1`, call.request.method] },
      read: async ({ id }, _, uri) => {
        const name = names.get(id)
        if (name === undefined) throw new ResourceNotFound({ uri })
        return name
      }
    })
  ]
  it.effect("are read", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server(info, features))
      expect(yield* result("resources/read", modern({ uri: "motd://today" }))).toMatchObject({
        contents: [{ uri: "motd://today", mimeType: "text/plain", text: "Be kind, client of the tests." }]
      })
      expect(yield* result("resources/read", { uri: "users://1" })).toMatchObject({
        contents: [{ uri: "users://1", text: "Ada" }]
      })
    })
  )
  it.effect("fail as they say, or without a word of the cause", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const { error } = yield* wire(server(info, features))
      expect(yield* error("resources/read", modern({ uri: "users://2" }))).toMatchObject({
        code: -32602,
        message: "Resource not found"
      })
      expect(yield* error("resources/read", { uri: "broken://x" })).toEqual({ code: -32603, message: "Internal error" })
      expect(log.lines.join()).toContain("s3cr3t")
    }).pipe(Effect.provide(log.layer))
  })
  it.effect("are completed by async functions", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server(info, features))
      const params = { ref: { type: "ref/resource", uri: "users://{id}" }, argument: { name: "id", value: "4" } }
      expect(yield* result("completion/complete", params)).toMatchObject({
        completion: { values: ["41", "completion/complete"] }
      })
    })
  )
})

describe("a prompt made of an async function", () => {
  const review = prompt("review", {
    arguments: z.object({
      code: z.string().min(2).describe("What to review"),
      lines: z.coerce.number<string>().optional()
    }),
    complete: { lines: ["10", "100"] },
    run: async ({ code, lines = 5 }) => [user(code), user(`${lines + 1}`)]
  })
  it.effect("is listed with the arguments of its zod schema", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(server(info, [review, prompt("plain", { run: () => "Hello" })]))
      expect(yield* result("prompts/list")).toEqual({
        prompts: [
          {
            name: "review",
            arguments: [
              { name: "code", description: "What to review", required: true },
              { name: "lines", required: false }
            ]
          },
          { name: "plain" }
        ]
      })
      expect(yield* result("prompts/get", { name: "plain" })).toMatchObject({
        messages: [{ role: "user", content: { text: "Hello" } }]
      })
    })
  )
  it.effect("gets its arguments decoded, and refuses those that do not fit", () =>
    Effect.gen(function* () {
      const { error, result } = yield* wire(server(info, [review]))
      const got = yield* result("prompts/get", { name: "review", arguments: { code: "x = 1", lines: "7" } })
      expect(got).toMatchObject({ messages: [{ content: { text: "x = 1" } }, { content: { text: "8" } }] })
      const refused = yield* error("prompts/get", { name: "review", arguments: { code: "x" } })
      expect(refused).toMatchObject({ code: -32602, message: expect.stringContaining("code: ") })
    })
  )
})
