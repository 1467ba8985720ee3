import { JsonRpc } from "@effective-mcp/protocol"
import { Call, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { EventStore, HttpServer, toFetch } from "../src/server/index.ts"
import { local } from "./support/local.ts"
import { initialize, modern } from "./support/wire.ts"

/** Lets what is up to promises happen, without taking any of the clock's time. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** How often a flood speaks, and about how long it is each time. */
const [TIMES, LENGTH] = [50, 16 * 1024]

/** A server with a tool that says more than a connection takes which nobody reads; how far it has come, and how it ended. */
const makeFlood = Effect.map(Deferred.make<"done" | "interrupted">(), (ended) => {
  const said = { parts: 0 }
  const flood = Tool.make("flood", {
    run: () =>
      Effect.gen(function* () {
        const { progress } = yield* Call
        while (said.parts < TIMES) yield* progress(++said.parts, undefined, "x".repeat(LENGTH))
        yield* Deferred.succeed(ended, "done" as const)
        return "done"
      }).pipe(Effect.onInterrupt(() => Deferred.succeed(ended, "interrupted" as const)))
  })
  return {
    server: Server.make({ name: "s", version: "1" }, [flood]),
    said,
    ended: Deferred.await(ended),
    isOver: () => Deferred.isDoneUnsafe(ended)
  }
})

const params = { name: "flood", arguments: {}, _meta: { progressToken: "p" } }
const request = JsonRpc.request(1, "tools/call", params)

/** What is left of a stream; undefined where it comes to no good end. */
const rest = ({ response }: { readonly response: Response }) =>
  Effect.promise(() => response.text().catch(() => undefined))

/** A stream of a legacy session that began to be read, and what its client comes back with. */
const resumable = Effect.fnUntraced(function* (server: Server.Server) {
  const send = yield* local(server, { sessions: { events: EventStore.memory() } })
  const session = { "mcp-session-id": (yield* send(initialize())).id }
  const { response } = yield* send(request, session)
  const reader = response.body!.getReader()
  const first = new TextDecoder().decode((yield* Effect.promise(() => reader.read())).value)
  return { send, reader, back: { ...session, "last-event-id": /id: (\S+)/.exec(first)?.[1] ?? "" } }
})

/** The headers of a call as `local` takes them. */
const plain = ([message, headers]: ReturnType<typeof modern>) =>
  [message, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))] as const

describe("a reader over Streamable HTTP that takes nothing", () => {
  it.effect(
    "is let go after one to two minutes, whatever is said to keep the stream alive: its handler is interrupted",
    () =>
      Effect.gen(function* () {
        const { ended, isOver, said, server } = yield* makeFlood
        const send = yield* local(server, { keepAliveMs: 1_000 })
        const answer = yield* send(...plain(modern(1, "tools/call", params)))
        yield* turn
        const before = said.parts
        yield* TestClock.adjust("60 seconds")
        yield* turn
        expect([isOver(), said.parts]).toEqual([false, before])
        yield* TestClock.adjust("60 seconds")
        expect([yield* ended, said.parts]).toEqual(["interrupted", before])
        expect(yield* rest(answer)).toBe(undefined)
      })
  )

  it.effect("has as long as stallMs says", () =>
    Effect.gen(function* () {
      for (const [stallMs, waits] of [
        [2_000, false],
        [Infinity, true]
      ] as const) {
        const { isOver, server } = yield* makeFlood
        const send = yield* local(server, { stallMs })
        const answer = yield* send(...plain(modern(1, "tools/call", params)))
        yield* turn
        yield* TestClock.adjust(waits ? "10 minutes" : "2 seconds")
        yield* turn
        expect(isOver()).toBe(!waits)
        if (waits) expect(yield* rest(answer)).toContain("done")
      }
      const wrong = HttpServer.make((yield* makeFlood).server, { stallMs: 0 })
      expect(yield* Effect.exit(Effect.suspend(() => wrong))).toMatchObject({ _tag: "Failure" })
    })
  )

  it.effect("loses a listen stream, which makes room for another", () =>
    Effect.gen(function* () {
      const host = {
        modern: {
          notify: () => Effect.void,
          exchange: (_request: JsonRpc.Request, say: (said: JsonRpc.Notification) => Effect.Effect<void>) =>
            Effect.forever(say(JsonRpc.notification("notifications/message", { data: "x".repeat(LENGTH) })))
        },
        converse: () => Effect.never
      }
      const send = yield* local(host, { listens: 1 })
      const listen = plain(modern(1, "subscriptions/listen", { notifications: {} }))
      const open = yield* send(...listen)
      expect(open.status).toBe(200)
      expect((yield* send(...listen)).status).toBe(503)
      yield* turn
      yield* TestClock.adjust("60 seconds")
      yield* turn
      yield* TestClock.adjust("60 seconds")
      yield* turn
      expect((yield* send(...listen)).status).toBe(200)
    })
  )

  it.effect("of a legacy session is no cancel: the handler goes on, and nobody hears it", () =>
    Effect.gen(function* () {
      const { ended, said, server } = yield* makeFlood
      const send = yield* local(server)
      const session = { "mcp-session-id": (yield* send(initialize())).id }
      const answer = yield* send(request, session)
      yield* turn
      expect(said.parts).toBeLessThan(TIMES)
      yield* TestClock.adjust("120 seconds")
      expect([yield* ended, said.parts]).toEqual(["done", TIMES])
      expect(yield* rest(answer)).toBe(undefined)
      expect((yield* send(JsonRpc.request(2, "ping"), session)).status).toBe(200)
    })
  )

  it.effect("of a legacy session hears the rest where events are kept, once it comes back", () =>
    Effect.gen(function* () {
      const { ended, server } = yield* makeFlood
      const { back, send } = yield* resumable(server)
      yield* turn
      yield* TestClock.adjust("120 seconds")
      expect(yield* ended).toBe("done")
      const again = yield* send(undefined, back, "GET")
      const text = (yield* rest(again)) ?? ""
      expect([text.match(/"progress":/g)?.length, text.includes('"done"')]).toEqual([TIMES, true])
    })
  )

  it.effect("of what it had missed is let go as well, and may come back again", () =>
    Effect.gen(function* () {
      const { ended, server } = yield* makeFlood
      const { back, reader, send } = yield* resumable(server)
      yield* Effect.promise(() => reader.cancel())
      yield* ended
      const stuck = yield* send(undefined, back, "GET")
      yield* TestClock.adjust("120 seconds")
      yield* turn
      expect(yield* rest(stuck)).toBe(undefined)
      expect(yield* rest(yield* send(undefined, back, "GET"))).toContain('"done"')
    })
  )

  it.effect("holds nothing up where nothing waits for it: a silent stream stays open", () =>
    Effect.gen(function* () {
      const { server } = yield* makeFlood
      const fetch = toFetch(yield* HttpServer.make(server))
      const post = (message: unknown, headers: Record<string, string> = {}) =>
        Effect.promise(() =>
          fetch(
            new Request("http://localhost/", {
              method: "POST",
              headers: { accept: "*/*", "content-type": "application/json", ...headers },
              body: JSON.stringify(message)
            })
          )
        )
      const id = (yield* post(initialize())).headers.get("mcp-session-id") ?? ""
      const stream = yield* Effect.promise(() =>
        fetch(new Request("http://localhost/", { headers: { accept: "text/event-stream", "mcp-session-id": id } }))
      )
      yield* TestClock.adjust("10 minutes")
      yield* turn
      const reader = stream.body!.getReader()
      expect(new TextDecoder().decode((yield* Effect.promise(() => reader.read())).value)).toBe(":\n\n")
    })
  )
})
