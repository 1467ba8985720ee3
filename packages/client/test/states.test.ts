import { type State, Tools } from "@effective-mcp/client"
import { TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { begin, connect, error, legacy, Log, modern, result, type Scripted, scripted, silence } from "./scripted.ts"

const tools = { "tools/list": result({ tools: [] }) }

/** The states of a client of a server, as their names, while they are told. */
const listening = Effect.fnUntraced(function* (server: Scripted) {
  const told: Array<State> = []
  const client = yield* connect(server, { era: "legacy", onState: (state) => void told.push(state) })
  return { client, told, names: () => told.map(({ _tag }) => _tag) }
})

describe("the states of a client", () => {
  it.effect("begin with its first attempt, and say what is spoken", () =>
    Effect.gen(function* () {
      const told: Array<State> = []
      yield* connect(scripted(modern()), { onState: (state) => void told.push(state) })
      expect(told).toEqual([{ _tag: "Connecting" }, { _tag: "Connected", era: "modern", revision: "2026-07-28" }])
    })
  )
  it.effect("tell at once of a server that leaves, and of the session in its place", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(tools))
      const { client, names, told } = yield* listening(server)
      yield* TestClock.adjust("10 seconds")
      server.run.die()
      yield* Effect.repeat(Effect.yieldNow, { until: () => names().includes("Lost") })
      expect(told.at(-1)).toMatchObject({ error: { _tag: "TransportError", reason: { _tag: "Closed" } } })
      yield* Tools.list(client)
      expect(names()).toEqual(["Connecting", "Connected", "Lost", "Connecting", "Connected"])
    })
  )
  it.effect("take no loss from what a program ends itself", () =>
    Effect.gen(function* () {
      const { client, names } = yield* listening(scripted(legacy()))
      yield* client.reconnect
      expect(names().splice(2)).toEqual(["Connecting", "Connected"])
      yield* client.close
      yield* client.close
      expect(names().slice(4)).toEqual(["Closed"])
      yield* client.connect
      yield* client.connect
      expect(names().slice(5)).toEqual(["Connecting", "Connected"])
    })
  )
  it.effect("end with the client's scope, once", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { names } = yield* Scope.provide(listening(scripted(legacy())), scope)
      yield* Scope.close(scope, Exit.void)
      expect(names()).toEqual(["Connecting", "Connected", "Closed"])
    })
  )
  it.effect("say why no session could be begun", () =>
    Effect.gen(function* () {
      const { client, told } = yield* listening(scripted(legacy(), { initialize: error(-32000) }))
      yield* Effect.flip(client.reconnect)
      expect(told.slice(2)).toEqual([{ _tag: "Connecting" }, { _tag: "Lost", error: expect.anything() }])
      expect(told.at(-1)).toMatchObject({ error: { _tag: "RpcError", code: -32000 } })
    })
  )
  it.effect("leave out an attempt that is given up", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), legacy({ initialize: silence }))
      const { client, names } = yield* listening(server)
      yield* begin(Effect.exit(client.reconnect))
      yield* Effect.repeat(Effect.yieldNow, { until: () => server.runs.length === 2 })
      yield* client.close
      expect(names()).toEqual(["Connecting", "Connected", "Connecting", "Closed"])
    })
  )
  it.effect("harm nobody where their listener fails", () =>
    Effect.gen(function* () {
      const log = new Log()
      const fails = () => {
        throw new TransportError({ reason: { _tag: "Closed" }, outcome: "Unknown" })
      }
      const client = yield* Effect.provide(connect(scripted(legacy(tools)), { onState: fails }), log.layer)
      yield* Tools.list(client)
      yield* log.until(2)
      expect(log.lines.every((line) => line.includes("onState failed"))).toBe(true)
    })
  )
})
