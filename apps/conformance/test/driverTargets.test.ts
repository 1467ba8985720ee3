import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { json } from "node:stream/consumers"
import { connecting } from "../driver/connecting.ts"
import { toOutcome } from "../driver/output.ts"
import { read } from "../driver/script.ts"
import { start } from "./support/client.ts"
import { drive } from "./support/driver.ts"
import { officialSse, program } from "./support/programs.ts"
import { nobody, serving } from "./support/serving.ts"
import { starting } from "./support/starting.ts"

const KEY = "a-key-that-nobody-repeats"
const headers = { authorization: `Bearer ${KEY}` }
const connect = { op: "connect" }
const call = (name: string, args: object = {}) => ({ op: "callTool", name, arguments: args })
const text = (said: string) => ({ ok: true, value: { content: [{ type: "text", text: said }] } })

/** Runs some scripts at once. */
const driveAll = (scripts: ReadonlyArray<object>) =>
  Effect.forEach(scripts, (script) => drive(script), { concurrency: 3 })

/** What comes of connecting, here and now. */
const connectTo = (script: object) =>
  Effect.map(Effect.exit(Effect.scoped(connecting(read(JSON.stringify({ ...script, steps: [] }))))), toOutcome)

const results: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "plain", version: "1.0.0" }
  },
  "tools/call": { content: [{ type: "text", text: "plainly" }] }
}

/** A server of plain HTTP, which gives nobody a stream, and refuses whoever has no key. */
const plainServer = serving((request, response) => {
  const { accept, authorization } = request.headers
  if (authorization !== headers.authorization) return void response.writeHead(401).end()
  if (request.method !== "POST") return void response.writeHead(405).end()
  if (accept !== "application/json") return void response.writeHead(406).end()
  void json(request).then((message) => {
    const { id, method } = message as { readonly id?: number; readonly method: string } // cast: what our client sends
    if (id === undefined) return void response.writeHead(204).end()
    const result = results[method]
    const answer = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result }
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
  })
})

const page = serving((_request, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<html></html>")
})
const silent = serving(() => {})

