import { JsonRpc } from "@effective-mcp/protocol"
import { Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { HttpCall } from "../src/server/index.ts"
import { ask, modern, post, served, session } from "./support/wire.ts"

const whoami = Tool.make("whoami", {
  description: "Says who asks, after a while",
  input: { turns: Schema.Int },
  run: ({ turns }) =>
    Effect.gen(function* () {
      const { request } = yield* HttpCall
      const call = yield* Call
      for (let i = 0; i < turns; i++) yield* Effect.yieldNow
      yield* call.progress(1)
      for (let i = 0; i < turns; i++) yield* Effect.yieldNow
      return request.header("x-me") ?? "nobody"
    })
})
const server = Server.make({ name: "whoami", version: "1" }, [whoami])

const CLIENTS = 200

describe("many clients with equal ids", () => {
  const whoIs = Effect.fnUntraced(function* (url: string, me: string, message: JsonRpc.Request, headers: object) {
    const answer = yield* post(url, message, { ...headers, "x-me": me })
    const text = yield* answer.text
    const last = text.startsWith("data:") ? (text.trimEnd().split("\n\n").at(-1) ?? "").slice(6) : text
    return JSON.parse(last).result.content[0].text === me
  }, Effect.scoped)

  const args = (n: number) => ({ name: "whoami", arguments: { turns: n % 7 } })

  for (const [name, kind] of [
    ["modern", "modern"],
    ["in sessions", "sessions"],
    ["without sessions", "stateless"]
  ] as const) {
    it.live(`CON-01 no answer reaches another: ${CLIENTS} ${name}`, () =>
      Effect.gen(function* () {
        const url = yield* served(server, kind === "stateless" ? { sessions: false } : {})
        const client = Effect.fnUntraced(function* (n: number) {
          const me = `client ${n}`
          const headers = kind === "sessions" ? yield* session(url) : {}
          const right: Array<boolean> = []
          for (let i = 0; i < 5; i++) {
            const params = { ...args(n + i), _meta: { progressToken: 2 } }
            const sent = JsonRpc.request(2, "tools/call", params)
            const [message, more] = kind === "modern" ? modern(2, "tools/call", params) : [sent, headers]
            right.push(yield* whoIs(url, me, message, more))
          }
          return right.every(Boolean)
        })
        const clients = Array.from({ length: CLIENTS }, (_, n) => client(n))
        const right = yield* Effect.all(clients, { concurrency: 50 })
        expect(right.filter(Boolean).length).toBe(CLIENTS)
      })
    )
  }

  it.live("S-01 one server value is served at several endpoints at once", () =>
    Effect.gen(function* () {
      const urls = yield* Effect.all([served(server), served(server, { sessions: false })])
      for (const url of urls) {
        const [message, headers] = modern(1, "tools/call", args(1))
        const { body } = yield* ask(url, message, { ...headers, "x-me": url })
        expect(body.result.content[0].text).toBe(url)
      }
    })
  )
})
