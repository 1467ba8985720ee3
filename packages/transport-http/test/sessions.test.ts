import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Scope from "effect/Scope"
import { HttpServer } from "../src/server/index.ts"
import * as Host from "./support/host.ts"
import { local } from "./support/local.ts"
import { ask, get, initialize, modern, post, send, served, session } from "./support/wire.ts"

const echo = (id: JsonRpc.RequestId = 1) => JsonRpc.request(id, "echo", { text: "hi" })
const remove = (url: string, headers: Parameters<typeof get>[1] = {}) => send(url, { method: "DELETE", headers })

describe("a session", () => {
  it.live("S-29 is opened by initialize, under an id that is random and printable", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const url = yield* served(host)
      const ids = new Set<string>()
      for (let i = 0; i < 20; i++) {
        const opened = yield* session(url)
        const id = opened["mcp-session-id"]
        expect(id).toMatch(/^[\x21-\x7e]{32,}$/)
        ids.add(id)
        expect((yield* ask(url, echo(), opened)).body).toEqual(JsonRpc.success(1, { text: "hi" }))
      }
      expect([ids.size, host.begun()]).toEqual([20, 20])
      const refused = yield* ask(url, JsonRpc.request(1, "initialize", {}))
      expect("mcp-session-id" in refused.headers).toBe(false)
      expect([host.begun(), host.ended()]).toEqual([21, 1])
    })
  )

  it.live("HTTP-03 unknown, missing, doubled and ended ids have the same status in every method", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const opened = yield* session(url)
      const id = opened["mcp-session-id"]
      const note = JsonRpc.notification("notifications/initialized")
      const statuses = (headers: Parameters<typeof get>[1]) =>
        Effect.scoped(
          Effect.gen(function* () {
            const answers = [
              yield* post(url, echo(), headers),
              yield* post(url, note, headers),
              yield* post(url, JsonRpc.success(1, {}), headers),
              yield* get(url, headers),
              yield* remove(url, headers)
            ]
            for (const { headers } of answers) expect(headers["content-type"]).toBe("application/json")
            return answers.map(({ status }) => status)
          })
        )
      const all = (status: number) => Array.from({ length: 5 }, () => status)
      expect(yield* statuses({ "mcp-session-id": "unknown" })).toEqual(all(404))
      expect(yield* statuses({ "mcp-session-id": "__proto__" })).toEqual(all(404))
      expect(yield* statuses({})).toEqual(all(400))
      expect(yield* statuses({ "mcp-session-id": [id, id] })).toEqual(all(400))
      expect(yield* statuses({ "mcp-session-id": `${id}, ${id}` })).toEqual(all(400))
      expect((yield* remove(url, opened)).status).toBe(204)
      expect(yield* statuses(opened)).toEqual(all(404))
      const again = yield* ask(url, initialize(), opened)
      expect(again.status).toBe(200)
      expect(again.headers["mcp-session-id"]).not.toBe(id)
    })
  )

  it.live("HTTP-18 S-30 belongs to who opened it, in every method", () =>
    Effect.gen(function* () {
      const owner = (request: { header: (name: string) => string | undefined }) =>
        Effect.succeed(request.header("authorization"))
      const host = yield* Host.make
      const url = yield* served(host, { sessions: { owner } })
      const mine = yield* session(url, "2025-11-25", { authorization: "Bearer a" })
      const stream = yield* get(url, mine)
      for (const authorization of ["Bearer b", undefined]) {
        const theirs = { ...mine, authorization }
        for (const answer of [
          yield* post(url, echo(), theirs),
          yield* post(url, JsonRpc.notification("note", { text: "x" }), theirs),
          yield* post(url, JsonRpc.success(1, {}), theirs),
          yield* get(url, theirs),
          yield* remove(url, theirs)
        ]) {
          expect(answer.status).toBe(403)
        }
      }
      yield* ask(url, JsonRpc.request(3, "announce", { text: "news" }), mine)
      expect(JSON.parse((yield* stream.event)?.data ?? "").params.text).toBe("news")
      expect((yield* ask(url, echo(), mine)).status).toBe(200)
    })
  )

  it.live("S-30 can be refused to any request but initialize", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const admit = (
        request: { method: string; header: (name: string) => string | undefined },
        { id }: { id: string }
      ) =>
        Effect.sync(() => {
          seen.push(`${request.method} ${id}`)
          return request.header("x-key") === "k"
        })
      const url = yield* served(yield* Host.make, { sessions: { admit } })
      const opened = yield* session(url)
      expect((yield* ask(url, echo(), opened)).status).toBe(403)
      expect((yield* ask(url, echo(), { ...opened, "x-key": "k" })).status).toBe(200)
      expect(seen).toEqual([`POST ${opened["mcp-session-id"]}`, `POST ${opened["mcp-session-id"]}`])
    })
  )

  it.live("S-31 is closed to another web origin than the one that opened it", () =>
    Effect.gen(function* () {
      const [a, b] = ["https://a.example.com", "https://b.example.com"]
      const url = yield* served(yield* Host.make, { guard: { hosts: ["127.0.0.1"], origins: [a, b] } })
      const opened = yield* session(url, "2025-11-25", { origin: a })
      const bare = { "mcp-session-id": opened["mcp-session-id"] }
      expect((yield* ask(url, echo(), opened)).status).toBe(200)
      expect((yield* ask(url, echo(), { ...opened, origin: b })).status).toBe(403)
      expect((yield* ask(url, echo(), bare)).status).toBe(200)
      const plain = yield* session(url)
      expect((yield* ask(url, echo(), { ...plain, origin: b })).status).toBe(200)
    })
  )

  it.live("holds its client to a version that is known, where the revision has the header", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      for (const [version, header, status] of [
        ["2025-11-25", undefined, 200],
        ["2025-11-25", "2025-11-25", 200],
        ["2025-11-25", "2025-06-18", 200],
        ["2025-11-25", "1999-01-01", 400],
        ["2025-06-18", "", 400],
        ["2025-11-25", "2026-07-28", 200],
        ["2025-03-26", "1999-01-01", 200]
      ] as const) {
        const headers = { ...(yield* session(url, version)), "mcp-protocol-version": header }
        expect([version, header, (yield* ask(url, echo(), headers)).status]).toEqual([version, header, status])
        if (status === 400) {
          expect((yield* get(url, headers)).status).toBe(400)
          expect((yield* remove(url, headers)).status).toBe(400)
        }
      }
    })
  )

  it.live("S-38 an id that is in flight is refused with 409, in its own session alone", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const [one, two] = [yield* session(url), yield* session(url)]
      const waiting = yield* post(url, JsonRpc.request(1, "pause"), one)
      yield* waiting.event
      const again = yield* ask(url, echo(1), one)
      expect([again.status, "id" in again.body]).toEqual([409, false])
      expect((yield* ask(url, echo("1" as unknown as number), one)).status).toBe(200)
      expect((yield* ask(url, echo(1), two)).status).toBe(200)
      expect((yield* ask(url, ...modern(1, "echo"))).status).toBe(200)
      yield* ask(url, JsonRpc.request(2, "release"), one)
      expect(JSON.parse((yield* waiting.event)?.data ?? "")).toEqual(JsonRpc.success(1, { id: 1 }))
      expect((yield* ask(url, echo(1), one)).status).toBe(200)
    })
  )

  it.live("HTTP-29 goes on with a request whose client has left, until it is cancelled", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const opened = yield* session(url)
      const left = yield* post(url, JsonRpc.request(1, "linger"), opened)
      yield* left.event
      yield* left.leave
      const kept = yield* post(url, JsonRpc.request(2, "linger"), opened)
      yield* kept.event
      // it is still in flight
      expect((yield* ask(url, echo(1), opened)).status).toBe(409)
      for (const requestId of [1, 2]) {
        yield* ask(url, JsonRpc.notification("notifications/cancelled", { requestId }), opened)
      }
      expect((yield* ask(url, JsonRpc.request(3, "abandoned"), opened)).status).toBe(200)
      // a cancelled request gets no response, but its stream ends
      expect(yield* kept.text).toBe("")
    })
  )

  it.live("S-20 in JSON mode answers with one text, without what was said before it", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, { json: true })
      const opened = yield* session(url)
      const { body, headers } = yield* ask(url, JsonRpc.request(1, "report", { n: 3 }), opened)
      expect([headers["content-type"], body]).toEqual(["application/json", JsonRpc.success(1, { id: 1 })])
      const stream = yield* get(url, opened)
      yield* ask(url, JsonRpc.request(2, "announce", { text: "news" }), opened)
      expect((yield* stream.event)?.data).toContain("news")
    })
  )
})

