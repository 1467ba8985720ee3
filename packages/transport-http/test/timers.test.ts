import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { makeLine } from "../src/server/back.ts"
import { Intake, KeepAlive } from "@effective-mcp/http"
import * as HttpServer from "../src/server/HttpServer.ts"
import { exchange } from "../src/server/exchange.ts"
import { make as makeLearned } from "../src/server/ParamHeaders.ts"
import { begin, make as makeSessions } from "../src/server/sessions.ts"
import * as Host from "./support/host.ts"
import { modern } from "./support/wire.ts"

/** Runs what is given to it on the clock of the test, and counts what has not ended. */
const counting = Effect.map(Effect.context<never>(), (context) => {
  const fork = Effect.runForkWith(context)
  const fibers: Array<Fiber.Fiber<void>> = []
  const run = (effect: Effect.Effect<void>): Fiber.Fiber<void> => {
    const fiber = fork(effect)
    fibers.push(fiber)
    return fiber
  }
  return {
    run,
    open: () => fibers.filter((fiber) => fiber.pollUnsafe() === undefined).length,
    all: () => fibers.length
  }
})

describe("timers", () => {
  it.effect("a body that does not come is waited for two minutes at most, and answered with 408", () =>
    Effect.gen(function* () {
      const { fixture } = yield* Host.make
      const handler = yield* HttpServer.make(fixture)
      const said: Array<number> = []
      const response = {
        whole: (status: number) => void said.push(status),
        head: () => {},
        write: () => Effect.void,
        offer: () => {},
        end: () => {}
      }
      const headers: { readonly [name: string]: string } = {
        host: "localhost",
        accept: "application/json, text/event-stream",
        "content-type": "application/json"
      }
      const request = {
        method: "POST",
        url: "/mcp",
        header: (name: string) => headers[name],
        body: () => Effect.never
      }
      const fiber = yield* Effect.forkChild(handler(request, response))
      yield* TestClock.adjust("59 seconds")
      expect(said).toEqual([])
      yield* TestClock.adjust("61 seconds")
      expect(said).toEqual([408])
      expect((yield* Fiber.await(fiber))._tag).toBe("Failure")
    })
  )

  it.effect("one keeps everything alive, and is gone when nothing is open any more", () =>
    Effect.gen(function* () {
      const { all, open, run } = yield* counting
      const keepAlive = KeepAlive.make(15_000, run)
      expect(all()).toBe(0)
      let beats = 0
      const mine = Array.from({ length: 100 }, () => ({ beat: () => void beats++ }))
      for (const one of mine) keepAlive.add(one)
      expect(open()).toBe(1)
      yield* TestClock.adjust("30 seconds")
      expect(beats).toBe(200)
      for (const one of mine) keepAlive.remove(one)
      yield* TestClock.adjust("15 seconds")
      expect([beats, open()]).toEqual([200, 0])
      keepAlive.add(mine[0]!)
      yield* TestClock.adjust("15 seconds")
      expect([beats, open()]).toEqual([201, 1])
      keepAlive.close()
      yield* TestClock.adjust("1 minute")
      expect([beats, open()]).toEqual([201, 0])
    })
  )

  it.effect("one looks for idle sessions, while there are any", () =>
    Effect.gen(function* () {
      const { all, open, run } = yield* counting
      const host = yield* Host.make
      const keepAlive = KeepAlive.make(Infinity, run)
      const clock = yield* Clock.Clock
      const now = () => clock.currentTimeMillisUnsafe()
      const manner = { keepAlive, stalled: keepAlive, json: false, events: undefined, retryMs: 1 }
      const sessions = makeSessions({
        idleMs: 600_000,
        most: 1_000,
        reaperMs: 60_000,
        store: undefined,
        manner,
        now,
        run
      })
      const make = Effect.gen(function* () {
        const begun = yield* begin(host.converse(), makeLine(), yield* Scope.make())
        return yield* sessions.open(begun, {})
      })
      const opened = yield* Effect.all(Array.from({ length: 500 }, () => make))
      expect([all(), open(), sessions.size()]).toEqual([1, 1, 500])
      for (const session of opened.slice(0, 250)) yield* sessions.remove(session)
      expect([open(), host.ended()]).toEqual([1, 250])
      yield* TestClock.adjust("10 minutes")
      expect([open(), host.ended(), sessions.size()]).toEqual([0, 500, 0])
      const last = yield* make
      expect(open()).toBe(1)
      yield* sessions.remove(last)
      expect([open(), host.ended()]).toEqual([0, 501])
    })
  )
})

describe("what is open", () => {
  it.effect("is told of silence only while it is open, however it has ended", () =>
    Effect.gen(function* () {
      const open = new Set<object>()
      const keepAlive = {
        add: (one: object) => open.add(one),
        remove: (one: object) => open.delete(one),
        close: () => {}
      }
      const { fixture } = yield* Host.make
      const host = { ...fixture, converse: () => Effect.never }
      const endpoint = {
        hostFor: () => Effect.succeed(host),
        learnedOf: () => makeLearned(host),
        paramHeaders: () => [{ header: "Mcp-Param-Zone", path: ["zone"] }],
        run: Effect.runFork,
        keepAlive,
        stalled: keepAlive,
        reading: keepAlive,
        intake: Intake.make({ most: 1, now: () => 0 }),
        json: false,
        sessions: undefined,
        mayUse: () => true as const,
        ownerOf: () => Effect.undefined,
        listens: { open: new Map<Fiber.Fiber<unknown, unknown>, { close: () => boolean }>(), most: 1 }
      }
      const response = { whole: () => {}, head: () => {}, write: () => Effect.void, offer: () => {}, end: () => {} }
      const send = ([message, headers]: ReturnType<typeof modern>) => {
        const header = (name: string) => (typeof headers[name] === "string" ? headers[name] : undefined)
        return exchange(
          endpoint,
          host,
          { method: "POST", url: "/", header, body: () => Effect.never },
          message,
          response
        )
      }
      yield* send(modern(1, "echo"))
      yield* send(modern(1, "tools/call", { name: "t", arguments: { zone: "eu" } }))
      yield* send(modern(1, "echo", {}, { "mcp-method": "other" }))
      expect(open.size).toBe(0)
      const lingering = yield* Effect.forkChild(send(modern(1, "linger")), { startImmediately: true })
      expect(open.size).toBe(1)
      yield* Fiber.interrupt(lingering)
      expect(open.size).toBe(0)
    })
  )
})
