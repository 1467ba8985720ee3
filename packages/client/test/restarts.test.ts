import { Client, Subscriptions, Tools } from "@effective-mcp/client"
import type { Host } from "@effective-mcp/protocol"
import { Changes, Resource, Server, Tool } from "@effective-mcp/server"
import { connect } from "@effective-mcp/transport-http/client"
import { serve } from "@effective-mcp/transport-http/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Pull from "effect/Pull"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { begin, info } from "./scripted.ts"

const identity = { name: "counter", version: "1.0.0" }

/** A server over HTTP that can be taken away, and begins again at the same address. */
const restartable = Effect.fnUntraced(function* (host: Host) {
  let port = 0
  let url = ""
  let life: Scope.Closeable | undefined
  const stop = Effect.suspend(() => (life === undefined ? Effect.void : Scope.close(life, Exit.void)))
  const start = Effect.gen(function* () {
    life = yield* Scope.make()
    const served = yield* Scope.provide(serve(host, { port, drainMs: 10 }), life)
    port = served.port
    url = served.url
  })
  yield* start
  yield* Effect.addFinalizer(() => stop)
  return { restart: Effect.andThen(stop, start), url: () => url }
})

const restarts = 50
const clients = 20

describe("a server over HTTP that is restarted 50 times under 20 clients", () => {
  it.live(
    "FEA-04 has each begin a session once a restart, runs no call twice, and each call settles",
    () =>
      Effect.gen(function* () {
        const ran = new Map<string, number>()
        const inc = Tool.make("inc", {
          input: { key: Schema.String, hangs: Schema.Boolean },
          run: ({ hangs, key }) =>
            Effect.suspend(() => {
              ran.set(key, (ran.get(key) ?? 0) + 1)
              return hangs ? Effect.never : Effect.succeed("done")
            })
        })
        const server = Server.make(identity, [inc])
        let sessions = 0
        const counted: Host = {
          ...server,
          converse: (...from) => {
            sessions++
            return server.converse(...from)
          }
        }
        const { restart, url } = yield* restartable(counted)
        const all = yield* Effect.forEach(Array.from({ length: clients }), () =>
          Client.connect(connect(url()), info, { era: "legacy" })
        )
        expect(sessions).toBe(clients)
        const settled: Array<string> = []
        const settle = (
          kind: string,
          use: Effect.Effect<unknown, { readonly _tag: string; readonly outcome: string }>
        ) =>
          Effect.matchEffect(use, {
            onFailure: ({ _tag, outcome }) => Effect.sync(() => void settled.push(`${kind} ${_tag} ${outcome}`)),
            onSuccess: () => Effect.sync(() => void settled.push(`${kind} done`))
          })
        for (let n = 1; n <= restarts; n++) {
          const open = yield* Effect.forEach(all, (client, at) =>
            begin(settle("open", Tools.call(client, "inc", { key: `${n} ${at}`, hangs: true })))
          )
          while (ran.size < n * 2 * clients - clients) yield* Effect.sleep(1)
          yield* restart
          yield* Effect.forEach(open, Fiber.join)
          yield* Effect.forEach(
            all,
            (client, at) =>
              Effect.all(
                [
                  settle("list", Tools.list(client)),
                  settle("list", Tools.list(client)),
                  settle("call", Tools.call(client, "inc", { key: `${n} ${at} b`, hangs: false }))
                ],
                { concurrency: 3 }
              ),
            { concurrency: clients }
          )
          // a call may have been the first to find its session gone, and is not sent again
          yield* Effect.forEach(all, (client, at) =>
            ran.has(`${n} ${at} b`)
              ? Effect.void
              : settle("again", Tools.call(client, "inc", { key: `${n} ${at} b`, hangs: false }))
          )
          expect(sessions).toBe(clients * (n + 1))
        }
        expect(Math.max(...ran.values())).toBe(1)
        expect(ran.size).toBe(restarts * clients * 2)
        expect(settled.filter((end) => end === "list done").length).toBe(restarts * clients * 2)
        expect(settled.filter((end) => end.startsWith("open") && !end.endsWith("Unknown"))).toEqual([])
        expect(settled.filter((end) => end.startsWith("again") && !end.endsWith("done"))).toEqual([])
      }),
    120_000
  )
})

describe("a subscription over HTTP", () => {
  const wish = { resourceSubscriptions: ["a:1"] }
  const listening = { _tag: "Listening", granted: wish, refused: {} }
  const begun = Effect.fnUntraced(function* (era: "legacy" | "modern") {
    const changes = Changes.make()
    const server = Server.make(identity, [Resource.make("a:1", { read: Effect.succeed("") })], { changes })
    const served = yield* restartable(server)
    const client = yield* Client.connect(connect(served.url()), info, { era })
    const scope = yield* Effect.scope
    const listen = Effect.map(
      Stream.toPull(Stream.rechunk(Subscriptions.listen(client, wish), 1)).pipe(Scope.provide(scope)),
      (pull) => Effect.map(pull, ([change]) => change)
    )
    /** Says so until it is heard: a stream may be opened a little later than it is asked for. */
    const tell = Effect.forever(Effect.andThen(changes.publish(Changes.updated("a:1")), Effect.sleep(50)))
    return { ...served, listen, tell }
  })
  it.live("hears changes, before and after its server was restarted: legacy", () =>
    Effect.gen(function* () {
      const { listen, restart, tell } = yield* begun("legacy")
      const next = yield* listen
      expect(yield* next).toEqual(listening)
      expect(yield* Effect.raceFirst(next, tell)).toEqual({ _tag: "Updated", uri: "a:1" })
      yield* restart
      let told = yield* next
      while (told._tag === "Updated") told = yield* next
      expect(told).toEqual(listening)
      expect(yield* next).toEqual({ _tag: "Missed" })
      expect(yield* Effect.raceFirst(next, tell)).toEqual({ _tag: "Updated", uri: "a:1" })
    })
  )
  it.live("ends with a server that says so, and can be begun again: modern", () =>
    Effect.gen(function* () {
      const { listen, restart, tell } = yield* begun("modern")
      const next = yield* listen
      expect(yield* next).toEqual(listening)
      expect(yield* Effect.raceFirst(next, tell)).toEqual({ _tag: "Updated", uri: "a:1" })
      yield* restart
      const rest = yield* Effect.exit(Effect.forever(next))
      expect(Exit.isFailure(rest) && Pull.isDoneCause(rest.cause)).toBe(true)
      const again = yield* listen
      expect(yield* again).toEqual(listening)
      expect(yield* Effect.raceFirst(again, tell)).toEqual({ _tag: "Updated", uri: "a:1" })
    })
  )
})
