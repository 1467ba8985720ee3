import { Tools } from "@effective-mcp/client"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { begin, connect, discovered, inTurn, modern, result, scripted, silence } from "./scripted.ts"

const cancelled = "notifications/cancelled"

const progress = (request: JsonRpc.Request, n: number) =>
  JsonRpc.notification("notifications/progress", { progressToken: request.id, progress: n })

/** A server that never answers a call, and answers the list of its tools. */
const mute = () => scripted(modern({ "tools/call": silence, "tools/list": result({ tools: [] }) }))

const timedOut = (afterMs: number) => ({
  _tag: "TransportError",
  outcome: "Unknown",
  reason: { _tag: "TimedOut", afterMs }
})

describe("a request", () => {
  it.effect("T-32 R-027 waits 30 s; then it is cancelled on the wire, and fails as one that may have run", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      yield* TestClock.adjust(29_999)
      expect(server.run.methods).not.toContain(cancelled)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(call)).toMatchObject(timedOut(30_000))
      expect(server.run.heard.at(-1)).toMatchObject({ method: cancelled, params: { requestId: server.run.last.id } })
      expect(server.run.methods.filter((method) => method === cancelled).length).toBe(1)
    })
  )
  it.effect("FEA-02 is timed anew by each report of progress, whether or not somebody listens to it", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      for (const n of [1, 2, 3]) {
        yield* TestClock.adjust(29_000)
        server.run.say(progress(server.run.last, n))
      }
      yield* TestClock.adjust(29_999)
      expect(server.run.methods).not.toContain(cancelled)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(call)).toMatchObject(timedOut(30_000))
    })
  )
  it.effect("is not timed while its listener is busy, but for its time in all", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const options = { onProgress: () => Effect.sleep("40 seconds"), timeout: "30 seconds" } as const
      const call = yield* begin(Effect.flip(Tools.call(client, "t", {}, options)))
      server.run.say(progress(server.run.last, 1))
      yield* TestClock.adjust(69_999)
      expect(server.run.methods).not.toContain(cancelled)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(call)).toMatchObject(timedOut(30_000))
      const endless = { ...options, onProgress: () => Effect.never, totalTimeout: "50 seconds" } as const
      const capped = yield* begin(Effect.flip(Tools.call(client, "t", {}, endless)))
      server.run.say(progress(server.run.last, 1))
      yield* TestClock.adjust(50_000)
      expect(yield* Fiber.join(capped)).toMatchObject(timedOut(50_000))
    })
  )
  it.effect("gives its answer when its time in all is up, though its listener is still busy", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const options = { onProgress: () => Effect.never, totalTimeout: "50 seconds" } as const
      const call = yield* begin(Tools.call(client, "t", {}, options))
      server.run.say(progress(server.run.last, 1))
      server.run.say(JsonRpc.success(server.run.last.id, { resultType: "complete", content: [] }))
      yield* TestClock.adjust(50_000)
      expect(yield* Fiber.join(call)).toMatchObject({ content: [] })
      expect(server.run.methods).not.toContain(cancelled)
    })
  )
  it.effect("is not timed anew by what is said for another", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const other = yield* begin(Tools.call(client, "other"))
      const otherRequest = server.run.last
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      yield* TestClock.adjust(29_000)
      server.run.say(
        progress(otherRequest, 1),
        JsonRpc.notification("notifications/message", { level: "info", data: 1 })
      )
      yield* TestClock.adjust(1000)
      expect(yield* Fiber.join(call)).toMatchObject(timedOut(30_000))
      expect(other.pollUnsafe()).toBeUndefined()
    })
  )
  it.effect("FEA-02 waits 10 min in all, whatever its progress", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      for (let n = 1; n < 30; n++) {
        yield* TestClock.adjust(20_000)
        server.run.say(progress(server.run.last, n))
      }
      yield* TestClock.adjust(19_999)
      expect(server.run.methods).not.toContain(cancelled)
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(call)).toMatchObject(timedOut(600_000))
      expect(server.run.methods.at(-1)).toBe(cancelled)
    })
  )
  it.effect("T-32 R-030 can have times of its own", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const short = yield* begin(Effect.flip(Tools.call(client, "t", {}, { timeout: "2 seconds" })))
      const long = yield* begin(Effect.flip(Tools.call(client, "t", {}, { timeout: "1 minute" })))
      const capped = yield* begin(Effect.flip(Tools.call(client, "t", {}, { totalTimeout: "3 seconds" })))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(short)).toMatchObject(timedOut(2000))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(capped)).toMatchObject(timedOut(3000))
      yield* TestClock.adjust("56 seconds")
      expect(long.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(long)).toMatchObject(timedOut(60_000))
    })
  )
  it.effect("R-030 has the client's times otherwise, ping included", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "server/discover": inTurn(discovered(), silence) }))
      const client = yield* connect(server, { timeout: 100, totalTimeout: "1 second" })
      const ping = yield* begin(Effect.flip(client.ping()))
      yield* TestClock.adjust(100)
      expect(yield* Fiber.join(ping)).toMatchObject(timedOut(100))
    })
  )
  it.effect("may wait for ever when it is told so", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server, { timeout: "Infinity", totalTimeout: "Infinity" })
      const call = yield* begin(Tools.call(client, "t"))
      yield* TestClock.adjust("30 days")
      server.run.answer({ content: [] })
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
    })
  )
  it.live("that is begun when its session is over leaves no timer behind", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let asleep = 0
      const counting: Clock.Clock = Object.assign(Object.create(clock), {
        sleep: (duration: Duration.Duration) =>
          Effect.acquireUseRelease(
            Effect.sync(() => asleep++),
            () => clock.sleep(duration),
            () => Effect.sync(() => asleep--)
          )
      })
      const scope = yield* Scope.make()
      yield* Scope.close(scope, Exit.void)
      const late = Effect.exit(Scope.provide(connect(mute(), { era: "legacy" }), scope))
      expect(Exit.isFailure(yield* Effect.provideService(late, Clock.Clock, counting))).toBe(true)
      expect(asleep).toBe(0)
    })
  )

  it.effect("that is answered in time is not cancelled later", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Tools.call(client, "t"))
      yield* TestClock.adjust(29_999)
      server.run.answer({ content: [] })
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
      yield* TestClock.adjust("1 hour")
      expect(server.run.methods).not.toContain(cancelled)
    })
  )
  it.effect("that is too late ends alone: the next is answered, and the late answer is let go", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      const late = server.run.last
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(call)
      server.run.say(progress(late, 1), JsonRpc.success(late.id, { content: [] }))
      expect(yield* Tools.list(client)).toEqual({ tools: [] })
    })
  )
  it.effect("R-027 says why it is cancelled", () =>
    Effect.gen(function* () {
      const server = mute()
      const call = yield* begin(Effect.exit(Tools.call(yield* connect(server), "t")))
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(call)
      expect(server.run.heard.at(-1)).toMatchObject({ params: { reason: "no answer to tools/call in 30000 ms" } })
    })
  )
  it.effect("that the wire has no room for fails at the end of its time, as one that was not sent", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      server.run.stuck = true
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(call)).toMatchObject({ ...timedOut(30_000), outcome: "NotSent" })
      server.run.stuck = false
      yield* Tools.list(client)
      expect(server.run.methods).toEqual(["server/discover", "tools/list"])
    })
  )
  it.effect("R-027 that is cancelled fails at the end of its time even when the wire has no room for that", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Effect.flip(Tools.call(client, "t")))
      server.run.stuck = true
      yield* TestClock.adjust("30 seconds")
      // the farewell may take a second
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(call)).toMatchObject(timedOut(30_000))
    })
  )
})

