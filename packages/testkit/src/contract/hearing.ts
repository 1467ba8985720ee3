import { JsonRpc, listen } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { progress } from "../Fixture.ts"
import { equal } from "../Mismatch.ts"
import { begin, type Clause, expectResult, someTurns } from "./Clause.ts"

const { request, success } = JsonRpc

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)

/** What is said because of a request is heard by its listener: in order, one at a time, before the response. */
export const hearing: ReadonlyArray<Clause> = [
  {
    name: "keeps notifications in order, before the response",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const said: Array<unknown> = []
      said.push(
        yield* peer.exchange(request(1, "report", { n: 100 }), (heard) =>
          Effect.sync(() => {
            said.push(heard)
          })
        )
      )
      yield* equal(said, [...numbers(100).map((n) => progress(1, n)), success(1, { id: 1 })], "what was said")
    })
  },
  {
    name: "holds nothing back: a notification is heard while its request still runs",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const heard = yield* Deferred.make<unknown>()
      const call = yield* begin(peer, request(1, "pause"), (said) => Effect.asVoid(Deferred.succeed(heard, said)))
      yield* equal(yield* Deferred.await(heard), progress(1, 1), "what is heard")
      yield* expectResult(peer, request(2, "release"), {})
      yield* equal(yield* Fiber.join(call), success(1, { id: 1 }), "the answer")
    })
  },
  {
    name: "a slow listener keeps order and delays no other exchange",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const gate = yield* Deferred.make<void>()
      const heard: Array<unknown> = []
      const slow = yield* begin(peer, request(1, "report", { n: 20 }), (said) =>
        Effect.andThen(
          heard.length === 0 ? Deferred.await(gate) : someTurns,
          Effect.sync(() => {
            heard.push(said.params?.progress)
          })
        )
      )
      for (let id = 2; id < 12; id++) yield* expectResult(peer, request(id, "report", { n: 2 }), { id })
      yield* equal(heard, [], "what the slow listener has heard so far")
      yield* Deferred.succeed(gate, undefined)
      yield* equal(yield* Fiber.join(slow), success(1, { id: 1 }), "the answer to the slow listener")
      yield* equal(heard, numbers(20), "what the slow listener hears")
    })
  },
  {
    name: "loses nothing of a burst of 10,000 when its listener only needs the processor",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      let next = 1
      const listener = (said: JsonRpc.Notification | JsonRpc.Request) =>
        Effect.sync(() => {
          if (said.params?.progress === next) next++
        })
      yield* expectResult(peer, request(1, "report", { n: 10_000 }), { id: 1 }, listener)
      yield* equal(next, 10_001, "the first one that was not heard")
    })
  },
  {
    name: "lets one notification be heard at a time, however many fibers speak",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const heard: Array<number> = []
      let [now, most] = [0, 0]
      const listener = (said: JsonRpc.Notification | JsonRpc.Request) =>
        Effect.sync(() => {
          most = Math.max(most, ++now)
          heard.push(Number(said.params?.progress))
        }).pipe(
          Effect.andThen(someTurns),
          Effect.andThen(
            Effect.sync(() => {
              now--
            })
          )
        )
      yield* expectResult(peer, request(1, "chorus", { n: 8 }), { id: 1 }, listener)
      yield* equal(most, 1, "how many run at once")
      yield* equal(heard.toSorted(), numbers(8), "what is heard")
      yield* equal(now, 0, "how many still run after the response")
    })
  },
  {
    name: "lets nothing through after the response",
    check: Effect.fnUntraced(function* ({ peer }) {
      let heard = 0
      const listener = () =>
        Effect.sync(() => {
          heard++
        })
      yield* expectResult(peer, request(1, "chatter"), {}, listener)
      yield* expectResult(peer, request(2, "nudge"), {})
      yield* expectResult(peer, request(3, "echo"), {})
      yield* equal(heard, 0, "how many were heard")
    })
  },
  {
    name: "can be a stream of notifications, and leaving the stream cancels",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const all = yield* Stream.runCollect(Stream.unwrap(listen(peer, request(1, "report", { n: 50 }))))
      yield* equal(
        all,
        numbers(50).map((n) => progress(1, n)),
        "the stream"
      )
      const first = yield* Stream.runCollect(Stream.take(Stream.unwrap(listen(peer, request(2, "linger"))), 1))
      yield* equal(first, [progress(2, 1)], "its beginning")
      yield* expectResult(peer, request(3, "abandoned"), {})
    })
  }
]
