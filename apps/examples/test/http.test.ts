import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { serve } from "@effective-mcp/transport-http/server"
import { expect, it } from "@effect/vitest"
import * as McpClient from "effect/ai/McpClient"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { describe } from "vitest"
import { calculator } from "../http/calculator.ts"
import worker from "../http/worker.ts"
import { binary, options, type Runtime } from "../peers/runtimes.ts"

/** Starts a sample, and gives the address that it prints. */
const start = (runtime: Runtime, sample: string) =>
  Effect.acquireRelease(
    Effect.callback<{ url: string; end: () => void }, Error>((resume) => {
      const file = fileURLToPath(new URL(`../http/${sample}.ts`, import.meta.url))
      const more = runtime === "deno" ? ["--allow-net"] : []
      const child = spawn(binary(runtime), [...options[runtime], ...more, file], { stdio: ["ignore", "pipe", "pipe"] })
      let said = ""
      const hear = (part: Buffer): void => {
        said += String(part)
        const url = /http:\/\/\S+\/mcp/.exec(said)?.[0]
        if (url !== undefined) resume(Effect.succeed({ url, end: () => void child.kill("SIGKILL") }))
      }
      child.stdout.on("data", hear)
      child.stderr.on("data", hear)
      child.on("exit", () => resume(Effect.fail(new Error(`${sample} has ended: ${said}`))))
    }),
    ({ end }) => Effect.sync(end)
  )

const META = "io.modelcontextprotocol"
const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "add",
    arguments: { a: 1, b: 2 },
    _meta: { [`${META}/protocolVersion`]: "2026-07-28", [`${META}/clientCapabilities`]: {} }
  }
}
const init = {
  method: "POST",
  headers: {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "add"
  },
  body: JSON.stringify(call)
}

const sum = (response: Response) => Effect.promise(async () => JSON.parse(await response.text()).result.content[0].text)

describe("samples of servers over HTTP", () => {
  for (const [sample, runtime] of [
    ["serve", "node"],
    ["serve", "bun"],
    ["serve", "deno"],
    ["node", "node"],
    ["express", "node"],
    ["hono", "node"],
    ["effect", "node"],
    ["bun", "bun"],
    ["deno", "deno"]
  ] as const) {
    it.live(`${sample}.ts answers on ${runtime}`, () =>
      Effect.gen(function* () {
        const { url } = yield* start(runtime, sample)
        const response = yield* Effect.promise(() => fetch(url, init))
        expect([response.status, yield* sum(response)]).toEqual([200, "3"])
        const elsewhere = yield* Effect.promise(() => fetch(url.replace("/mcp", "/other"), init))
        expect(elsewhere.status).toBe(404)
      })
    )
  }

  it.live("worker.ts answers as a module", () =>
    Effect.gen(function* () {
      const ask = (url: string) => Effect.promise(() => worker.fetch(new Request(url, init)))
      const response = yield* ask("https://calculator.example.com/")
      expect([response.status, yield* sum(response)]).toEqual([200, "3"])
      expect((yield* ask("https://evil.example.com/")).status).toBe(403)
    })
  )
})

describe("clients of others over HTTP", () => {
  const me = { name: "client of the tests", version: "1" }
  const add = { name: "add", arguments: { a: 1, b: 2 } }

  const trying = (options: Parameters<typeof serve>[1]) =>
    Effect.gen(function* () {
      const { url } = yield* serve(calculator, options)
      const target = new URL(url)
      yield* Effect.promise(async () => {
        const v1 = new ClientV1(me)
        const transport = new HttpV1(target)
        // cast: its own types disagree on optional members
        await v1.connect(transport as never)
        expect((await v1.listTools()).tools.map(({ name }) => name)).toEqual(["add"])
        expect(await v1.callTool(add)).toMatchObject({ content: [{ type: "text", text: "3" }] })
        await transport.terminateSession()
        await v1.close()
        for (const mode of [{ pin: "2026-07-28" }, "auto", undefined] as const) {
          const v2 = new ClientV2(me, mode === undefined ? {} : { versionNegotiation: { mode } })
          await v2.connect(new HttpV2(target))
          expect((await v2.listTools()).tools.map(({ name }) => name)).toEqual(["add"])
          expect(await v2.callTool(add)).toMatchObject({ content: [{ type: "text", text: "3" }] })
          await expect(v2.callTool({ name: "none" })).rejects.toMatchObject({ code: -32602 })
          await v2.close()
        }
      })
    })

  const tryingEffect = (
    protocol: Parameters<typeof McpClient.layerHttp>[0]["protocol"],
    options: Parameters<typeof serve>[1]
  ) =>
    Effect.gen(function* () {
      const { url } = yield* serve(calculator, options)
      const layer = McpClient.layerHttp({ ...me, url, protocol })
      const context = yield* Layer.build(Layer.provide(layer, FetchHttpClient.layer))
      const client = Context.get(context, McpClient.McpClient)
      const [tool] = yield* client.listTools()
      if (tool === undefined) return yield* Effect.die(new Error("no tools"))
      expect(yield* client.callTool({ tool, arguments: add.arguments })).toMatchObject({ content: [{ text: "3" }] })
    })

  it.live("call our server in sessions", () => trying({}))
  it.live("call our server in JSON mode", () => trying({ json: true }))
  it.live("call our server without sessions", () => trying({ sessions: false }))

  it.live("and the one of effect/ai does, modern", () => tryingEffect(McpProtocol.v2026_07_28, {}))
  it.live("and the one of effect/ai does, in sessions", () => tryingEffect(McpProtocol.v2025_11_25, {}))
  it.live("and the one of effect/ai does, without sessions", () =>
    tryingEffect(McpProtocol.v2025_11_25, { sessions: false })
  )
})
