import { SSEClientTransport as SseV2, Client as ClientV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport as SseV1 } from "@modelcontextprotocol/sdk/client/sse.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import { Client, Tools } from "@effective-mcp/client"
import { toHttpEffect } from "@effective-mcp/http/effect"
import { Ask, Call, Changes, type Feature, Resource, Server, Tool } from "@effective-mcp/server"
import { connect as connectHttp } from "@effective-mcp/transport-http/client"
import { mount as mountHttp } from "@effective-mcp/transport-http/server"
import { connect } from "@effective-mcp/transport-sse/client"
import { mount, serve, SseServer } from "@effective-mcp/transport-sse/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Schema from "effect/Schema"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { Hono } from "hono"
import { calculator } from "../http/calculator.ts"
import { calculatorBeside, calculatorInExpress } from "../peers/Program.ts"
import { served } from "../peers/served.ts"

const info = { name: "examples", version: "1" }
const add = { name: "add", arguments: { a: 1, b: 2 } }

/** A server with one of everything that a client can notice. */
const lively = Effect.gen(function* () {
  const stopped = yield* Deferred.make<void>()
  const changes = Changes.make()
  const features = yield* SubscriptionRef.make<ReadonlyArray<Feature>>([])
  const name = Ask.form("Who are you?", { name: Schema.String })
  const all: ReadonlyArray<Feature> = [
    Tool.make("count", {
      description: "Counts to three",
      run: () =>
        Effect.gen(function* () {
          const call = yield* Call
          for (const n of [1, 2, 3]) yield* call.progress(n)
          yield* call.log("warning", "counted")
          return "three"
        })
    }),
    Tool.make("wait", {
      description: "Waits until it is stopped",
      run: () =>
        Effect.gen(function* () {
          yield* (yield* Call).progress(1)
          return yield* Effect.never
        }).pipe(Effect.onInterrupt(() => Deferred.succeed(stopped, undefined)))
    }),
    Tool.make("greet", {
      description: "Asks, and greets",
      run: () =>
        Effect.gen(function* () {
          const call = yield* Call
          const said = yield* call.ask({
            name,
            words: Ask.sample({
              messages: [{ role: "user", content: { type: "text", text: "Say something." } }],
              maxTokens: 7
            }),
            roots: Ask.roots
          })
          return JSON.stringify(said)
        })
    }),
    Tool.make("touch", {
      description: "Changes all there is",
      run: () =>
        Effect.gen(function* () {
          yield* changes.publish(Changes.updated("note://one"))
          yield* SubscriptionRef.update(features, (known) => known.slice(0, -1))
          return "touched"
        })
    }),
    Resource.make("note://one", { name: "one", read: Effect.succeed("note one") }),
    Tool.make("last", { description: "Goes away", run: () => Effect.succeed("here") })
  ]
  yield* SubscriptionRef.set(features, all)
  const server = Server.make({ name: "lively", version: "1" }, features, { changes, logging: true })
  return { server, stopped: Deferred.await(stopped) }
})

