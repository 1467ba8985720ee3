import { Client, type Heard, Tools } from "@effective-mcp/client"
import { JsonRpc, type LogMessage, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { follow } from "../src/Hub.ts"
import { initialized, overHttp } from "./httpWire.ts"
import { begin, connect, info, legacy, modern, pass, scripted } from "./scripted.ts"

const said = (method: string, params?: JsonRpc.JsonObject) => JsonRpc.notification(`notifications/${method}`, params)

const everything = [
  said("tools/list_changed"),
  said("prompts/list_changed", { _meta: {} }),
  said("resources/list_changed"),
  said("resources/updated", { uri: "a:1" }),
  said("message", { level: "info", data: { n: 1 }, logger: "l" }),
  said("elicitation/complete", { elicitationId: "e" })
]

const heardOf: ReadonlyArray<Heard> = [
  { _tag: "ListChanged", list: "tools" },
  { _tag: "ListChanged", list: "prompts" },
  { _tag: "ListChanged", list: "resources" },
  { _tag: "Updated", uri: "a:1" },
  { _tag: "Logged", message: { level: "info", data: { n: 1 }, logger: "l" } },
  { _tag: "ElicitationCompleted", elicitationId: "e" }
]

/** Lets what was forked run. */
const turns = Effect.repeat(Effect.yieldNow, { times: 20 })

const logs = (heard: Heard): LogMessage | undefined => (heard._tag === "Logged" ? heard.message : undefined)

describe("what a server says outside requests", () => {
  it.effect("reaches all who listen, in order", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server, { era: "legacy" })
      const [one, two]: [Array<Heard>, Array<Heard>] = [[], []]
      client.hub.onHeard((heard) => one.push(heard))
      const stop = client.hub.listen((heard) => two.push(heard))
      server.run.say(...everything)
      yield* client.ping()
      yield* turns
      expect(one).toEqual(heardOf)
      expect(two).toEqual(heardOf)
      stop()
      server.run.say(said("tools/list_changed"))
      yield* client.ping()
      yield* turns
      expect([one.length, two.length]).toEqual([7, 6])
    })
  )
  it.effect("is let pass when its revision has no such thing, or it is not as that says", () =>
    Effect.gen(function* () {
      const server = scripted(legacy(), modern())
      const client = yield* connect(server, { era: "legacy" })
      const heard: Array<Heard> = []
      client.hub.onHeard((one) => heard.push(one))
      server.run.say(
        said("resources/updated"),
        said("resources/updated", { uri: 5 }),
        said("message", { level: "loud", data: 1 }),
        said("elicitation/complete", { elicitationId: {} }),
        said("__proto__"),
        said("of/tomorrow")
      )
      yield* client.ping()
      yield* turns
      expect(heard).toEqual([])
      const later = scripted(modern({ ping: () => {} }))
      const other = yield* connect(later)
      other.hub.onHeard((one) => heard.push(one))
      later.run.say(said("elicitation/complete", { elicitationId: "e" }), said("message", { level: "info", data: 1 }))
      yield* other.ping()
      yield* turns
      expect(heard).toEqual([{ _tag: "Logged", message: { level: "info", data: 1 } }])
    })
  )
  it.effect("is heard from one session to the next", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server, { era: "legacy" })
      const heard: Array<Heard> = []
      client.hub.onHeard((one) => heard.push(one))
      yield* client.reconnect
      server.run.say(said("tools/list_changed"))
      yield* client.ping()
      yield* turns
      expect(heard.length).toBe(1)
    })
  )
  it.effect("can be followed: a reader that is behind loses the oldest", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const client = yield* connect(server, { era: "legacy" })
      const scope = yield* Scope.make()
      const pull = yield* Stream.toPull(follow(client.hub, logs, 3)).pipe(Scope.provide(scope))
      const first = yield* begin(pull)
      const log = (data: number) => said("message", { level: "info", data })
      server.run.say(log(0))
      expect((yield* Fiber.join(first)).map(({ data }) => data)).toEqual([0])
      server.run.say(...[1, 2, 3, 4, 5].map(log))
      yield* client.ping()
      yield* turns
      expect((yield* pull).map(({ data }) => data)).toEqual([3, 4, 5])
      yield* Scope.close(scope, Exit.void)
    })
  )
  it.effect("ends, for those who follow it, with the client", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const client = yield* connect(scripted(legacy()), { era: "legacy" }).pipe(Scope.provide(scope))
      const reading = yield* begin(Stream.runCollect(follow(client.hub, logs)))
      yield* client.close
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(reading)).toEqual([])
      expect(yield* Stream.runCollect(follow(client.hub, logs))).toEqual([])
    })
  )
})