describe("a target", () => {
  it.live("over HTTP+SSE is reached, with its messages where they are told to go", () =>
    Effect.gen(function* () {
      const { sse } = yield* start({ owner: true })
      const steps = [
        connect,
        call("whoami"),
        { ...call("sleep", { ms: 150 }), progress: true },
        call("blob", { bytes: 30_000 }),
        { op: "reconnect" },
        call("echo", { text: "x" })
      ]
      const options = { headers, maxMessageBytes: 20_000 }
      const scripts = [
        { target: { sse }, options, steps },
        { target: { sse, messages: sse }, options, steps }
      ]
      for (const { code, events, lines, steps: done } of yield* driveAll(scripts)) {
        expect(done).toMatchObject([
          { ok: true, value: { era: "legacy", revision: "2025-11-25", server: { name: "everything" } } },
          text(KEY),
          { ok: true },
          { ok: false, error: { tag: "TransportError" } },
          { ok: true },
          text("x")
        ])
        expect(events("progress")).toContainEqual({ event: "progress", step: 3, progress: 100, total: 150 })
        expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
        expect(code).toBe(0)
      }
    })
  )

  it.live("over plain HTTP is reached, and /mcp is none", () =>
    Effect.gen(function* () {
      const plain = yield* plainServer
      const { url } = yield* start()
      const steps = [connect, call("any"), { op: "close" }]
      const [keyed, streamable] = yield* driveAll([
        { target: { plain }, options: { apiKey: KEY }, steps },
        { target: { plain: url }, steps }
      ])
      expect(keyed!.steps).toMatchObject([{ ok: true, value: { era: "legacy" } }, text("plainly"), { ok: true }])
      expect(streamable!.steps[0]).toMatchObject({ error: { tag: "RpcError", status: 406 } })
    })
  )

  it.live("that is to be found out is found out, headers and all", () =>
    Effect.gen(function* () {
      const { url } = yield* start({ owner: true })
      const plain = yield* plainServer
      const kinds = [
        [url, "streamable-http", call("whoami"), text(KEY)],
        [plain, "plain", call("any"), text("plainly")]
      ] as const
      const ends = yield* driveAll(
        kinds.map(([detect, , step]) => ({ target: { detect }, options: { headers }, steps: [connect, step] }))
      )
      kinds.forEach(([, kind, , outcome], at) => {
        const evidence = expect.arrayContaining([expect.objectContaining({ sent: "POST ping" })])
        expect(ends[at]!.steps).toMatchObject([{ ok: true, value: { kind, evidence } }, outcome])
        expect(ends[at]!.code).toBe(0)
      })
    })
  )

  it.live("that cannot be found out fails with why, and with no secret", () =>
    Effect.gen(function* () {
      const faults = [
        [yield* page, { reason: "NothingHere" }],
        [`${yield* plainServer}?key=${KEY}`, { reason: "NeedsAuth", status: 401 }],
        [yield* silent, { reason: "TimedOut" }],
        [yield* nobody, { reason: "Unreachable" }],
        [`http://me:${KEY}@127.0.0.1/mcp`, { reason: "BadAddress" }],
        ["npx a-server", { reason: "LocalCommand", message: expect.stringContaining("spawn") }]
      ] as const
      for (const [detect, error] of faults) {
        const outcome = yield* connectTo({ target: { detect }, options: { probeMs: 500, headers: { "x-key": KEY } } })
        expect(outcome).toMatchObject({
          ok: false,
          error: { tag: "DetectError", message: expect.any(String), ...error }
        })
        expect(JSON.stringify(outcome)).not.toContain(KEY)
      }
    })
  )

  it.live("that is a configuration is all of its servers, each by its name", () =>
    Effect.gen(function* () {
      const { sse, url } = yield* start()
      const [command, ...args] = program("stdioServer")
      const servers = {
        "of today": { url, headers },
        older: { type: "sse", url: sse },
        program: { command, args, env: { FIXTURE_OPTIONS: `{"eras":["legacy"]}` } },
        off: { url: "http://127.0.0.1:1/", disabled: true }
      }
      const steps = [
        connect,
        { op: "serverInfo" },
        call("of-today_whoami"),
        call("older_echo", { text: "a" }),
        call("program_echo", { text: "b" }),
        { op: "listTools", all: true },
        call("echo"),
        { op: "close" },
        connect,
        call("older_echo", { text: "c" })
      ]
      const { events, lines, steps: done } = yield* drive({ target: { config: { mcpServers: servers } }, steps })
      const told = [
        { name: "of today", key: "of-today", era: "modern" },
        { name: "older", key: "older", era: "legacy" },
        { name: "program", key: "program", era: "legacy" }
      ]
      expect(done).toMatchObject([
        { ok: true, value: { servers: told } },
        { ok: true, value: { servers: told, capabilities: { tools: {} } } },
        text(KEY),
        text("a"),
        text("b"),
        { ok: true, value: expect.arrayContaining([expect.objectContaining({ name: "program_echo" })]) },
        { ok: false, error: { tag: "NotOffered", outcome: "NotSent" } },
        { ok: true },
        { ok: true },
        text("c")
      ])
      const connected = events("state").filter(({ state }) => state === "Connected")
      expect(new Set(connected.map(({ server }) => server))).toEqual(new Set(told.map(({ name }) => name)))
      expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
    })
  )

  it.live("that is a configuration fails with why, for each server, and with no secret", () =>
    Effect.gen(function* () {
      const servers = {
        gone: { url: `${yield* nobody}?key=${KEY}`, headers },
        keyed: { url: yield* plainServer },
        none: { command: "/nowhere/at-all", args: ["--token", KEY] },
        odd: { command: 7 }
      }
      const { code, lines, stderr, steps } = yield* drive({ target: { config: servers }, steps: [connect] })
      const error = {
        tag: "ConnectTargetError",
        reason: "ServersFailed",
        failures: [
          { name: "gone", reason: "Unreachable" },
          { name: "keyed", reason: "NeedsAuth", status: 401 },
          { name: "none", reason: "Unreachable" },
          { name: "odd", reason: "BadConfig" }
        ]
      }
      expect(steps).toMatchObject([{ ok: false, error }])
      expect(JSON.stringify(lines) + stderr).not.toContain(KEY)
      expect(code).toBe(0)
      const faulty = [
        { target: { config: { mcpServers: 7 } } },
        { target: { config: { a: servers.gone, b: servers.gone } }, options: { apiKey: KEY } }
      ]
      for (const script of faulty)
        expect(yield* connectTo(script)).toMatchObject({ error: { tag: "ConnectTargetError", reason: "BadConfig" } })
    })
  )

  it.live("of the official SDK over HTTP+SSE is reached in each way", () =>
    Effect.gen(function* () {
      const { url } = yield* starting(officialSse)
      const messages = new URL("/messages", url).href
      const targets = [{ sse: url, messages }, { detect: url }, { config: { v1: { url } } }]
      const ends = yield* driveAll(
        targets.map((target) => ({ target, steps: [connect, call("config" in target ? "v1_hello" : "hello")] }))
      )
      for (const { code, lines, steps } of ends) {
        expect(steps).toMatchObject([{ ok: true, value: { server: { name: "official-v1" } } }, text("hello")])
        expect(lines.at(-1)).toMatchObject({ done: true, children: 0 })
        expect(code).toBe(0)
      }
    })
  )
})
