import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Host from "./support/host.ts"
import { ask, initialize, post, served, session } from "./support/wire.ts"

const [request, success] = [JsonRpc.request, JsonRpc.success]
const ping = (id: JsonRpc.RequestId) => request(id, "ping")

const byId = (responses: ReadonlyArray<JsonRpc.Response>) =>
  [...responses].sort((a, b) => String(a.id).localeCompare(String(b.id)))

describe("batches", () => {
  it.live("RPC-12 are answered by one array, on 2025-03-26 alone", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const old = yield* session(url, "2025-03-26")
      const { body, headers, status } = yield* ask(url, [ping(1), ping(2)], old)
      expect([status, headers["content-type"], byId(body)]).toEqual([
        200,
        "application/json",
        [success(1, {}), success(2, {})]
      ])
      for (const version of ["2025-06-18", "2025-11-25"]) {
        const refused = yield* ask(url, [ping(1)], yield* session(url, version))
        expect([refused.status, refused.body.error.code, "id" in refused.body]).toEqual([400, -32600, false])
      }
      expect((yield* ask(url, [ping(1)])).status).toBe(400)
    })
  )

  it.live("RPC-12 say of each entry that is wrong what is wrong, inside the array", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const url = yield* served(host)
      const old = yield* session(url, "2025-03-26")
      const codes = (entries: ReadonlyArray<unknown>) =>
        Effect.map(ask(url, entries, old), ({ body, status }) => {
          const responses: ReadonlyArray<JsonRpc.Response> = body
          return [status, responses.map((said) => [said.id, "error" in said ? said.error.code : "ok"])]
        })
      expect(yield* codes([1])).toEqual([200, [[undefined, -32600]]])
      expect(yield* codes([initialize()])).toEqual([200, [["init", -32600]]])
      expect(yield* codes([{ jsonrpc: "2.0", method: "tools/call", params: {} }])).toEqual([200, [[undefined, -32600]]])
      const [status, both] = yield* codes([{ jsonrpc: "2.0", id: 7 }, ping(1)])
      expect([status, both]).toEqual([
        200,
        [
          [7, -32600],
          [1, "ok"]
        ]
      ])
      expect((yield* ask(url, [], old)).status).toBe(400)
      expect(host.begun()).toBe(1)
    })
  )

  it.live("RPC-12 hold an id once: the second is refused without it, however soon the first is answered", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const old = yield* session(url, "2025-03-26")
      const inUse = JsonRpc.failure(undefined, { code: -32600, message: "Invalid request: the id is already in use" })
      const soon = yield* ask(url, [ping(1), ping(2), ping(1), ping("1")], old)
      expect(soon.body).toHaveLength(4)
      expect(soon.body).toEqual(expect.arrayContaining([success(1, {}), success(2, {}), inUse, success("1", {})]))
      const cancel = JsonRpc.notification("notifications/cancelled", { requestId: "l" })
      const late = yield* post(url, [request("l", "linger"), cancel, ping("l")], old)
      expect((yield* late.text).trimEnd().endsWith(`data: ${JSON.stringify([inUse])}`)).toBe(true)
      // and is free again afterwards
      expect((yield* ask(url, [ping(1), ping("l")], old)).body).toHaveLength(2)
    })
  )

  it.live("RPC-12 that ask nothing are accepted without an answer", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const old = yield* session(url, "2025-03-26")
      const notes = [JsonRpc.notification("note", { text: "hi" }), success(5, {})]
      const { body, status } = yield* ask(url, notes, old)
      expect([status, body]).toEqual([202, undefined])
      expect((yield* ask(url, request(1, "noted"), old)).body).toEqual(success(1, { text: "hi" }))
    })
  )

  it.live("RPC-12 stream what is said meanwhile, and end with one array that leaves out what was cancelled", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const old = yield* session(url, "2025-03-26")
      const answer = yield* post(url, [request("l", "linger"), request("p", "pause"), ping("q")], old)
      expect(answer.headers["content-type"]).toBe("text/event-stream")
      yield* Effect.all([answer.event, answer.event])
      expect((yield* ask(url, [ping("l")], old)).body[0].error.code).toBe(-32600)
      yield* ask(url, JsonRpc.notification("notifications/cancelled", { requestId: "l" }), old)
      yield* ask(url, request("r", "release"), old)
      const last = JSON.parse((yield* answer.event)?.data ?? "null")
      expect(byId(last)).toEqual([success("p", { id: "p" }), success("q", {})])
      expect(yield* answer.event).toBe(undefined)
    })
  )
})
