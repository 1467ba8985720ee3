import { accept, connect, type Client, NotOffered, type Options, RpcError } from "@effective-mcp/client/promise"
import { Peer } from "@effective-mcp/protocol"
import { Ask, changes, prompt, resource, server, tool } from "@effective-mcp/server/promise"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as z from "zod"
import { error, info, inTurn, modern, result, scripted, silence } from "./scripted.ts"

const changed = changes()
const add = tool("add", {
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: async ({ a, b }) => ({ sum: a + b })
})
const greet = tool("greet", {
  run: async (_, call) => {
    const { who } = await call.ask({ who: Ask.form("Who?", z.object({ name: z.string() })) })
    return who.action === "accept" ? `Hello ${who.content.name}` : who.action
  }
})
const count = tool("count", {
  run: async (_, call) => {
    for (let n = 1; n <= 3; n++) await call.progress(n, 3)
    return "3"
  }
})
const everything = server(
  { name: "s", version: "1" },
  [
    add,
    greet,
    count,
    prompt("hi", { run: async () => "hi there" }),
    resource("note://a", { read: async () => "a note" })
  ],
  { changes: changed, pageSize: 2 }
)

const names = async (list: AsyncIterable<{ readonly name: string }>): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  for await (const { name } of list) all.push(name)
  return all
}