describe("many requests", () => {
  it.effect("each end at their own time", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const ended: Array<number> = []
      for (const seconds of [5, 1, 4, 2, 3]) {
        yield* begin(
          Tools.call(client, "t", {}, { timeout: `${seconds} seconds` }).pipe(
            Effect.flip,
            Effect.andThen(Effect.sync(() => ended.push(seconds)))
          )
        )
      }
      for (const second of [1, 2, 3, 4, 5]) {
        yield* TestClock.adjust("1 second")
        expect(ended).toEqual([1, 2, 3, 4, 5].slice(0, second))
      }
    })
  )
})

describe("a listener that is slow", () => {
  it.effect("does not use up the time of a call whose answer is there", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const gate = yield* Deferred.make<void>()
      const heard = yield* Deferred.make<void>()
      const onProgress = () => Effect.andThen(Deferred.succeed(heard, undefined), Deferred.await(gate))
      const call = yield* begin(Tools.call(client, "t", {}, { onProgress }))
      server.run.say(progress(server.run.last, 1), JsonRpc.success(server.run.last.id, { content: [] }))
      yield* Deferred.await(heard)
      yield* TestClock.adjust("1 minute")
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Fiber.join(call)).toEqual({ content: [] })
    })
  )
})

describe("a clock that is set", () => {
  it.effect("changes no deadline", () =>
    Effect.gen(function* () {
      const server = mute()
      const client = yield* connect(server)
      const call = yield* begin(Effect.flip(Tools.call(client, "t", {}, { timeout: "5 seconds" })))
      yield* TestClock.setTime(0)
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(call)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 5_000 } })
    })
  )
})
