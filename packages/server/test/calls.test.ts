import { Call, Server, Tool } from "@effective-mcp/server"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { info, Log, modern, wire } from "./wire.ts"

const reports = (said: ReadonlyArray<JsonRpc.Message>) =>
  said.flatMap((message) => ("method" in message ? [message.params] : []))

/** A tool that says these things, and then answers. */
const saying = (...all: ReadonlyArray<readonly [number, number?, string?]>) =>
  Tool.make("t", {
    run: Effect.fnUntraced(function* () {
      const { progress } = yield* Call
      for (const one of all) yield* progress(...one)
      return ""
    })
  })

describe("progress", () => {
  for (const progressToken of [7, 0, "seven", ""]) {
    for (const era of ["modern", "legacy"] as const) {
      it.effect(`on ${era} goes to a caller that asked, under its token ${JSON.stringify(progressToken)}`, () =>
        Effect.gen(function* () {
          const { result, said } = yield* wire(Server.make(info, [saying([1], [2, 4], [2.5, 4, "nearly"])]))
          const meta = { progressToken }
          yield* result("tools/call", era === "modern" ? modern({ name: "t" }, meta) : { name: "t", _meta: meta })
          expect(reports(said)).toEqual([
            { progressToken, progress: 1 },
            { progressToken, progress: 2, total: 4 },
            { progressToken, progress: 2.5, total: 4, message: "nearly" }
          ])
          expect(said.at(-1)).toHaveProperty("result")
        })
      )
    }
  }
  for (const meta of [{}, { progressToken: null }, { progressToken: 1.5 }, { progressToken: { a: 1 } }]) {
    it.effect(`is not said to a caller that did not ask for it in a form that can be: ${JSON.stringify(meta)}`, () =>
      Effect.gen(function* () {
        const { result, said } = yield* wire(Server.make(info, [saying([1], [2])]))
        yield* result("tools/call", { name: "t", _meta: meta })
        yield* result("tools/call", modern({ name: "t" }, meta))
        expect(reports(said)).toEqual([])
      })
    )
  }
  it.effect("only ever increases", () =>
    Effect.gen(function* () {
      const { result, said } = yield* wire(
        Server.make(info, [saying([0], [0], [-1], [1], [0.5], [Number.NaN], [1], [2])])
      )
      yield* result("tools/call", modern({ name: "t" }, { progressToken: 1 }))
      expect(reports(said).map((params) => params?.progress)).toEqual([0, 1, 2])
    })
  )
  it.effect("is a number that can be written", () =>
    Effect.gen(function* () {
      const { result, said } = yield* wire(
        Server.make(info, [saying([-Infinity], [1, Infinity], [2, Number.NaN], [Infinity], [3])])
      )
      yield* result("tools/call", modern({ name: "t" }, { progressToken: 1 }))
      expect(reports(said)).toEqual([1, 2, 3].map((progress) => ({ progressToken: 1, progress })))
    })
  )
  it.effect("of one call is not held against another's", () =>
    Effect.gen(function* () {
      const { result, said } = yield* wire(Server.make(info, [saying([5])]))
      yield* result("tools/call", modern({ name: "t" }, { progressToken: 1 }))
      yield* result("tools/call", modern({ name: "t" }, { progressToken: 2 }))
      expect(reports(said)).toEqual([
        { progressToken: 1, progress: 5 },
        { progressToken: 2, progress: 5 }
      ])
    })
  )
  it.effect("stops with the response", () =>
    Effect.gen(function* () {
      const answered = yield* Deferred.make<void>()
      const over = yield* Deferred.make<void>()
      const tool = Tool.make("t", {
        run: Effect.fnUntraced(function* () {
          const { progress } = yield* Call
          yield* progress(1)
          yield* Deferred.await(answered).pipe(
            Effect.andThen(progress(2)),
            Effect.andThen(Deferred.succeed(over, undefined)),
            Effect.forkDetach
          )
          return ""
        })
      })
      const { result, said } = yield* wire(Server.make(info, [tool]))
      yield* result("tools/call", modern({ name: "t" }, { progressToken: 1 }))
      yield* Deferred.succeed(answered, undefined)
      yield* Deferred.await(over)
      yield* result("ping")
      expect(reports(said).map((params) => params?.progress)).toEqual([1])
    })
  )
})

/** A tool that waits for ever, and tells when it begins and when it is interrupted. */
const lingering = Effect.fnUntraced(function* () {
  const begun = yield* Deferred.make<void>()
  const left = yield* Deferred.make<void>()
  const tool = Tool.make("linger", {
    run: () =>
      Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(left, undefined))
      )
  })
  return { tool, begun: Deferred.await(begun), left: Deferred.await(left) }
})

const cancel = (requestId: unknown) => JsonRpc.notification("notifications/cancelled", { requestId })