for (const era of ["modern", "legacy"] as const) {
  const reach = (options: Options = {}) => connect(Peer.local(everything), info, { era, ...options })

  describe(`a client of promises, on ${era}`, () => {
    it("lists page after page, and gets one page as it is", async () => {
      await using client = await reach()
      expect(client.era).toBe(era)
      expect((await client.listTools()).tools.length).toBe(2)
      expect(await names(client.tools())).toEqual(["add", "greet", "count"])
      expect(await names(client.prompts())).toEqual(["hi"])
      expect(await names(client.resources())).toEqual(["a"])
    })
    it("calls, reads and gets", async () => {
      await using client = await reach()
      expect(await client.callTool("add", { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
      expect(await client.readResource("note://a")).toMatchObject({ contents: [{ text: "a note" }] })
      expect(await client.getPrompt("hi")).toMatchObject({ messages: [{ content: { text: "hi there" } }] })
      await client.ping()
    })
    it("reads what a tool gives back by a schema of zod, whose type it has", async () => {
      await using client = await reach()
      const { sum } = await client.callToolAs("add", z.object({ sum: z.number() }), { a: 2, b: 2 })
      expectTypeOf(sum).toEqualTypeOf<number>()
      expect(sum).toBe(4)
    })
    it("answers by async functions what the server asks", async () => {
      await using client = await reach({ answers: { form: async () => accept({ name: "Ann" }) } })
      expect(await client.callTool("greet")).toMatchObject({ content: [{ text: "Hello Ann" }] })
    })
    it("hears progress", async () => {
      await using client = await reach()
      const heard: Array<number> = []
      await client.callTool("count", {}, { onProgress: ({ progress }) => void heard.push(progress) })
      expect(heard).toEqual([1, 2, 3])
    })
    it("hears changes until the loop is left", async () => {
      await using client = await reach()
      const seen: Array<string> = []
      for await (const change of client.changes({ resourceSubscriptions: ["note://a"] })) {
        seen.push(change._tag)
        if (change._tag === "Updated") break
        await changed.updated("note://a")
      }
      expect(seen).toEqual(["Listening", "Updated"])
    })
    it("rejects with the client's own errors", async () => {
      await using client = await reach()
      await expect(client.callTool("nothing")).rejects.toBeInstanceOf(RpcError)
      await expect(client.complete({ prompt: "hi" }, { name: "a", value: "" })).rejects.toBeInstanceOf(NotOffered)
    })
    it("cancels the call whose signal is aborted, and rejects with its reason", async () => {
      const mute = scripted(modern({ "tools/call": silence }))
      await using client = await connect(mute.transport, info, { era: "modern" })
      const controller = new AbortController()
      const called = client.callTool("t", {}, { signal: controller.signal })
      const reason = new Error("enough")
      await Effect.runPromise(mute.run.told("tools/call"))
      controller.abort(reason)
      await expect(called).rejects.toBe(reason)
      expect(mute.run.methods).toContain("notifications/cancelled")
      await expect(client.callTool("t", {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    })
    it("ends a loop whose signal is aborted", async () => {
      await using client = await reach()
      const reason = new Error("enough")
      const controller = new AbortController()
      const reading = (async () => {
        for await (const _ of client.changes({ toolsListChanged: true }, { signal: controller.signal })) {
          controller.abort(reason)
        }
      })()
      await expect(reading).rejects.toBe(reason)
    })
  })
}

/** A signal that knows how many listen to it. */
const counted = () => {
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<unknown>()
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (type: string, listener: never, options?: never) => {
    listeners.add(listener)
    addEventListener.call(signal, type, listener, options)
  }
  signal.removeEventListener = (type: string, listener: never, options?: never) => {
    listeners.delete(listener)
    removeEventListener.call(signal, type, listener, options)
  }
  return { controller, signal, listeners }
}

describe("a client of promises", () => {
  it("CON-04 leaves nothing on a signal that many calls share", async () => {
    const { controller, listeners, signal } = counted()
    const script = {
      "tools/call": inTurn(result({ resultType: "complete", content: [] }), error(-32603)),
      "tools/list": result({ resultType: "complete", tools: [{ name: "t", inputSchema: { type: "object" } }] })
    }
    const called = scripted(modern(script))
    await using client = await connect(called.transport, info, { era: "modern" })
    await client.callTool("t", {}, { signal })
    for (let n = 0; n < 1_000; n++) await expect(client.callTool("t", {}, { signal })).rejects.toThrow()
    await expect(client.callTool("t", {}, { signal, timeout: 0 })).rejects.toThrow()
    for await (const _ of client.tools({ signal })) break
    expect(listeners.size).toBe(0)
    controller.abort()
    await client.ping()
  })
  it("is closed where its block ends, and then sends nothing", async () => {
    let kept: Client
    {
      await using client = await connect(Peer.local(everything), info)
      kept = client
      expect(kept.connected).toBe(true)
    }
    expect(kept.connected).toBe(false)
    await expect(kept.callTool("add", { a: 1, b: 1 })).rejects.toMatchObject({ outcome: "NotSent" })
  })
  it("leaves nothing when it cannot connect, or is told to give up", async () => {
    const mute = scripted({ "server/discover": silence, initialize: silence })
    const reason = new Error("too slow")
    const controller = new AbortController()
    const connecting = connect(mute.transport, info, { signal: controller.signal })
    await Effect.runPromise(mute.run.told("server/discover"))
    controller.abort(reason)
    await expect(connecting).rejects.toBe(reason)
    expect(mute.runs.map(({ isClosed }) => isClosed)).toEqual([true])
  })
  it("says what a function finds out with every request", async () => {
    const told = scripted(modern({ "tools/list": inTurn(result({ resultType: "complete", tools: [] })) }))
    await using client = await connect(told.transport, info, { meta: async () => ({ tenant: "acme" }) })
    await client.listTools()
    expect(told.run.last.params?._meta).toMatchObject({ tenant: "acme" })
  })
  it("keeps what is private for whom a function says that it asks", async () => {
    let who: string | undefined = "ann"
    const hints = { ttlMs: 60_000, cacheScope: "private" }
    const told = scripted(modern({ "tools/list": result({ resultType: "complete", tools: [], ...hints }) }))
    const asked = () => told.run.methods.filter((method) => method === "tools/list").length
    await using client = await connect(told.transport, info, { cache: { context: async () => who } })
    const after: Array<number> = []
    for (const caller of ["ann", "ann", "bob", "ann", undefined, undefined]) {
      who = caller
      await client.listTools()
      after.push(asked())
    }
    expect(after).toEqual([1, 1, 2, 2, 3, 4])
  })
})
