import { Client, NoCommonRevision, Tools } from "@effective-mcp/client"
import { type Era, type Host, local, Peer } from "@effective-mcp/protocol"
import { Call, Server, Tool, ToolError } from "@effective-mcp/server"
import { pair } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { begin, info, Log, serverInfo } from "./scripted.ts"

const add = Tool.make("add", {
  description: "Adds two numbers",
  input: { a: Schema.Finite, b: Schema.Finite },
  output: { sum: Schema.Finite },
  run: ({ a, b }) => Effect.succeed({ sum: a + b })
})
const fails = Tool.make("fails", { run: () => Effect.fail(new ToolError({ message: "Cannot do that" })) })
const counts = Tool.make("counts", {
  input: { to: Schema.Int },
  run: Effect.fnUntraced(function* ({ to }) {
    const { progress } = yield* Call
    for (let n = 1; n <= to; n++) yield* progress(n, to)
    return `${to}`
  })
})

const serverOf = (eras?: readonly [Era, ...ReadonlyArray<Era>]) =>
  Server.make(serverInfo, [add, fails, counts], { eras, pageSize: 2 })

/** A transport to a server at the other end of a pair. */
const reach = (server: Host) =>
  Effect.gen(function* () {
    const [near, far] = yield* pair()
    yield* Effect.forkScoped(Effect.ignore(Peer.host(far, server)))
    return yield* Peer.make(near)
  })

/** How every client and every server of ours come to terms. */
const matrix: ReadonlyArray<
  readonly ["auto" | "modern" | "legacy", readonly [Era, ...ReadonlyArray<Era>], Era | "nothing"]
> = [
  ["auto", ["modern", "legacy"], "modern"],
  ["auto", ["modern"], "modern"],
  ["auto", ["legacy"], "legacy"],
  ["modern", ["modern", "legacy"], "modern"],
  ["modern", ["modern"], "modern"],
  ["modern", ["legacy"], "nothing"],
  ["legacy", ["modern", "legacy"], "legacy"],
  ["legacy", ["modern"], "nothing"],
  ["legacy", ["legacy"], "legacy"]
]

describe("a client and a server", () => {
  for (const [era, eras, outcome] of matrix) {
    it.effect(`R-040 ${era} with ${eras.join(" and ")}: ${outcome}`, () =>
      Effect.gen(function* () {
        const connecting = Client.connect(reach(serverOf(eras)), info, { era })
        if (outcome === "nothing") {
          const failure = yield* Effect.flip(connecting)
          if (era === "modern") expect(failure).toBeInstanceOf(NoCommonRevision)
          else expect(failure).toMatchObject({ _tag: "RpcError", message: expect.stringContaining("2026-07-28") })
          return
        }
        const client = yield* connecting
        expect(client).toMatchObject({ era: outcome, server: serverInfo, capabilities: { tools: {} } })
        expect(yield* Tools.call(client, "add", { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
        yield* client.ping()
      })
    )
  }
  for (const era of ["modern", "legacy"] as const) {
    it.effect(`speak of tools the same way: ${era}`, () =>
      Effect.gen(function* () {
        const client = yield* Client.connect(reach(serverOf()), info, { era })
        const tools = yield* Stream.runCollect(Tools.all(client))
        expect(tools.map(({ name }) => name)).toEqual(["add", "fails", "counts"])
        expect(tools[0]).toMatchObject({
          description: "Adds two numbers",
          inputSchema: { type: "object", required: ["a", "b"] },
          outputSchema: { type: "object", required: ["sum"] }
        })
        expect(yield* Tools.call(client, tools[0]!, { a: 1, b: 2 })).toMatchObject({
          content: [{ type: "text", text: '{"sum":3}' }],
          structuredContent: { sum: 3 }
        })
        expect(yield* Tools.call(client, "add", { a: "1" })).toMatchObject({ isError: true })
        expect(yield* Tools.call(client, "fails")).toMatchObject({
          isError: true,
          content: [{ text: "Cannot do that" }]
        })
        expect(yield* Effect.flip(Tools.call(client, "nope"))).toMatchObject({ _tag: "RpcError", code: -32602 })
        expect(yield* Effect.flip(Tools.list(client, { cursor: "nope" }))).toMatchObject({ code: -32602 })
      })
    )
    it.effect(`tell of 10,000 steps, each heard, in order: ${era}`, () =>
      Effect.gen(function* () {
        const client = yield* Client.connect(reach(serverOf()), info, { era })
        const heard: Array<number> = []
        const onProgress = ({ progress }: { readonly progress: number }) => void heard.push(progress)
        yield* Tools.call(client, "counts", { to: 10_000 }, { onProgress })
        expect(heard).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1))
      })
    )
    it.effect(`end a call on both sides when it is interrupted: ${era}`, () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const left = yield* Deferred.make<void>()
        const lingers = Tool.make("lingers", {
          run: () =>
            Deferred.succeed(begun, undefined).pipe(
              Effect.andThen(Effect.never),
              Effect.onInterrupt(() => Deferred.succeed(left, undefined))
            )
        })
        const client = yield* Client.connect(reach(Server.make(serverInfo, [lingers])), info, { era })
        const call = yield* begin(Tools.call(client, "lingers"))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(call)
        yield* Deferred.await(left)
        yield* client.ping()
      })
    )
    it.effect(`do not share what a result cannot be written for: ${era}`, () =>
      Effect.gen(function* () {
        const big = Tool.make("big", { run: () => Effect.succeed({ content: [], structuredContent: { n: 5n } }) })
        const client = yield* Client.connect(reach(Server.make(serverInfo, [big])), info, { era })
        expect(yield* Effect.flip(Tools.call(client, "big"))).toMatchObject({ code: -32603, outcome: "Unknown" })
        yield* client.ping()
      }).pipe(Effect.provide(new Log().layer))
    )
  }
  for (const era of ["auto", "modern", "legacy"] as const) {
    it.effect(`need no wire in between: ${era}`, () =>
      Effect.gen(function* () {
        const client = yield* Client.connect(Peer.local(serverOf()), info, { era })
        expect(client.era).toBe(era === "auto" ? "modern" : era)
        expect(yield* Tools.call(client, "add", { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
        expect(yield* Effect.flip(Tools.call(client, "nope"))).toMatchObject({ _tag: "RpcError", code: -32602 })
      })
    )
  }
  it.effect("need not even be whole: the modern part of a server is a handler", () =>
    Effect.gen(function* () {
      const client = yield* Client.connect(local(serverOf().modern), info)
      expect(yield* Tools.call(client, "add", { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
    })
  )
  it.effect("run a thousand calls at once", () =>
    Effect.gen(function* () {
      const client = yield* Client.connect(reach(serverOf()), info)
      const sums = yield* Effect.forEach(
        Array.from({ length: 1000 }, (_, i) => i),
        (i) => Tools.call(client, "add", { a: i, b: 1 }),
        { concurrency: "unbounded" }
      )
      expect(sums.map(({ structuredContent }) => structuredContent)).toEqual(
        Array.from({ length: 1000 }, (_, i) => ({ sum: i + 1 }))
      )
    })
  )
})

describe("a client as a service", () => {
  it.effect("is connected when it is built, and gone with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Client.layer(reach(serverOf()), info), scope)
      const client = yield* Effect.provideContext(Client.Current, context)
      expect(yield* Tools.call(client, "add", { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
      yield* Scope.close(scope, Exit.void)
      expect(yield* Effect.flip(client.ping())).toMatchObject({ reason: { _tag: "Closed" }, outcome: "NotSent" })
    })
  )
})
