import { JsonRpc } from "@effective-mcp/protocol"
import { Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { EventStore, HttpCall } from "../src/server/index.ts"
import * as Host from "./support/host.ts"
import { local } from "./support/local.ts"
import { type Answer, ask, get, initialize, post, send, served, session } from "./support/wire.ts"

const request = JsonRpc.request

/** The next message of a stream. */
const next = (answer: Answer) => Effect.map(answer.event, (event) => JSON.parse(event?.data ?? "null"))

describe("what a server says to the client of a session", () => {
  it.live("asks on the stream of the request that it is about, and hears the answer of another POST", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const [one, two] = [yield* session(url), yield* session(url)]
      const [a, b] = [
        yield* post(url, request(1, "ask", { n: 1 }), one),
        yield* post(url, request(1, "ask", { n: 2 }), two)
      ]
      expect(yield* next(a)).toEqual(request(1, "question", { n: 1 }))
      expect(yield* next(b)).toEqual(request(1, "question", { n: 2 }))
      const accepted = yield* ask(url, JsonRpc.success(1, { from: "two" }), two)
      expect([accepted.status, accepted.body]).toEqual([202, undefined])
      expect(yield* next(b)).toEqual(JsonRpc.success(1, { from: "two" }))
      yield* ask(url, JsonRpc.success("1", { from: "nobody" }), one)
      yield* ask(url, JsonRpc.success(1, { from: "one" }), one)
      expect(yield* next(a)).toEqual(JsonRpc.success(1, { from: "one" }))
      // nobody waits for these
      expect((yield* ask(url, JsonRpc.success(1, {}), one)).status).toBe(202)
      expect((yield* ask(url, { jsonrpc: "2.0", error: { code: 1, message: "x" } }, one)).status).toBe(202)
    })
  )

  it.live("S-18 S-20 cannot ask where no answer would reach it: the handler hears so at once", () =>
    Effect.gen(function* () {
      const json = yield* served(yield* Host.make, { json: true })
      const opened = yield* session(json)
      expect((yield* ask(json, request(1, "ask"), opened)).body.error.code).toBe(-32603)
      const stream = yield* get(json, opened)
      const asking = yield* Effect.forkChild(ask(json, request(2, "ask"), opened))
      expect(yield* next(stream)).toEqual(request(2, "question"))
      yield* ask(json, JsonRpc.success(2, { ok: true }), opened)
      expect((yield* Fiber.join(asking)).body).toEqual(JsonRpc.success(2, { ok: true }))
    })
  )

  it.live("HTTP-18 each message outside any exchange goes out on exactly one stream, the newest", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make)
      const opened = yield* session(url)
      const announce = (text: string) => ask(url, request(text, "announce", { text }), opened)
      yield* announce("before")
      const one = yield* get(url, opened)
      expect((yield* next(one)).params.text).toBe("before")
      const two = yield* get(url, opened)
      yield* announce("both open")
      expect((yield* next(two)).params.text).toBe("both open")
      yield* two.leave
      // until the server has seen that it is gone it may still be chosen
      const seen: Array<string> = []
      yield* Effect.raceFirst(
        Effect.forever(Effect.andThen(announce("one again"), Effect.sleep(5))),
        Effect.map(next(one), (said) => void seen.push(said.params.text))
      )
      expect(seen).toEqual(["one again"])
    })
  )

  it.live("S-29 ending a session ends its streams and what it runs", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const url = yield* served(host)
      const opened = yield* session(url)
      const [stream, running] = [yield* get(url, opened), yield* post(url, request(1, "linger"), opened)]
      yield* running.event
      expect((yield* send(url, { method: "DELETE", headers: opened })).status).toBe(204)
      expect([yield* stream.event, yield* running.event]).toEqual([undefined, undefined])
      expect(host.ended()).toBe(1)
    })
  )
})

