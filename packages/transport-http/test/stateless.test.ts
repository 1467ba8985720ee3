import { JsonRpc } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Host from "./support/host.ts"
import { ask, get, initialize, modern, post, send, served } from "./support/wire.ts"

const request = JsonRpc.request

describe("without sessions", () => {
  it.live("S-17 each request is a conversation of its own, in the revision that its header names", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const url = yield* served(host, { sessions: false })
      for (let i = 0; i < 2; i++) {
        const opened = yield* ask(url, initialize())
        expect([opened.status, "mcp-session-id" in opened.headers]).toEqual([200, false])
      }
      const echoed = yield* ask(url, request(1, "echo", { n: 1 }), { "mcp-session-id": "any" })
      expect(echoed.body).toEqual(JsonRpc.success(1, { n: 1 }))
      expect((yield* ask(url, JsonRpc.notification("notifications/initialized"))).status).toBe(202)
      expect([host.begun(), host.ended()]).toEqual([4, 4])

      const odd = Tool.make("odd", { description: "Fails", input: {}, run: () => Effect.succeed("x") })
      const real = yield* served(Server.make({ name: "s", version: "1" }, [odd]), { sessions: false })
      const wrong = request(1, "tools/call", { name: "odd", arguments: 5 })
      for (const version of ["2025-11-25", "2025-06-18"]) {
        const { status } = yield* ask(real, wrong, { "mcp-protocol-version": version })
        expect(status).toBe(200)
      }
    })
  )

  it.live("S-17 GET and DELETE are 405", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, { sessions: false })
      const [opened, removed] = [yield* get(url), yield* send(url, { method: "DELETE" })]
      expect([opened.status, removed.status, opened.headers.allow]).toEqual([405, 405, "POST"])
    })
  )

  it.live("S-18 progress is still told, and questions fail", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, { sessions: false })
      const { text } = yield* post(url, request(1, "report", { n: 2 }))
      expect((yield* text).match(/progressToken/g)?.length).toBe(2)
      expect((yield* ask(url, request(2, "ask"))).body.error.code).toBe(-32603)
    })
  )

  it.live("S-19 modern requests are served all the same", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, { sessions: false })
      expect((yield* ask(url, ...modern(1, "echo", { n: 1 }))).body.result.n).toBe(1)
    })
  )

  it.live("RPC-12 an array without a version header is one of 2025-03-26", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, { sessions: false })
      const batch = [request(1, "ping"), request(2, "ping")]
      expect((yield* ask(url, batch)).body.length).toBe(2)
      expect((yield* ask(url, batch, { "mcp-protocol-version": "2025-06-18" })).status).toBe(400)
    })
  )
})
