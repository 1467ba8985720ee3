import { Tools } from "@effective-mcp/client"
import { JsonRpc, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { begin, closed, connect, error, legacy, modern, result, scripted, silence } from "./scripted.ts"

const cancelled = "notifications/cancelled"

const mute = () => scripted(modern({ "tools/call": silence, "tools/list": result({ tools: [] }) }))

describe("interrupting a request", () => {
  it.effect("cancels it on the wire, once", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Tools.call(client, "t"))
      yield* Fiber.interrupt(call)
      expect(server.run.heard.slice(2)).toEqual([JsonRpc.notification(cancelled, { requestId: server.run.last.id })])
      expect(Exit.isFailure(yield* Fiber.await(call))).toBe(true)
    })
  )
  it.effect("leaves the others as they are, and its late answer to nobody", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const [left, kept] = [yield* begin(Tools.call(client, "a")), yield* begin(Tools.call(client, "b"))]
      const [, first, second] = server.run.requests
      yield* Fiber.interrupt(left)
      server.run.say(JsonRpc.success(first!.id, { content: [] }), JsonRpc.success(second!.id, { content: [] }))
      expect(yield* Fiber.join(kept)).toEqual({ content: [] })
      yield* Tools.list(client)
    })
  )
  it.effect("that has been answered cancels nothing", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const onProgress = () => Effect.never
      const call = yield* begin(Tools.call(client, "t", {}, { onProgress }))
      const { id } = server.run.last
      server.run.say(
        JsonRpc.notification("notifications/progress", { progressToken: id, progress: 1 }),
        JsonRpc.success(id, { content: [] })
      )
      yield* Tools.list(client)
      yield* Fiber.interrupt(call)
      expect(server.run.methods).not.toContain(cancelled)
    })
  )
  it.effect("C-26 that was never written cancels nothing", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      server.run.stuck = true
      const call = yield* begin(Tools.call(client, "t"))
      yield* Fiber.interrupt(call)
      server.run.stuck = false
      yield* Tools.list(client)
      expect(server.run.methods).toEqual(["server/discover", "tools/list"])
    })
  )
})

describe("the ids of requests", () => {
  it.effect("are never used again, whatever became of them", () =>
    Effect.gen(function* () {
      const server = scripted(
        modern({ "tools/call": silence, "tools/list": result({ tools: [] }), "resources/list": error(-32601) })
      )
      const client = yield* connect(server)
      for (let i = 0; i < 20; i++) {
        yield* Tools.list(client)
        yield* Fiber.interrupt(yield* begin(Tools.call(client, "t")))
      }
      yield* Effect.all(
        Array.from({ length: 20 }, () => Tools.list(client)),
        { concurrency: "unbounded" }
      )
      const ids = server.run.requests.map(({ id }) => id)
      expect(ids.length).toBe(61)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { id, params } of server.run.requests) expect(params).toMatchObject({ _meta: { progressToken: id } })
    })
  )
  it.effect("tell answers apart, in any order", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const names = ["a", "b", "c"]
      const calls = yield* Effect.forEach(names, (name) => begin(Tools.call(client, name)))
      for (const { id, params } of server.run.requests.slice(1).toReversed()) {
        server.run.say(JsonRpc.success(id, { content: [], structuredContent: params?.name }))
      }
      expect((yield* Fiber.joinAll(calls)).map(({ structuredContent }) => structuredContent)).toEqual(names)
    })
  )
})

describe("a request that fails", () => {
  it.effect("R-022 to be written is a transport error, and the next is sent", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      server.run.broken = new TransportError({ reason: { _tag: "TooLarge", limit: 10 }, outcome: "NotSent" })
      const failure = yield* Effect.flip(Tools.call(client, "t"))
      expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "TooLarge" }, outcome: "NotSent" })
      server.run.broken = undefined
      yield* Tools.list(client)
      expect(server.run.methods).toEqual(["server/discover", "tools/list"])
    })
  )
  it.effect("R-026 because the server has left fails at once, as one that may have run", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const calls = yield* Effect.forEach(["a", "b"], (name) => begin(Effect.flip(Tools.call(client, name))))
      server.run.die()
      for (const failure of yield* Fiber.joinAll(calls)) {
        expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "Closed" }, outcome: "Unknown" })
      }
    })
  )
  it.effect("R-026 after the server has left was not sent", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const open = yield* begin(Effect.exit(Tools.call(client, "t")))
      server.run.die()
      yield* Fiber.join(open)
      const before = server.run.heard.length
      expect(yield* Effect.flip(Tools.list(client))).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
      expect(server.run.heard.length).toBe(before)
    })
  )
  it.effect("R-025 does not: an answer that came before the server left counts", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Tools.call(client, "t"))
      server.run.answer({ content: [] })
      server.run.die()
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
    })
  )
  const codes = {
    Rejected: [-32700, -32600, -32601, -32020, -32021, -32022],
    Unknown: [-32602, -32603, -32000, -32002, -1, 1]
  }
  for (const [outcome, ofOutcome] of Object.entries(codes)) {
    for (const code of ofOutcome) {
      it.effect(`by an error ${code} was ${outcome === "Rejected" ? "turned away" : "perhaps run"}`, () =>
        Effect.gen(function* () {
          const server = scripted(legacy({ "tools/call": error(code, { why: "x" }) }))
          const client = yield* connect(server, { era: "legacy" })
          const failure = yield* Effect.flip(Tools.call(client, "t"))
          expect(failure).toMatchObject({ _tag: "RpcError", code, outcome, message: "no", data: { why: "x" } })
          expect(server.run.methods.filter((method) => method === "tools/call").length).toBe(1)
        })
      )
    }
  }
  it.effect("T-02 is never a defect", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const open = yield* begin(Effect.exit(Tools.call(client, "t")))
      server.run.die()
      for (const exit of [yield* Fiber.join(open), yield* Effect.exit(Tools.call(client, "t"))]) {
        expect(Exit.isFailure(exit) && !Cause.hasDies(exit.cause) && !Cause.hasInterrupts(exit.cause)).toBe(true)
      }
    })
  )
  it.effect("R-032 keeps its own type: what was never offered is no transport error, even on a broken wire", () =>
    Effect.gen(function* () {
      const server = scripted(
        modern({
          "server/discover": result({ resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} })
        })
      )
      const client = yield* connect(server)
      server.run.broken = closed
      expect(yield* Effect.flip(Tools.call(client, "t"))).toMatchObject({ _tag: "NotOffered", outcome: "NotSent" })
    })
  )
})

describe("an argument that is no JSON", () => {
  it.effect("T-02 R-021 fails its own call typed, nothing is sent, and the next call is served", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "tools/call": result({ content: [] }) }))
      const client = yield* connect(server)
      const failure = yield* Effect.flip(Tools.call(client, "t", { n: 1n }))
      expect(failure).toMatchObject({ reason: { _tag: "Unsendable" }, outcome: "NotSent" })
      expect(server.run.methods).toEqual(["server/discover"])
      expect((yield* Tools.call(client, "t", { n: 1 })).content).toEqual([])
    })
  )
})
