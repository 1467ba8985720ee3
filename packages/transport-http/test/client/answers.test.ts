import { Answers, Client, Logging, Tools } from "@effective-mcp/client"
import { Ask, Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { connect } from "../../src/client/index.ts"
import { serve } from "../../src/server/index.ts"
import { event, greet, progress, scripted } from "./scripted.ts"

const server = Server.make(
  { name: "ours", version: "1" },
  [
    Tool.make("book", {
      run: Effect.fnUntraced(function* () {
        const { ask, log, progress } = yield* Call
        yield* progress(1, 2)
        yield* log("warning", "asks")
        const { table, where } = yield* ask({
          table: Ask.form("A table", { guests: Schema.Int, inside: Schema.Boolean.annotate({ default: true }) }),
          where: Ask.roots
        })
        return JSON.stringify([table, where])
      })
    })
  ],
  { logging: true }
)

describe("our server over HTTP is answered by our client", () => {
  for (const era of ["modern", "legacy"] as const) {
    it.live(`on ${era}: the host knows the call, what is logged and reported is that call's`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve(server)
        const [asked, heard]: [Array<Answers.Asked>, Array<unknown>] = [[], []]
        const form = Answers.form((_, because) =>
          Effect.sync(() => {
            asked.push(because)
            return Answers.accept({ guests: 4 })
          })
        )
        const roots = yield* SubscriptionRef.make([{ uri: "file:///a" }])
        const answers = [form, Answers.roots(roots)]
        const client = yield* Client.connect(connect(url), { name: "client", version: "1" }, { era, answers })
        yield* Logging.setLevel(client, "info")
        const options = {
          onProgress: ({ progress }: { readonly progress: number }) => void heard.push(progress),
          onLog: ({ data }: { readonly data: unknown }) => void heard.push(data)
        }
        const booked = (yield* Tools.call(client, "book", {}, options)).content
        const table = { action: "accept", content: { guests: 4, inside: true } }
        expect(booked).toEqual([{ type: "text", text: JSON.stringify([table, [{ uri: "file:///a" }]]) }])
        expect(asked).toMatchObject([{ call: { method: "tools/call" } }])
        // on modern the tool runs once a round, and tells each time
        expect(heard.slice(0, 2)).toEqual([1, "asks"])
        yield* SubscriptionRef.set(roots, [{ uri: "file:///b" }])
        expect(Tools.text(yield* Tools.call(client, "book"))).toContain("file:///b")
      })
    )
  }
})

it.live("a report on a call's stream is that call's only with its own token", () =>
  Effect.gen(function* () {
    const { url } = yield* scripted((seen, reply) => {
      const { id, method } = seen.body
      if (method === "initialize") {
        const result = {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "s", version: "1" }
        }
        return reply.json({ jsonrpc: "2.0", id, result })
      }
      if (greet(seen, reply)) return
      if (id === "") return reply.whole(405, {})
      reply.stream()
      for (const [n, token] of [999, String(id), id, -1].entries()) reply.write(event(progress(n + 1, token)))
      reply.write(event({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 9 } }))
      reply.write(event({ jsonrpc: "2.0", id, result: { content: [] } }))
      reply.end()
    })
    const heard: Array<number> = []
    const client = yield* Client.connect(connect(url), { name: "client", version: "1" }, { era: "legacy" })
    yield* Tools.call(client, "t", {}, { onProgress: ({ progress }) => void heard.push(progress) })
    expect(heard).toEqual([3])
  })
)