describe("the stream of a server's own, over legacy HTTP", () => {
  const script = { initialize: initialized, "tools/list": () => Effect.succeed({ tools: [] }) }
  const over = (wire: ReturnType<typeof overHttp>) => Client.connect(wire.transport, info, { era: "legacy" })
  it.effect("T-35 is not opened by itself", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      const client = yield* over(wire)
      client.hub.onHeard(() => {})
      yield* Tools.list(client)
      yield* turns
      expect(wire.streams.length).toBe(0)
    })
  )
  it.effect("T-35 is opened once somebody listens, once for all", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      const client = yield* over(wire)
      const heard: Array<Heard> = []
      client.hub.listen((one) => heard.push(one))
      client.hub.listen(() => {})
      yield* turns
      expect(wire.streams.length).toBe(1)
      Queue.offerAllUnsafe(wire.streams[0]!, everything)
      yield* turns
      expect(heard).toEqual(heardOf)
    })
  )
  it.effect("T-35 is opened on the next session, too", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      const client = yield* over(wire)
      client.hub.listen(() => {})
      yield* turns
      yield* client.reconnect
      yield* turns
      expect(wire.streams.length).toBe(2)
    })
  )
  it.effect("has a session begun anew, at the next request, when it says that the old one has expired", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      const client = yield* over(wire)
      client.hub.listen(() => {})
      yield* turns
      yield* Queue.fail(wire.streams[0]!, TransportError.make({ _tag: "SessionExpired" }))
      yield* turns
      expect(client.connected).toBe(false)
      yield* Tools.list(client)
      expect(wire.methods).toEqual(["initialize", "initialize", "tools/list"])
    })
  )
  it.effect("may be refused: then nothing is heard, and all else goes on", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      const client = yield* over(wire)
      client.hub.listen(() => {})
      yield* turns
      yield* Queue.end(wire.streams[0]!)
      yield* turns
      expect(client.connected).toBe(true)
      yield* Tools.list(client)
      expect(wire.streams.length).toBe(1)
    })
  )
  const breakOff = (wire: ReturnType<typeof overHttp>) =>
    Queue.fail(wire.streams.at(-1)!, TransportError.make({ _tag: "Closed" }))
  it.effect("is come back to after a break, ever more rarely while that goes on, and read as before", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      const client = yield* over(wire)
      const heard: Array<Heard> = []
      client.hub.listen((one) => heard.push(one))
      yield* turns
      const opened: Array<number> = []
      for (let second = 1; second <= 300; second++) {
        const before = wire.streams.length
        yield* breakOff(wire)
        yield* pass(1)
        if (wire.streams.length > before) opened.push(second)
      }
      const waits = opened.map((at, n) => at - (opened[n - 1] ?? 0))
      // a wait of 1, 2, 4, … 30 s, of which up to half is left out, and what is left of the second
      for (const [n, wait] of waits.entries()) {
        const most = Math.min(30, 2 ** n)
        expect(wait).toBeGreaterThanOrEqual(Math.floor(most / 2))
        expect(wait).toBeLessThanOrEqual(most + 1)
      }
      expect(waits.length).toBeGreaterThan(10)
      Queue.offerAllUnsafe(wire.streams.at(-1)!, everything)
      yield* pass(31)
      Queue.offerAllUnsafe(wire.streams.at(-1)!, everything)
      yield* turns
      expect(heard.slice(-6)).toEqual(heardOf)
      expect(client.connected).toBe(true)
    })
  )
  it.effect("is come back to sooner when the server answers a request, but not with each", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      const client = yield* over(wire)
      client.hub.listen(() => {})
      yield* turns
      while (wire.streams.length < 8) {
        yield* breakOff(wire)
        yield* pass(1)
      }
      yield* breakOff(wire)
      const before = wire.streams.length
      yield* Tools.list(client)
      yield* turns
      expect(wire.streams.length).toBe(before)
      yield* pass(2)
      expect(wire.streams.length).toBe(before)
      yield* Tools.list(client)
      yield* turns
      expect(wire.streams.length).toBe(before + 1)
    })
  )
  it.effect("is not needed for what is said on the stream of a request", () =>
    Effect.gen(function* () {
      const wire = overHttp(script)
      wire.said.set("tools/list", everything)
      const client = yield* over(wire)
      const heard: Array<Heard> = []
      client.hub.onHeard((one) => heard.push(one))
      yield* Tools.list(client)
      expect(heard).toEqual(heardOf)
    })
  )
  it.effect("is never opened on modern HTTP", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        "server/discover": () =>
          Effect.succeed({ resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} })
      })
      const client = yield* Client.connect(wire.transport, info)
      client.hub.listen(() => {})
      yield* turns
      expect(wire.streams.length).toBe(0)
    })
  )
})
