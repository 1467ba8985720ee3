import { JsonRpc } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Driven, drive } from "./support/drive.ts"
import { onFullDisk, program } from "./support/program.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const line = (message: unknown): string => JSON.stringify(message) + "\n"
const ping = (id: number): string => line(JsonRpc.request(id, "ping"))
const toolCall = (id: number, name: string, args: JsonRpc.JsonObject = {}): string =>
  line(JsonRpc.request(id, "tools/call", { name, arguments: args }))
const initialize = line(
  JsonRpc.request("first", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "fixture", version: "1.0.0" }
  })
)
const modern = (id: number, method: string): string =>
  line(
    JsonRpc.request(id, method, {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
      }
    })
  )

const next = (driven: Driven) => Effect.map(driven.line, (text): unknown => JSON.parse(text))
const server = (...args: ReadonlyArray<string>) => drive(program("server", ...args))

it.live("S-01 one server speaks both eras on stdin and stdout, and ends when its input does", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server()
      driven.write(modern(1, "server/discover"))
      expect(yield* next(driven)).toMatchObject({
        id: 1,
        result: { supportedVersions: expect.arrayContaining(["2026-07-28"]) }
      })
      driven.write(initialize)
      expect(yield* next(driven)).toMatchObject({ id: "first", result: { protocolVersion: "2025-11-25" } })
      driven.write(toolCall(2, "echo", { text: "é\n🎉" }))
      expect(yield* next(driven)).toEqual({
        jsonrpc: "2.0",
        id: 2,
        result: { content: [{ type: "text", text: "é\n🎉" }] }
      })
      driven.endInput()
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
    })
  )
)

it.live("STD-02 a byte order mark ahead of the first message is dropped, and none is written", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server()
      for (const byte of [0xef, 0xbb, 0xbf]) driven.write(Uint8Array.of(byte))
      driven.write(ping(0))
      expect(yield* driven.line).toBe('{"jsonrpc":"2.0","id":0,"result":{}}')
    })
  )
)

it.live("STD-04 bytes that are no UTF-8 cost their own line only", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server()
      driven.write(initialize)
      yield* driven.line
      driven.write(bytes('{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x'))
      driven.write(Uint8Array.of(0xff, 0xfe))
      driven.write(bytes(`"}}\n${ping(4)}`))
      const answers = [yield* next(driven), yield* next(driven)]
      expect(answers).toContainEqual({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } })
      expect(answers).toContainEqual({ jsonrpc: "2.0", id: 4, result: {} })
    })
  )
)

it.live("STD-13 when its input ends, a server answers what it was asked and leaves, whatever timers are left", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server("timer")
      driven.write(initialize + toolCall(2, "slow", { ms: 300 }))
      driven.endInput()
      yield* driven.line
      const start = performance.now()
      expect(yield* next(driven)).toMatchObject({ id: 2, result: { content: [{ text: "slept" }] } })
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
      expect(performance.now() - start).toBeLessThan(2_000)
      expect(driven.stderr()).toBe("closed\n")
    })
  )
)

it.live("STD-13 a handler that does not end is interrupted 2 s after the input has ended", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server()
      driven.write(toolCall(1, "stuck"))
      yield* driven.says("stuck\n")
      const start = performance.now()
      driven.endInput()
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
      expect(performance.now() - start).toBeGreaterThan(1_900)
      expect(performance.now() - start).toBeLessThan(3_000)
      expect(driven.stderr()).toBe("stuck\ninterrupted\nclosed\n")
    })
  )
)

it.live(
  "a client that reads nothing and closes stdin is served no longer: refused and bad lines do not wait for it",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const driven = yield* server()
        driven.pauseOutput()
        for (let id = 0; id < 5_000; id++) driven.write(toolCall(id, "echo", { text: "x".repeat(50) }) + "{}\n")
        driven.endInput()
        expect(yield* driven.exit).toEqual({ code: 0, signal: null })
      })
    )
)

it.live("an answer over the limit is an error of its own request, and the server goes on", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server("limit", "1000")
      driven.write(toolCall(1, "long", { length: 1000 }))
      expect(yield* next(driven)).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32603, message: "Internal error: the response is longer than 1000 bytes" }
      })
      driven.write(toolCall(2, "echo", { text: "x" }))
      expect(yield* next(driven)).toMatchObject({ id: 2, result: {} })
    })
  )
)

