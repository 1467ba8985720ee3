import { Client, Tools } from "@effective-mcp/client"
import { Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type ServeOptions, serve } from "../../src/server/index.ts"
import { reach } from "../support/asking.ts"
import { event, result, scripted, usual } from "../support/scripted.ts"

const info = { name: "client of the tests", version: "1" }
const options = { recover: { uptime: 1 } } as const

const speaking = usual((seen, reply, stream) => {
  if (seen.method !== "POST") return false
  reply.whole(202)
  const { id, method, params } = seen.body
  if (method === "initialize") {
    const { protocolVersion } = params
    const said = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "scripted", version: "1" } }
    stream.write(event(result(id, said)))
  } else if (method === "tools/list") stream.write(event(result(id, { tools: [] })))
  return true
})

/** A server of one tool, which can be taken away and put back where it was. */
const fragile = Effect.gen(function* () {
  let calls = 0
  const begun = yield* Deferred.make<void>()
  const wait = Tool.make("wait", {
    run: () => {
      calls++
      return Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
    }
  })
  const server = Server.make({ name: "s", version: "1" }, [wait])
  const start = (options: ServeOptions = {}) =>
    Effect.gen(function* () {
      const life = yield* Scope.fork(yield* Effect.scope)
      const { port, url } = yield* Scope.provide(serve(server, { ...options, drainMs: 1 }), life)
      return { port, url, stop: Scope.close(life, Exit.void) }
    })
  return { start, begun: Deferred.await(begun), calls: () => calls }
})

describe("Our client over HTTP+SSE", () => {
  it.live("begins with the handshake: nobody is asked for an era that the wire has not", () =>
    Effect.gen(function* () {
      const server = yield* scripted(speaking)
      const client = yield* Client.connect(reach(server.url), info)
      expect(client.revision).toBe("2025-11-25")
      yield* Stream.runCollect(Tools.all(client))
      expect(server.posts().map(({ body }) => body.method)).toEqual([
        "initialize",
        "notifications/initialized",
        "tools/list"
      ])
      const error = yield* Effect.flip(Client.connect(reach(server.url), info, { era: "modern" }))
      const asked = yield* Effect.flip(Client.discover(reach(server.url), info))
      expect([error._tag, asked._tag]).toEqual(["NoCommonRevision", "NoCommonRevision"])
      expect(server.posts()).toHaveLength(3)
    })
  )

  it.live("begins another session when the stream has gone, and never calls a tool twice", () =>
    Effect.gen(function* () {
      const { begun, calls, start } = yield* fragile
      const first = yield* start()
      const client = yield* Client.connect(reach(first.url), info, options)
      const call = yield* Effect.forkChild(Effect.flip(Tools.call(client, "wait")))
      yield* begun
      yield* first.stop
      const lost = yield* Fiber.join(call)
      expect(lost).toMatchObject({ _tag: "TransportError", outcome: "Unknown" })
      yield* start({ port: first.port })
      expect((yield* Stream.runCollect(Tools.all(client))).map(({ name }) => name)).toEqual(["wait"])
      expect(calls()).toBe(1)
    })
  )
})