describe("the number of sessions, and their time", () => {
  it.effect("S-22 S-24 S-25 idle sessions end after 30 minutes; only requests and streams count as use", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const send = yield* local(host, {})
      const { id } = yield* send(initialize())
      const headers = { "mcp-session-id": id }
      yield* TestClock.adjust("29 minutes")
      expect((yield* send(echo(), headers)).status).toBe(200)
      yield* TestClock.adjust("29 minutes")
      expect((yield* send(JsonRpc.notification("note"), headers)).status).toBe(202)
      expect((yield* send(JsonRpc.success(1, {}), headers)).status).toBe(202)
      expect(host.ended()).toBe(0)
      yield* TestClock.adjust("2 minutes")
      expect(host.ended()).toBe(1)
      expect((yield* send(echo(), headers)).status).toBe(404)

      const open = yield* send(initialize())
      const stream = yield* send(undefined, { "mcp-session-id": open.id }, "GET")
      yield* TestClock.adjust("3 hours")
      expect((yield* send(echo(), { "mcp-session-id": open.id })).status).toBe(200)
      yield* Effect.promise(async () => stream.response.body?.cancel())
      yield* TestClock.adjust("31 minutes")
      expect(host.ended()).toBe(2)
    })
  )

  it.effect("S-23 S-26 at the cap the idle ones go, then 503: no session that lives is ever ended for another", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const send = yield* local(host, { sessions: { most: 2, idleMs: 90_000, reaperMs: 3_600_000 } })
      const one = yield* send(initialize())
      const two = yield* send(initialize())
      expect((yield* send(initialize())).status).toBe(503)
      expect((yield* send(...(modern(1, "echo") as [JsonRpc.Request, Record<string, string>]))).status).toBe(200)
      yield* TestClock.adjust("80 seconds")
      expect((yield* send(echo(), { "mcp-session-id": two.id })).status).toBe(200)
      yield* TestClock.adjust("10 seconds")
      expect((yield* send(initialize())).status).toBe(200)
      expect((yield* send(echo(), { "mcp-session-id": one.id })).status).toBe(404)
      expect((yield* send(echo(), { "mcp-session-id": two.id })).status).toBe(200)
      expect((yield* send(initialize())).status).toBe(503)
    })
  )

  it.effect("S-22 S-23 both bounds can be given up, and none can be out of range", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const send = yield* local(host, { sessions: { most: Infinity, idleMs: Infinity } })
      const { id } = yield* send(initialize())
      yield* TestClock.adjust("400 days")
      expect((yield* send(echo(), { "mcp-session-id": id })).status).toBe(200)
      const wrong = [{ most: 0 }, { idleMs: 0 }, { idleMs: -1 }, { reaperMs: NaN }, { retryMs: 0.5 }, { retryMs: -1 }]
      for (const sessions of wrong) {
        const exit = yield* Effect.exit(HttpServer.make(host, { sessions }))
        expect(Exit.isFailure(exit)).toBe(true)
      }
    })
  )

  it.effect("500 sessions opened and dropped leave nothing behind", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const scope = yield* Scope.make()
      const send = yield* Scope.provide(local(host, {}), scope)
      for (let i = 0; i < 500; i++) {
        const { id } = yield* send(initialize())
        const headers = { "mcp-session-id": id }
        yield* send(echo(), headers)
        const stream = yield* send(undefined, headers, "GET")
        if (i % 2 === 0) yield* send(undefined, headers, "DELETE")
        else yield* Effect.promise(async () => stream.response.body?.cancel())
      }
      expect([host.begun(), host.ended()]).toEqual([500, 250])
      yield* TestClock.adjust("31 minutes")
      expect(host.ended()).toBe(500)
      // once nothing is left there is no timer either: time may pass without anybody waiting for it
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Fiber.join(closing)
      expect((yield* send(initialize())).status).toBe(503)
    })
  )
})