it.live("STD-14 when the reader of stdout has gone, handlers are interrupted, serving ends once, nothing spins", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server("idle")
      driven.write(initialize + toolCall(2, "stuck"))
      yield* driven.line
      yield* driven.says("stuck\n")
      yield* driven.closeOutput(line(JsonRpc.request(1, "tools/list")), "closed\n")
      yield* driven.says("burnt")
      const [, burnt] = /burnt ([\d.]+)/.exec(driven.stderr())!
      expect(Number(burnt)).toBeLessThan(100)
      expect(driven.stderr()).toBe(`stuck\ninterrupted\nfailed: Closed\nclosed\nburnt ${burnt}\n`)
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
    })
  )
)

it.live("STD-14 a reader of stdout that has gone is no failure of the process", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server()
      driven.write(ping(1))
      yield* driven.line
      yield* driven.closeOutput(ping(2), "closed\n")
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
      expect(driven.stderr()).toBe("failed: Closed\nclosed\n")
    })
  )
)

it.live("S-02 C-14 a line over the limit is refused, and ends the server with a typed failure", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server("limit", "1000")
      driven.write(ping(1))
      yield* driven.line
      driven.write("x".repeat(1001))
      expect(yield* next(driven)).toEqual({
        jsonrpc: "2.0",
        error: { code: -32600, message: "Invalid request: longer than 1000 bytes" }
      })
      expect(yield* driven.exit).toEqual({ code: 1, signal: null })
      expect(driven.stderr()).toMatch(/^failed: TooLarge\nclosed\nTransportError: a message was longer than 1000 bytes/)
    })
  )
)

it.live("nothing but messages reaches stdout while serving, whoever writes", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server()
      driven.write(toolCall(1, "noise") + ping(2))
      expect(yield* next(driven)).toMatchObject({ id: 1, result: { content: [{ text: "quiet" }] } })
      expect(yield* next(driven)).toMatchObject({ id: 2 })
      const writers = [
        "console.log 1",
        "console.info",
        "console.debug",
        "console.dir",
        "console.table",
        "console.group"
      ]
      for (const writer of [...writers, "process.stdout", "Effect.log"]) yield* driven.says(writer)
    })
  )
)

it.live("a client that reads no stderr any more is no reason to stop", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server()
      driven.write(ping(0))
      yield* driven.line
      driven.closeErrors()
      for (let id = 1; id <= 20; id++) {
        driven.write(toolCall(id, "noise"))
        expect(yield* next(driven)).toMatchObject({ id, result: { content: [{ text: "quiet" }] } })
      }
      driven.endInput()
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
    })
  )
)

it.live("after serving, stdout and the console are as they were, and another may serve; two at once may not", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* drive(program("twice"))
      driven.write(ping(1))
      yield* driven.line
      driven.endInput()
      const lines = yield* Effect.all(Array.from({ length: 4 }, () => driven.line))
      expect(lines).toEqual(["second: Die", "by console.log", "by process.stdout", "third: ended"])
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
    })
  )
)

it.live("without runMain, a process that has served ends by itself", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* drive(program("twice"))
      driven.endInput()
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
    })
  )
)

it.live("a promise that a tool has forgotten is logged when it is rejected, and the server goes on", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* server("mortal")
      driven.write(toolCall(1, "forgetful"))
      expect(yield* next(driven)).toMatchObject({ id: 1, result: { content: [{ text: "done" }] } })
      yield* driven.says("forgotten")
      driven.write(ping(2))
      expect(yield* next(driven)).toMatchObject({ id: 2, result: {} })
      driven.endInput()
      expect(yield* driven.exit).toEqual({ code: 0, signal: null })
    })
  )
)

it.live("a server that cannot write its answers, for all that somebody would read them, exits with 1", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const driven = yield* drive(onFullDisk(program("server", "mortal")))
      driven.write(ping(1))
      expect(yield* driven.exit).toEqual({ code: 1, signal: null })
      expect(driven.stderr()).toMatch(/EFBIG|File too large/)
    })
  )
)
