import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { Call, Resource, ResourceNotFound, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import { ask, get, modern, post, served, session } from "./support/wire.ts"

const request = JsonRpc.request

const ran: Array<string> = []
const tool = (name: string) => Tool.make(name, { run: () => Effect.sync(() => (ran.push(name), name)) })
const chatty = Tool.make("chatty", {
  run: Effect.fnUntraced(function* () {
    const { log } = yield* Call
    for (const level of ["debug", "info", "error"] as const) yield* log(level, level)
    return "said"
  })
})
const server = Server.make(
  { name: "s", version: "1" },
  [
    tool("safe"),
    tool("danger"),
    chatty,
    Resource.make("a://gone", { read: Effect.fail(new ResourceNotFound({ uri: "a://gone" })) }),
    Resource.make("a://none", { read: Effect.sync(() => undefined as never) })
  ],
  { logging: true }
)

describe("a whole server over HTTP", () => {
  it.live(
    "RPC-13 runs what its headers name, or nothing: only exact members count, and of two the one that is compared",
    () =>
      Effect.gen(function* () {
        const url = yield* served(server)
        const [message, headers] = modern(1, "tools/call", { name: "safe" })
        const text = JSON.stringify(message)
        const twice = text.replace('"name":"safe"', '"name":"safe","name":"danger"')
        const smuggled = text.replace('"name":"safe"', '"Name":"danger","name":"safe","name\\u0000":"danger"')
        const method = text.replace('"method":', '"METHOD":"tools/list","method":')
        ran.length = 0
        const refused = yield* ask(url, twice, headers)
        expect([refused.status, refused.body.error.code]).toEqual([400, -32020])
        expect(ran).toEqual([])
        for (const body of [smuggled, method]) expect((yield* ask(url, body, headers)).status).toBe(200)
        expect(ran).toEqual(["safe", "safe"])
      })
  )

  it.live(
    "FEA-17 says logs on the stream of their request alone, at the level that was set, while others are open",
    () =>
      Effect.gen(function* () {
        const url = yield* served(server)
        const opened = yield* session(url)
        const standing = yield* get(url, opened)
        yield* ask(url, request(1, "logging/setLevel", { level: "warning" }), opened)
        const wrong = yield* ask(url, request(2, "logging/setLevel", { level: "loud" }), opened)
        expect(wrong.body.error.code).toBe(-32602)
        const levels = (text: string) => [...text.matchAll(/"level":"(\w+)"/g)].map(([, level]) => level)
        const call = request(3, "tools/call", { name: "chatty" })
        expect(levels(yield* (yield* post(url, call, opened)).text)).toEqual(["error"])
        const asked = (meta: JsonRpc.JsonObject) => modern(4, "tools/call", { name: "chatty", _meta: meta })
        expect(levels(yield* (yield* post(url, ...asked({}))).text)).toEqual([])
        expect(levels(yield* (yield* post(url, ...asked({ [Meta.LOG_LEVEL]: "info" }))).text)).toEqual([
          "info",
          "error"
        ])
        yield* standing.leave
        expect(levels(yield* standing.text)).toEqual([])
      })
  )

  it.live("FEA-15 has a status and a code for what is not there, and says nothing of what went wrong", () =>
    Effect.gen(function* () {
      const url = yield* served(server)
      const read = Effect.fnUntraced(function* (uri: string) {
        const { body, status } = yield* ask(url, ...modern(1, "resources/read", { uri }))
        return [status, body.error.code, body.error.data?.uri]
      })
      for (const uri of ["a://gone", "a://unknown", "::bad::"]) expect(yield* read(uri)).toEqual([400, -32602, uri])
      expect(yield* read("a://none")).toEqual([200, -32603, undefined])
      const unknown = yield* ask(url, ...modern(1, "tools/call", { name: "nobody" }))
      expect([unknown.status, unknown.body.error.code]).toEqual([400, -32602])
      const unfit = yield* ask(url, ...modern(1, "tools/call", { name: "safe", arguments: { more: 1 } }))
      expect(unfit.status).toBe(200)
    })
  )

  it.live("RPC-08 answers what lacks its params with an error and its id, and lives on", () =>
    Effect.gen(function* () {
      const url = yield* served(server)
      const opened = yield* session(url)
      for (const params of ["", ',"params":null', ',"params":[1]', ',"params":{"uri":5}']) {
        const { body, status } = yield* ask(url, `{"jsonrpc":"2.0","id":7,"method":"resources/read"${params}}`, opened)
        expect([params, status === 200 || status === 400, body.id]).toEqual([params, true, 7])
        expect([-32600, -32602]).toContain(body.error.code)
        expect((yield* ask(url, request(8, "ping"), opened)).status).toBe(200)
      }
      const bare = yield* ask(url, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"safe"}}`, opened)
      expect(bare.body.result.content[0].text).toBe("safe")
      const opening = yield* ask(url, `{"jsonrpc":"2.0","id":7,"method":"initialize"}`)
      expect([opening.body.error.code, opening.headers["mcp-session-id"]]).toEqual([-32602, undefined])
    })
  )

  for (const id of [0, ""]) {
    it.live(`RPC-01 takes ${JSON.stringify(id)} for an id like any other: what it names can be cancelled`, () =>
      Effect.gen(function* () {
        const [begun, ended] = [yield* Latch.make(), yield* Latch.make()]
        const slow = Tool.make("slow", {
          run: () => Effect.ensuring(Effect.andThen(begun.open, Effect.never), ended.open)
        })
        const url = yield* served(Server.make({ name: "s", version: "1" }, [slow]))
        const opened = yield* session(url)
        const answer = yield* Effect.forkChild(
          Effect.flatMap(post(url, request(id, "tools/call", { name: "slow" }), opened), ({ text }) => text)
        )
        yield* begun.await
        const cancel = JsonRpc.notification("notifications/cancelled", { requestId: id })
        expect((yield* ask(url, cancel, opened)).status).toBe(202)
        yield* ended.await
        expect((yield* Fiber.join(answer)).includes("result")).toBe(false)
      })
    )
  }
})