describe("official clients over HTTP+SSE", () => {
  it.live("v1 calls our server, hears it, answers it, and stops it", () =>
    Effect.gen(function* () {
      const { server, stopped } = yield* lively
      const { url } = yield* serve(server)
      yield* Effect.promise(async () => {
        const client = new ClientV1(info, { capabilities: { elicitation: {}, sampling: {}, roots: {} } })
        const heard: Array<string> = []
        client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }))
        client.setRequestHandler(CreateMessageRequestSchema, () => ({
          role: "assistant",
          content: { type: "text", text: "hello" },
          model: "m"
        }))
        client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///garden" }] }))
        client.setNotificationHandler(LoggingMessageNotificationSchema, () => void heard.push("log"))
        const changed = new Promise<void>((resolve) =>
          client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
        )
        const updated = new Promise<string>((resolve) =>
          client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
        )
        // cast: its own types disagree on optional members
        await client.connect(new SseV1(new URL(url)) as never)
        expect(client.getServerVersion()?.name).toBe("lively")
        expect((await client.listTools()).tools).toHaveLength(5)
        // it forgets what is told of a call in the same moment as the answer
        expect(await client.callTool({ name: "count" })).toMatchObject({ content: [{ text: "three" }] })
        expect(heard).toEqual(["log"])
        const greeted = await client.callTool({ name: "greet" })
        for (const said of ["Ada", "hello", "file:///garden"]) expect(JSON.stringify(greeted)).toContain(said)
        await client.subscribeResource({ uri: "note://one" })
        await client.callTool({ name: "touch" })
        expect(await updated).toBe("note://one")
        await changed
        expect((await client.listTools()).tools).toHaveLength(4)
        const leave = new AbortController()
        const waiting = client.callTool({ name: "wait" }, undefined, {
          signal: leave.signal,
          onprogress: () => leave.abort()
        })
        await expect(waiting).rejects.toThrow()
        await Effect.runPromise(stopped)
        await expect(client.callTool({ name: "none" })).rejects.toMatchObject({ code: -32602 })
        await client.close()
      })
    })
  )

  it.live("v2 calls our server", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(calculator)
      yield* Effect.promise(async () => {
        for (const mode of [undefined, "auto"] as const) {
          const client = new ClientV2(info, mode === undefined ? {} : { versionNegotiation: { mode } })
          await client.connect(new SseV2(new URL(url)))
          expect(await client.callTool(add)).toMatchObject({ content: [{ type: "text", text: "3" }] })
          await client.close()
        }
      })
    })
  )

  it.live("v1 ends what its server runs when it leaves", () =>
    Effect.gen(function* () {
      const { server, stopped } = yield* lively
      const { url } = yield* serve(server)
      yield* Effect.promise(async () => {
        const client = new ClientV1(info)
        await client.connect(new SseV1(new URL(url)) as never) // cast: its own types disagree on optional members
        const waiting = client.callTool({ name: "wait" }, undefined, { onprogress: () => void client.close() })
        await expect(waiting).rejects.toThrow()
      })
      yield* stopped
    })
  )
})

const sums = (transport: Parameters<typeof Client.connect>[0]) =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* Client.connect(transport, info)
      const { content } = yield* Tools.call(client, "add", { a: 1, b: 2 })
      expect(content).toEqual([{ type: "text", text: "3" }])
      return client.revision
    })
  ) as Effect.Effect<string, unknown> // cast: the transports of this file need no services

/** Opens a stream, sends a ping, reads its answer, and leaves. */
const pinging = (fetch: (request: Request) => Promise<Response>) =>
  Effect.promise(async () => {
    const at = "http://localhost"
    const stream = await fetch(new Request(`${at}/sse`, { headers: { accept: "text/event-stream" } }))
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    const until = async (said: RegExp) => {
      while (!said.test(text)) text += (await reader.read()).value ?? ""
      return said.exec(text)?.[1] ?? ""
    }
    const to = await until(/data: (\S+)\n\n/)
    expect(to).toMatch(/^\/sse\?sessionId=[\w-]{36}$/)
    const headers = { "content-type": "application/json" }
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const taken = await fetch(new Request(at + to, { method: "POST", headers, body }))
    expect(taken.status).toBe(202)
    expect(await until(/event: message\ndata: (.*)\n\n/)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    await reader.cancel()
  })

describe("one server beside itself", () => {
  for (const [where, program] of Object.entries({
    "on the server of the runtime": calculatorBeside,
    "in Express, which takes away the path, after a parser of bodies": calculatorInExpress
  })) {
    it.live(where, () =>
      Effect.gen(function* () {
        const url = yield* served(program)
        expect(yield* sums(connectHttp(url))).toBe("2026-07-28")
        expect(yield* sums(connect(url.replace("/mcp", "/sse")))).toBe("2025-11-25")
      })
    )
  }

  it.live("as routes of Effect's HttpRouter", () =>
    Effect.gen(function* () {
      const routes = HttpRouter.use((router) =>
        Effect.flatMap(SseServer.make(calculator), (handler) => router.add("*", "/sse", toHttpEffect(handler)))
      )
      const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })
      yield* pinging((request) => handler(request))
      yield* Effect.promise(() => dispose())
    })
  )

  it.live("in Hono, without a socket", () =>
    Effect.gen(function* () {
      const [http, sse] = [mountHttp(calculator), mount(calculator)]
      const app = new Hono()
      app.all("/mcp", ({ req }) => http.fetch(req.raw))
      app.all("/sse", ({ req }) => sse.fetch(req.raw))
      yield* pinging((request) => Promise.resolve(app.request(request)))
      yield* Effect.promise(() => Promise.all([http.close(), sse.close()]))
    })
  )
})
