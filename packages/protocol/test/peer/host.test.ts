import { type Connection, type Handler, type Host, Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { cancelled, deaf, failure, frame, notification, request, script, success } from "../script.ts"

const modernMeta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }

/** Two servers in one: each says which it is, and the legacy one may ask. */
const makeHost = (notified: Array<string>, released: { count: number }): Host => {
  const handler = (era: string, client?: Connection): Handler => ({
    exchange: ({ id, method }) =>
      method === "ask" && client !== undefined
        ? Effect.map(Effect.orDie(client.exchange(request("q", "roots/list"), deaf)), (answer) => ({ ...answer, id }))
        : Effect.succeed(success(id, { era })),
    notify: ({ method }) => Effect.sync(() => void notified.push(`${era} ${method}`))
  })
  return {
    modern: handler("modern"),
    converse: () =>
      Effect.acquireRelease(
        Effect.succeed({ on: (client) => handler("legacy", client), snapshot: Effect.succeed({}) }),
        () => Effect.sync(() => released.count++)
      )
  }
}

describe("host", () => {
  it.effect("serves both eras on one pipe, message by message", () =>
    Effect.gen(function* () {
      const [notified, released] = [[] as Array<string>, { count: 0 }]
      const wire = yield* script
      const hosted = yield* Effect.forkScoped(Peer.host(wire.duplex, makeHost(notified, released)), {
        startImmediately: true
      })
      yield* wire.say(
        request(1, "tools/list", modernMeta),
        request(2, "initialize", {}),
        request(3, "tools/list"),
        request(4, "server/discover"),
        notification("notifications/initialized"),
        notification("notifications/x", modernMeta)
      )
      expect(wire.sent).toStrictEqual([
        success(1, { era: "modern" }),
        success(2, { era: "legacy" }),
        success(3, { era: "legacy" }),
        success(4, { era: "modern" })
      ])
      expect(notified).toStrictEqual(["legacy notifications/initialized", "modern notifications/x"])
      expect(released.count).toBe(0)
      yield* wire.end()
      expect(yield* Fiber.await(hosted)).toStrictEqual(Exit.void)
      expect(released.count).toBe(1)
    })
  )

  it.effect("reads no more than the bounds from a client that floods it and reads nothing, and lives on", () =>
    Effect.gen(function* () {
      const wire = yield* script
      wire.writing = () => Effect.never
      const [server, limits] = [makeHost([], { count: 0 }), { handlers: 2, queued: 2, unread: 8 }]
      const hosted = yield* Effect.forkScoped(Effect.exit(Peer.host(wire.duplex, server, limits)), {
        startImmediately: true
      })
      for (let id = 0; id < 32; id++) yield* wire.say(request(id, "tools/list"))
      expect(hosted.pollUnsafe()).toBe(undefined)
      expect(wire.sent).toStrictEqual([])
    })
  )

  it.effect("carries the questions of the legacy server, under ids of their own", () =>
    Effect.gen(function* () {
      const wire = yield* script
      yield* Effect.forkScoped(Peer.host(wire.duplex, makeHost([], { count: 0 })), { startImmediately: true })
      yield* wire.say(request("q", "ask"))
      expect(yield* wire.next).toStrictEqual(request("q", "roots/list"))
      yield* wire.say(success("q", { roots: [] }))
      expect(yield* wire.next).toStrictEqual(success("q", { roots: [] }))
    })
  )

  it.effect("withdraws its question when the request that it is about is abandoned", () =>
    Effect.gen(function* () {
      const wire = yield* script
      yield* Effect.forkScoped(Peer.host(wire.duplex, makeHost([], { count: 0 })), { startImmediately: true })
      yield* wire.say(request(1, "ask"))
      expect(yield* wire.next).toStrictEqual(request("q", "roots/list"))
      yield* wire.say(cancelled(1))
      expect(yield* wire.next).toStrictEqual(cancelled("q"))
      yield* wire.say(success("q", {}), request(2, "x"))
      expect(yield* wire.next).toStrictEqual(success(2, { era: "legacy" }))
    })
  )

  it.effect("owes an answer to what is no message", () =>
    Effect.gen(function* () {
      const wire = yield* script
      yield* Effect.forkScoped(Peer.host(wire.duplex, makeHost([], { count: 0 })), { startImmediately: true })
      yield* wire.say(frame("{oops"), frame(`{"jsonrpc":"2.0","id":4}`))
      expect(yield* wire.next).toStrictEqual(failure(undefined, { code: -32700, message: "Parse error" }))
      expect(yield* wire.next).toMatchObject({ id: 4, error: { code: -32600 } })
    })
  )
})
