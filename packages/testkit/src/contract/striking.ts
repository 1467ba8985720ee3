import { JsonRpc, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { equal, transportErrorOf } from "../Mismatch.ts"
import { type Blow, callOf, endOf, expectService, expectTruth, type FaultClause, promptly } from "./Blow.ts"
import { begin, deaf } from "./Clause.ts"
import type { Strike, Way } from "./Wire.ts"

const keys = Array.from({ length: 8 }, (_, n) => `call-${n}`)

/** Waits until a call runs, or has ended without. */
const running = (ran: Blow["ran"], key: string, call: Fiber.Fiber<unknown, unknown>): Effect.Effect<void, unknown> =>
  Effect.flatMap(ran(key), (times) =>
    times > 0 || call.pollUnsafe() !== undefined
      ? Effect.void
      : Effect.andThen(
          Effect.sleep(5),
          Effect.suspend(() => running(ran, key, call))
        )
  )

/** Begins a call that waits, and gives it once it runs. */
const held = Effect.fnUntraced(function* (blow: Blow, key: string) {
  const call = callOf(key, key, true)
  const fiber = yield* begin(blow.peer, call)
  yield* promptly(running(blow.ran, key, fiber), `the start of ${key}`)
  return { call, fiber }
})

/** All that is open ends when the wire does, each with what is true of it, unless the transport comes back to it. */
const endsAll = (strike: Strike): FaultClause => ({
  name: `a ${strike} ends all that is open, each with a typed error that is true`,
  needs: [strike],
  check: Effect.fnUntraced(function* (blow) {
    const open = yield* Effect.forEach(keys, (key) => held(blow, key), { concurrency: "unbounded" })
    yield* blow.strike(strike, "request")
    const last = callOf("last")
    const exit = yield* endOf(blow.peer.exchange(last, deaf), "the call that is struck")
    const mayResume = blow.resumes && strike === "reset"
    if (mayResume) yield* promptly(blow.peer.exchange(JsonRpc.request("release", "release"), deaf), "another call")
    for (const { call, fiber } of open) {
      const end = yield* endOf(Fiber.join(fiber), "a call that was under way")
      const expected = mayResume ? "Answered" : "Unknown"
      yield* equal(yield* expectTruth(blow, call, end), expected, "the outcome of a call that was under way")
    }
    yield* expectTruth(blow, last, exit)
  })
})

/** A call that is struck fails, and is not said not to have run where it may have. */
const breaks = (strike: Strike, way: Way, name: string): FaultClause => ({
  name,
  needs: [strike],
  check: Effect.fnUntraced(function* (blow) {
    yield* blow.strike(strike, way)
    const call = callOf("struck")
    const exit = yield* endOf(blow.peer.exchange(call, deaf), `a call on a wire with a ${strike}`)
    blow.after(
      Effect.gen(function* () {
        const outcome = yield* expectTruth(blow, call, exit)
        if (way === "response") {
          if (blow.resumes && outcome === "Answered") return
          return yield* equal(outcome, "Unknown", "the outcome of a call whose answer was lost")
        }
        yield* equal(yield* blow.ran("struck"), 0, "how often a call that was lost on its way ran")
      })
    )
  })
})

/** Waits for a call that gets no answer, until its message that way has been struck, then leaves it. */
const leave = Effect.fnUntraced(function* (blow: Blow, key: string, way: Way) {
  const fiber = yield* begin(blow.peer, callOf(key))
  if (way === "response") yield* promptly(running(blow.ran, key, fiber), `the start of ${key}`)
  yield* Effect.sleep(100)
  yield* promptly(Fiber.interrupt(fiber), "leaving a call that gets no answer")
})

const leaves = (strike: Strike, way: Way, name: string): FaultClause => ({
  name,
  needs: [strike],
  check: Effect.fnUntraced(function* (blow) {
    yield* blow.strike(strike, way)
    yield* leave(blow, "left", way)
    yield* expectService(blow.peer, "next")
    yield* equal(yield* blow.ran("left"), way === "request" ? 0 : 1, "how often the call ran")
  })
})

/** Ends a call from outside as a deadline does, in the way that the wire has for it. */
const expire = Effect.fnUntraced(function* ({ peer }: Blow, call: JsonRpc.Request) {
  const late = TransportError.make({ _tag: "TimedOut", afterMs: 100 })
  const exchange = Effect.timeoutOrElse(peer.exchange(call, deaf), { duration: 100, orElse: () => Effect.fail(late) })
  if (peer.abandon === undefined) return yield* endOf(exchange, "a call whose time is over")
  const fiber = yield* begin(peer, call)
  yield* Effect.sleep(100)
  peer.abandon(call.id, late)
  return yield* endOf(Fiber.join(fiber), "a call whose time is over")
})

/** What a wire owes when something goes wrong on it. */
export const striking: ReadonlyArray<FaultClause> = [
  breaks("reset", "request", "a reset on the way there fails the call, which never ran"),
  breaks("reset", "response", "a reset on the way back fails the call, which may have run"),
  endsAll("reset"),
  breaks("half", "request", "half a request is never taken for one"),
  breaks("half", "response", "half an answer is never taken for one"),
  leaves("drop", "request", "a call that is lost can be left, and the wire goes on"),
  leaves("drop", "response", "a call whose answer is lost can be left, and the wire goes on"),
  {
    name: "leaving a call whose answer is lost cancels it",
    needs: ["drop"],
    check: Effect.fnUntraced(function* (blow) {
      yield* blow.strike("drop", "response")
      // lost is what the first says, or the answer of the second where nothing is said before that
      const first = yield* begin(blow.peer, JsonRpc.request("lingering", "linger"))
      const second = yield* begin(blow.peer, JsonRpc.request("brief", "echo"))
      yield* Effect.sleep(100)
      yield* promptly(Fiber.interruptAll([first, second]), "leaving calls")
      const told = blow.peer.exchange(JsonRpc.request("told", "abandoned"), deaf)
      yield* equal(yield* promptly(told, "what the server does"), JsonRpc.success("told", {}), "the answer")
    })
  },
  {
    name: "a late answer is its own call's, however late",
    needs: ["delay"],
    check: Effect.fnUntraced(function* (blow) {
      for (const way of ["request", "response"] as const) {
        yield* blow.strike("delay", way)
        const late = callOf(`late ${way}`)
        const call = yield* begin(blow.peer, late)
        yield* expectService(blow.peer, `meanwhile ${way}`)
        const end = yield* endOf(Fiber.join(call), "the late call")
        yield* equal(yield* expectTruth(blow, late, end), "Answered", "how the late call ends")
      }
    })
  },
  {
    name: "an answer that comes after its call was left reaches no other",
    needs: ["delay"],
    check: Effect.fnUntraced(function* (blow) {
      yield* blow.strike("delay", "response")
      yield* leave(blow, "left", "response")
      const calls = keys.map((key) => callOf(key))
      for (const call of calls) {
        const end = yield* endOf(blow.peer.exchange(call, deaf), "a later call")
        yield* equal(yield* expectTruth(blow, call, end), "Answered", "how a later call ends")
        yield* Effect.sleep(30)
      }
    })
  },
  {
    name: "an answer that comes twice is heard once, and by nobody else",
    needs: ["duplicate"],
    check: Effect.fnUntraced(function* (blow) {
      yield* blow.strike("duplicate", "response")
      for (const key of keys) {
        const call = callOf(key)
        const end = yield* endOf(blow.peer.exchange(call, deaf), "a call")
        const outcome = yield* expectTruth(blow, call, end)
        // where each exchange has a response of its own, one that nobody asked for breaks the connection
        if (blow.peer.wire !== "http") yield* equal(outcome, "Answered", `how ${key} ends`)
      }
      yield* expectService(blow.peer, "in the end")
    })
  },
  {
    name: "a call in a black hole ends by interruption and by a deadline, soon, and so does connecting",
    needs: ["blackHole"],
    check: Effect.fnUntraced(function* (blow) {
      // the first runs and its answer is swallowed, the second never gets there
      yield* blow.strike("blackHole", "response")
      const first = yield* Effect.forkScoped(leave(blow, "answered", "response"))
      yield* Effect.sleep(50)
      const asked = callOf("asked")
      const end = yield* expire(blow, asked)
      yield* equal(yield* expectTruth(blow, asked, end), "Unknown", "the outcome of a call whose time is over")
      yield* Fiber.join(first)
      const connecting = yield* Effect.forkScoped(Effect.scoped(blow.connect))
      yield* Effect.sleep(100)
      yield* promptly(Fiber.interrupt(connecting), "leaving a connection that does not come about")
      yield* equal(yield* blow.ran("answered"), 1, "how often the call whose answer was swallowed ran")
    })
  },
  {
    name: "a session that the server has forgotten fails typed, and nothing of it runs",
    needs: ["expire"],
    check: Effect.fnUntraced(function* (blow) {
      yield* expectService(blow.peer, "before")
      yield* blow.strike("expire", "request")
      for (const [key, expected] of [
        ["first", "Rejected"],
        ["next", "NotSent"]
      ] as const) {
        const call = callOf(key)
        const end = yield* endOf(blow.peer.exchange(call, deaf), `the ${key} call`)
        const error = yield* transportErrorOf(end, `the ${key} call`)
        yield* equal(error.reason._tag, "SessionExpired", `what the ${key} call fails with`)
        yield* equal(yield* expectTruth(blow, call, end), expected, `the outcome of the ${key} call`)
      }
    })
  },
  endsAll("crash"),
  breaks("crash", "response", "a server that dies before it answers fails the call, which may have run")
]
