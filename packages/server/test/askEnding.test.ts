import { Ask, Call, Server, Tool } from "@effective-mcp/server"
import { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { accept, calling, rounds, roundOf, textOf } from "./asking.ts"
import { info, wire } from "./wire.ts"

const sure = Ask.form("Sure?", { yes: Schema.Boolean })

/** Serves one tool, calls it once, and gives back how that ended and what it did. */
const once = Effect.fnUntraced(function* (
  run: (asked: Effect.Effect<unknown>, did: (what: string) => Effect.Effect<void>) => Effect.Effect<unknown>
) {
  const done: Array<string> = []
  const did = (what: string) => Effect.sync(() => void done.push(what))
  const tool = Tool.make("ask", {
    run: Effect.fnUntraced(function* () {
      const call = yield* Call
      yield* run(Effect.orDie(call.ask({ sure })), did)
      yield* did("end")
      return "through"
    })
  })
  const client = yield* wire(Server.make(info, [tool]))
  const first = yield* Effect.forkChild(client.result("tools/call", calling("ask")), { startImmediately: true })
  yield* TestClock.adjust(1_000)
  const result = yield* Fiber.join(first)
  // whatever it left behind has time to go on
  yield* TestClock.adjust(60_000)
  return { ...client, result, done }
})

describe("a handler that a question ends", () => {
  const swallowing: { readonly [how: string]: Parameters<typeof once>[0] } = {
    "catches every cause": (asked, did) => Effect.catchCause(asked, () => did("caught")),
    "catches every cause around it all": (asked, did) =>
      Effect.catchCause(Effect.andThen(asked, did("after")), () => did("caught")),
    "looks at how it ended": (asked, did) => Effect.andThen(Effect.exit(asked), did("after")),
    "makes failures values": (asked, did) =>
      Effect.matchCauseEffect(asked, { onFailure: () => did("caught"), onSuccess: () => did("answered") }),
    "is not interruptible": (asked, did) => Effect.uninterruptible(Effect.andThen(asked, did("after"))),
    "is not interruptible, and catches": (asked, did) =>
      Effect.uninterruptible(Effect.catchCause(asked, () => did("caught"))),
    "asks while it takes hold of something": (asked, did) =>
      Effect.scoped(
        Effect.andThen(
          Effect.acquireRelease(asked, () => did("released")),
          did("after")
        )
      ),
    "asks in a fiber of its own": (asked, did) =>
      Effect.flatMap(Effect.forkChild(asked), (fiber) =>
        Effect.andThen(
          Effect.catchCause(Fiber.join(fiber), () => did("caught")),
          did("after")
        )
      ),
    "asks in a fiber that nothing owns": (asked, did) =>
      Effect.flatMap(Effect.forkDetach(asked), (fiber) => Effect.andThen(Fiber.await(fiber), did("after"))),
    "gives the question a second": (asked, did) =>
      Effect.andThen(Effect.timeoutOption(asked, "500 millis"), did("after")),
    "tries again for ever": (asked, did) =>
      Effect.forever(Effect.catchCause(asked, () => Effect.andThen(did("caught"), Effect.yieldNow)))
  }
  for (const [how, run] of Object.entries(swallowing)) {
    it.effect(`and that ${how} does not go on`, () =>
      Effect.gen(function* () {
        const { done, result, said } = yield* once(run)
        expect(Object.keys(roundOf(result).inputRequests)).toEqual(["sure"])
        expect(done).toEqual([])
        expect(said).toHaveLength(1)
      })
    )
  }
  it.effect("does on its way out what it has to, and the answer waits for that", () =>
    Effect.gen(function* () {
      const { done, result } = yield* once((asked, did) =>
        Effect.scoped(
          Effect.andThen(
            Effect.acquireRelease(did("opened"), () => Effect.andThen(Effect.sleep(200), did("closed"))),
            Effect.ensuring(
              Effect.onInterrupt(asked, () => did("interrupted")),
              did("finally")
            )
          )
        )
      )
      roundOf(result)
      expect(done).toEqual(["opened", "interrupted", "finally", "closed"])
    })
  )
  it.effect("holds up its answer for a second at most", () =>
    Effect.gen(function* () {
      const { done, result } = yield* once((asked, did) =>
        Effect.ensuring(asked, Effect.andThen(Effect.sleep(30_000), did("late")))
      )
      roundOf(result)
      expect(done).toEqual(["late"])
    })
  )
  it.effect("is seen as an interruption by those who look", () =>
    Effect.gen(function* () {
      let seen: Cause.Cause<unknown> | undefined
      yield* once((asked) =>
        Effect.onExit(asked, (exit) => Effect.sync(() => void (seen = "cause" in exit ? exit.cause : undefined)))
      )
      expect(seen !== undefined && Cause.hasInterruptsOnly(seen)).toBe(true)
    })
  )
  it.effect("and its like are gone: nothing is left of a thousand", () => {
    let open = 0
    const tool = Tool.make("ask", {
      run: () =>
        Effect.flatMap(Call, ({ ask }) =>
          Effect.acquireUseRelease(
            Effect.sync(() => open++),
            () => ask({ sure }),
            () => Effect.sync(() => open--)
          ).pipe(Effect.as(""))
        )
    })
    return Effect.gen(function* () {
      const { result } = yield* wire(Server.make(info, [tool]))
      yield* Effect.forEach(Array.from({ length: 1_000 }), () => result("tools/call", calling("ask")), {
        concurrency: 50
      })
      expect(open).toBe(0)
    })
  })
})

class Db extends Context.Service<Db, { readonly name: string }>()("test/Db") {}
const Mood = Context.Reference<string>("test/Mood", { defaultValue: () => "good" })

describe("a handler that may ask", () => {
  it.effect("has all the services of its server", () => {
    const tool = Tool.make("ask", {
      run: Effect.fnUntraced(function* () {
        const { sure: answer } = yield* (yield* Call).ask({ sure })
        return `${answer.action} ${(yield* Db).name} ${yield* Mood}`
      })
    })
    return Effect.gen(function* () {
      const { result } = yield* rounds(yield* wire(Server.make(info, [tool])), "ask", () => accept({ yes: true }))
      expect(textOf(result)).toBe("accept main bad")
    }).pipe(Effect.provideService(Db, { name: "main" }), Effect.provideService(Mood, "bad"))
  })
  it.effect("is interrupted when its call is cancelled, and nothing is said", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const tool = Tool.make("wait", {
        run: () =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
      })
      const { said, say } = yield* wire(Server.make(info, [tool]))
      yield* say(JsonRpc.request(1, "tools/call", calling("wait")))
      yield* Deferred.await(started)
      yield* say(JsonRpc.notification("notifications/cancelled", { requestId: 1 }))
      yield* Deferred.await(interrupted)
      expect(said).toEqual([])
    })
  )
  it.effect("that dies answers as any other", () =>
    Effect.gen(function* () {
      const tool = Tool.make("die", { run: () => Effect.die(new Error("secret")) })
      const { result } = yield* wire(Server.make(info, [tool]))
      const failed = yield* result("tools/call", calling("die"))
      expect(failed).toMatchObject({ isError: true })
      expect(JSON.stringify(failed)).not.toContain("secret")
    })
  )
  it.effect("may do without an answer, once it has decided not to ask", () =>
    Effect.gen(function* () {
      const tool = Tool.make("ask", {
        run: () =>
          Effect.flatMap(Call, ({ ask }) =>
            Effect.raceFirst(Effect.succeed("no need"), Effect.as(ask({ sure }), "asked"))
          )
      })
      const { result } = yield* wire(Server.make(info, [tool]))
      expect(textOf(yield* result("tools/call", calling("ask")))).toBe("no need")
    })
  )
})