describe("a call that is cancelled", () => {
  for (const id of [1, 0, "", "a"]) {
    for (const era of ["modern", "legacy"] as const) {
      it.effect(`RPC-01 on ${era} is interrupted, and gets no response: id ${JSON.stringify(id)}`, () =>
        Effect.gen(function* () {
          const { begun, left, tool } = yield* lingering()
          const { result, said, say } = yield* wire(Server.make(info, [tool]))
          const params = { name: "linger" }
          yield* say(JsonRpc.request(id, "tools/call", era === "modern" ? modern(params) : params))
          yield* begun
          yield* say(cancel(id))
          yield* left
          yield* result("ping")
          expect(said.length).toBe(1)
        })
      )
    }
  }
  it.effect("says nothing more, even through what it has left behind", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const over = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      const tool = Tool.make("t", {
        run: Effect.fnUntraced(function* () {
          const { progress } = yield* Call
          yield* Deferred.await(interrupted).pipe(
            Effect.andThen(progress(2)),
            Effect.andThen(Deferred.succeed(over, undefined)),
            Effect.forkDetach
          )
          yield* progress(1)
          yield* Deferred.succeed(begun, undefined)
          return yield* Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
        })
      })
      const { result, said, say } = yield* wire(Server.make(info, [tool]))
      yield* say(JsonRpc.request(1, "tools/call", modern({ name: "t" }, { progressToken: 1 })))
      yield* Deferred.await(begun)
      yield* say(cancel(1))
      yield* Deferred.await(over)
      yield* result("ping")
      expect(reports(said).map((params) => params?.progress)).toEqual([1])
    })
  )
  it.effect("is the one that is named, in the id's own type, and no other", () =>
    Effect.gen(function* () {
      const { begun, left, tool } = yield* lingering()
      const { result, said, say } = yield* wire(Server.make(info, [tool]))
      yield* say(JsonRpc.request(1, "tools/call", { name: "linger" }))
      yield* begun
      const leaving = yield* Effect.forkScoped(left)
      yield* say(cancel("1"), cancel(2), cancel(null), JsonRpc.notification("notifications/cancelled"), cancel({}))
      yield* result("ping")
      expect(leaving.pollUnsafe()).toBeUndefined()
      yield* say(cancel(1))
      yield* Fiber.join(leaving)
      yield* result("ping")
      expect(said.length).toBe(2)
    })
  )
  it.effect("after it was answered is nothing", () =>
    Effect.gen(function* () {
      const { result, say, said } = yield* wire(Server.make(info, [saying([1])]))
      yield* say(JsonRpc.request(1, "tools/call", { name: "t" }))
      yield* result("ping")
      yield* say(cancel(1))
      yield* result("ping")
      expect(said.length).toBe(3)
    })
  )
})

describe("a result that cannot be written", () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  const values = {
    "a BigInt": 5n,
    "a cycle": cycle,
    "a toJSON that throws": {
      toJSON: () => {
        throw new Error("s3cr3t")
      }
    }
  }
  for (const [what, value] of Object.entries(values)) {
    for (const era of ["modern", "legacy"] as const) {
      it.effect(`on ${era} because of ${what} is -32603, says nothing of it, and the session lives on`, () => {
        const log = new Log()
        return Effect.gen(function* () {
          const tool = Tool.make("t", {
            run: () => Effect.succeed({ content: [], structuredContent: { value } })
          })
          const { ask, result } = yield* wire(Server.make(info, [tool]))
          const answer = yield* ask("tools/call", era === "modern" ? modern({ name: "t" }) : { name: "t" })
          expect(answer).toMatchObject({ error: { code: -32603, message: "Internal error" } })
          expect(JSON.stringify(answer)).not.toContain("s3cr3t")
          expect(log.lines.length).toBe(1)
          expect(yield* result("ping")).toEqual({})
        }).pipe(Effect.provide(log.layer))
      })
    }
  }
})

describe("a result of 100,000 levels", () => {
  it.effect("RPC-15 is -32603 where the runtime cannot write it, and the session lives on", () => {
    const log = new Log()
    return Effect.gen(function* () {
      let value: unknown = 1
      for (let i = 0; i < 100_000; i++) value = [value]
      const tool = Tool.make("t", { run: () => Effect.succeed({ content: [], structuredContent: { value } }) })
      const { ask, result } = yield* wire(Server.make(info, [tool]))
      const answer = yield* ask("tools/call", modern({ name: "t" }))
      if ("error" in answer) expect(answer.error).toEqual({ code: -32603, message: "Internal error" })
      expect(log.lines.length).toBe("error" in answer ? 1 : 0)
      expect(yield* result("ping")).toEqual({})
    }).pipe(Effect.provide(log.layer))
  })
})

describe("a client that leaves", () => {
  it.effect("interrupts what runs for it, after 2 s at most", () =>
    Effect.gen(function* () {
      const { begun, left, tool } = yield* lingering()
      const { close, say } = yield* wire(Server.make(info, [tool]))
      yield* say(JsonRpc.request(1, "tools/call", { name: "linger" }))
      yield* begun
      const closing = yield* Effect.forkScoped(close, { startImmediately: true })
      const leaving = yield* Effect.forkScoped(left)
      yield* TestClock.adjust(1999)
      expect(leaving.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      yield* Fiber.join(leaving)
      yield* Fiber.join(closing)
    })
  )
})
