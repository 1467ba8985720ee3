import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { EventStore, SessionStore } from "../../src/server/index.ts"

/** What every event store must do. */
export const eventStoreContract = (make: Effect.Effect<EventStore.EventStore>): void => {
  const event = (id: string) => ({ id, data: `"${id}"` })

  it.effect("gives what a stream has said after an event, in order, and nothing of other streams", () =>
    Effect.gen(function* () {
      const store = yield* make
      for (const n of [1, 2, 3]) {
        yield* store.append("s", "s-1", event(`s-1.${n}`))
        yield* store.append("s", "s-2", event(`s-2.${n}`))
      }
      expect(yield* store.after("s", "s-1", "s-1.1")).toEqual([event("s-1.2"), event("s-1.3")])
      expect(yield* store.after("s", "s-2", "s-2.3")).toEqual([])
    })
  )

  it.effect("knows no event of another session or stream, nor one that never was", () =>
    Effect.gen(function* () {
      const store = yield* make
      yield* store.append("s", "s-1", event("s-1.1"))
      yield* store.append("t", "t-1", event("t-1.1"))
      for (const [session, stream, id] of [
        ["t", "s-1", "s-1.1"],
        ["s", "s-2", "s-1.1"],
        ["s", "s-1", "s-1.2"],
        ["s", "s-1", ""],
        ["s", "__proto__", "constructor"]
      ] as const) {
        expect(yield* store.after(session, stream, id)).toBe(undefined)
      }
    })
  )

  it.effect("forgets a session, and no other", () =>
    Effect.gen(function* () {
      const store = yield* make
      yield* store.append("s", "s-1", event("s-1.1"))
      yield* store.append("s", "s-2", event("s-2.1"))
      yield* store.append("t", "t-1", event("t-1.1"))
      yield* store.forget("s")
      yield* store.forget("s")
      expect(yield* store.after("s", "s-1", "s-1.1")).toBe(undefined)
      expect(yield* store.after("s", "s-2", "s-2.1")).toBe(undefined)
      expect(yield* store.after("t", "t-1", "t-1.1")).toEqual([])
    })
  )
}

/** What every session store must do. */
export const sessionStoreContract = (make: Effect.Effect<SessionStore.SessionStore>): void => {
  const kept = (revision: string) => ({ snapshot: { revision, client: { name: "c", version: "1" } }, owner: "me" })

  it.effect("gives what was kept last under an id", () =>
    Effect.gen(function* () {
      const store = yield* make
      expect(yield* store.get("a")).toBe(undefined)
      expect(yield* store.get("__proto__")).toBe(undefined)
      yield* store.put("a", kept("1"), 1_000)
      yield* store.put("b", kept("2"), 1_000)
      yield* store.put("a", kept("3"), 1_000)
      expect([yield* store.get("a"), yield* store.get("b")]).toEqual([kept("3"), kept("2")])
    })
  )

  it.effect("forgets what was removed, and what its time is over for", () =>
    Effect.gen(function* () {
      const store = yield* make
      yield* store.put("a", kept("1"), 1_000)
      yield* store.put("b", kept("2"), 3_000)
      yield* store.remove("b")
      yield* store.remove("b")
      expect(yield* store.get("b")).toBe(undefined)
      yield* store.put("b", kept("2"), 3_000)
      yield* TestClock.adjust("1 second")
      expect([yield* store.get("a"), yield* store.get("b")]).toEqual([undefined, kept("2")])
    })
  )
}