describe("a stream that is lost", () => {
  const events = () => ({ sessions: { events: EventStore.memory(), retryMs: 250 } })

  it.live("HTTP-17 HTTP-29 goes on where it was, on a GET with its last id, and says nothing of other streams", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, events())
      const opened = yield* session(url)
      const [a, b] = [yield* post(url, request("a", "pause"), opened), yield* post(url, request("b", "pause"), opened)]
      const [primingA, primingB] = [yield* a.event, yield* b.event]
      expect(primingA).toMatchObject({ data: "", retry: "250" })
      const [saidA, saidB] = [yield* a.event, yield* b.event]
      const ids = [primingA?.id, primingB?.id, saidA?.id, saidB?.id]
      expect(new Set(ids).size).toBe(4)
      yield* a.leave
      yield* ask(url, request("c", "release"), opened)
      // the rest of a, from its beginning and from its middle
      for (const [last, rest] of [
        [primingA?.id, [saidA?.data, JSON.stringify(JsonRpc.success("a", { id: "a" }))]],
        [saidA?.id, [JSON.stringify(JsonRpc.success("a", { id: "a" }))]]
      ] as const) {
        const resumed = yield* get(url, { ...opened, "last-event-id": last })
        expect(resumed.status).toBe(200)
        for (const data of rest) expect((yield* resumed.event)?.data).toBe(data)
        expect(yield* resumed.event).toBe(undefined)
      }
      expect(yield* next(b)).toEqual(JsonRpc.success("b", { id: "b" }))
    })
  )

  it.live("HTTP-17 an id that is not known here is 400, whoever it belongs to", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, events())
      const [one, two] = [yield* session(url), yield* session(url)]
      const stream = yield* post(url, request(1, "pause"), one)
      const id = (yield* stream.event)?.id ?? ""
      for (const [headers, last] of [
        [two, id],
        [one, id.replace(/\d+$/, "99")],
        [one, id.replace(/-\d+\./, "-99.")],
        [one, "1"],
        [one, "__proto__"],
        [one, "x".repeat(5_000)]
      ] as const) {
        const { status, text } = yield* get(url, { ...headers, "last-event-id": last })
        expect([last, status]).toEqual([last, 400])
        expect(JSON.parse(yield* text).error.code).toBe(-32600)
      }
      expect((yield* stream.event)?.data).toContain("progress")
      yield* ask(url, request(2, "release"), one)
    })
  )

  it.live("HTTP-18 a connection that comes back takes over: the one before ends, and nothing is said twice", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, events())
      const opened = yield* session(url)
      const first = yield* post(url, request(1, "pause"), opened)
      const id = (yield* first.event)?.id
      yield* first.event
      const second = yield* get(url, { ...opened, "last-event-id": id })
      expect((yield* second.event)?.data).toContain("progress")
      expect(yield* first.event).toBe(undefined)
      yield* ask(url, request(2, "release"), opened)
      expect(yield* next(second)).toEqual(JsonRpc.success(1, { id: 1 }))
      expect(yield* second.event).toBe(undefined)
    })
  )

  it.live("HTTP-18 a connection that comes back takes over from one that stopped reading what it had missed", () =>
    Effect.gen(function* () {
      const [left, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const much = Tool.make("much", {
        description: "Says much, and waits",
        input: {},
        run: Effect.fnUntraced(function* () {
          const call = yield* Call
          yield* call.progress(0)
          yield* Deferred.await(left)
          for (let n = 1; n <= 60; n++) yield* call.progress(n)
          yield* Deferred.await(go)
          return "done"
        })
      })
      const server = Server.make({ name: "s", version: "1" }, [much])
      const send = yield* local(server, events())
      const { id } = yield* send(initialize())
      const session = { "mcp-session-id": id }
      const params = { name: "much", arguments: {}, _meta: { progressToken: "p" } }
      const first = yield* send(request(1, "tools/call", params), session)
      const reader = first.response.body!.pipeThrough(new TextDecoderStream()).getReader()
      const priming = /id: (\S+)/.exec((yield* Effect.promise(() => reader.read())).value ?? "")?.[1] ?? ""
      yield* Effect.promise(() => reader.cancel())
      yield* Deferred.succeed(left, undefined)
      const again = send(undefined, { ...session, "last-event-id": priming }, "GET")
      // more than a connection takes that nobody reads
      const stuck = [yield* again, yield* again]
      const { response } = yield* again
      yield* Deferred.succeed(go, undefined)
      const text = yield* Effect.promise(() => response.text())
      expect([text.match(/"progress":/g)?.length, text.includes('"done"')]).toEqual([61, true])
      for (const { response } of stuck) expect(yield* Effect.promise(() => response.text())).not.toContain('"done"')
      // and nothing uses the session any more
      expect((yield* send(undefined, session, "DELETE")).status).toBe(204)
    })
  )

  it.live("a session ends although its client does not read what it had missed", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const send = yield* local(host, events())
      const { id } = yield* send(initialize())
      const session = { "mcp-session-id": id }
      const stream = (yield* send(undefined, session, "GET")).response
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
      const priming = /id: (\S+)/.exec((yield* Effect.promise(() => reader.read())).value ?? "")?.[1] ?? ""
      yield* Effect.promise(() => reader.cancel())
      const text = "x".repeat(4_096)
      for (let n = 0; n < 60; n++) yield* send(request(n, "announce", { text }), session)
      const missed = (yield* send(undefined, { ...session, "last-event-id": priming }, "GET")).response
      yield* send(undefined, session, "DELETE")
      expect(host.ended()).toBe(1)
      expect((yield* Effect.promise(() => missed.text())).match(/id: /g)?.length).toBeLessThan(60)
    })
  )

  it.live("standalone streams can be resumed, too", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, events())
      const opened = yield* session(url)
      const stream = yield* get(url, opened)
      const id = (yield* stream.event)?.id
      yield* ask(url, request(1, "announce", { text: "one" }), opened)
      yield* stream.event
      yield* stream.leave
      yield* ask(url, request(2, "announce", { text: "two" }), opened)
      const again = yield* get(url, { ...opened, "last-event-id": id })
      expect([(yield* next(again)).params.text, (yield* next(again)).params.text]).toEqual(["one", "two"])
    })
  )

  it.live("S-29 a session can be ended although its client does not read", () =>
    Effect.gen(function* () {
      for (const options of [events(), {}]) {
        const host = yield* Host.make
        const url = yield* served(host, options)
        const opened = yield* session(url)
        yield* get(url, opened)
        let said = 0
        const text = "x".repeat(64 * 1024)
        const announce = Effect.suspend(() => {
          said++
          return host.client()?.send(JsonRpc.notification("notifications/announcement", { text })) ?? Effect.void
        })
        yield* Effect.forkChild(Effect.ignore(Effect.forever(announce)))
        let before = -1
        while (before !== said) {
          before = said
          yield* Effect.sleep(50)
        }
        expect((yield* send(url, { method: "DELETE", headers: opened })).status).toBe(204)
        expect(host.ended()).toBe(1)
      }
    })
  )

  it.live("ids of a stream grow", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, events())
      const opened = yield* session(url)
      const stream = yield* post(url, request(1, "report", { n: 20 }), opened)
      const ids: Array<number> = []
      for (let event = yield* stream.event; event !== undefined; event = yield* stream.event) {
        ids.push(Number(event.id?.split(".")[1]))
      }
      expect(ids).toEqual(Array.from({ length: 22 }, (_, n) => n + 1))
    })
  )

  it.live("older revisions get ids, and neither a priming event nor an early end", () =>
    Effect.gen(function* () {
      const url = yield* served(yield* Host.make, events())
      const opened = yield* session(url, "2025-06-18")
      const stream = yield* post(url, request(1, "pause"), opened)
      const first = yield* stream.event
      expect([first?.data?.includes("progress"), first?.retry]).toEqual([true, undefined])
      yield* stream.leave
      yield* ask(url, request(2, "release"), opened)
      const again = yield* get(url, { ...opened, "last-event-id": first?.id })
      expect(yield* next(again)).toEqual(JsonRpc.success(1, { id: 1 }))
    })
  )

  it.live("a handler can close its connection and go on: its client polls for the answer", () =>
    Effect.gen(function* () {
      const [go, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const patient = Tool.make("patient", {
        description: "Closes its stream and goes on",
        input: {},
        run: () =>
          Effect.gen(function* () {
            yield* (yield* HttpCall).closeStream
            yield* Deferred.succeed(closed, undefined)
            yield* Deferred.await(go)
            return "done"
          })
      })
      const server = Server.make({ name: "s", version: "1" }, [patient])
      for (const options of [events(), {}]) {
        const url = yield* served(server, options)
        const opened = yield* session(url)
        const answering = yield* Effect.forkChild(post(url, request(1, "tools/call", { name: "patient" }), opened))
        yield* Deferred.await(closed)
        if ("sessions" in options) {
          const answer = yield* Fiber.join(answering)
          const priming = yield* answer.event
          expect(yield* answer.event).toBe(undefined)
          const again = yield* get(url, { ...opened, "last-event-id": priming?.id })
          yield* Deferred.succeed(go, undefined)
          expect((yield* next(again)).result.content[0].text).toBe("done")
        } else {
          // without a store it stays open
          const { text } = yield* Fiber.join(answering)
          expect(JSON.parse(yield* text).result.content[0].text).toBe("done")
        }
      }
    })
  )
})
