import { type CacheKey, CacheStore } from "@effective-mcp/client"
import { limits } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { make } from "../src/Cache.ts"
import { isLong } from "../src/cache/fingerprint.ts"
import type { RequestOptions } from "../src/Session.ts"
import { session } from "./layers.ts"

const key = (at: string, kind: CacheKey["kind"] = "resources/read"): CacheKey => ({
  kind,
  at,
  meta: "",
  context: undefined
})
const entry = (size: number, ttlMs = 1_000, receivedAt = 0) => ({
  value: { text: "x".repeat(size) },
  receivedAt,
  ttlMs
})

describe("a store in memory", () => {
  const room = 4_000
  it.effect("forgets what is stale, then the oldest, when there are too many characters", () =>
    Effect.gen(function* () {
      const store = CacheStore.memory({ chars: room })
      const has = (at: string) => Effect.map(store.get(key(at)), (kept) => kept !== undefined)
      yield* store.set(key("oldest"), entry(900))
      yield* store.set(key("stale"), entry(900, 1))
      yield* store.set(key("2"), entry(900))
      yield* store.set(key("3"), entry(900))
      yield* store.set(key("4", "tools/list"), entry(900, 1_000, 5))
      expect(yield* Effect.forEach(["oldest", "stale", "2", "3"], has)).toEqual([true, false, true, true])
      yield* store.set(key("5"), entry(900, 1_000, 5))
      expect(yield* Effect.forEach(["oldest", "2", "3", "5"], has)).toEqual([false, true, true, true])
      expect(yield* store.get(key("4", "tools/list"))).toBeDefined()
    })
  )
  it.effect("keeps nothing that has more than a quarter of them, nor what it was in place of", () =>
    Effect.gen(function* () {
      const store = CacheStore.memory({ chars: room })
      yield* store.set(key("a"), entry(10))
      yield* store.set(key("b"), entry(10))
      yield* store.set(key("a"), entry(1_000))
      expect(yield* store.get(key("a"))).toBeUndefined()
      expect(yield* store.get(key("b"))).toBeDefined()
    })
  )
  it.effect("gets its room back", () =>
    Effect.gen(function* () {
      const store = CacheStore.memory({ chars: room })
      for (let n = 0; n < 100; n++) {
        yield* store.set(key("a"), entry(900))
        yield* store.set(key("b"), entry(900))
        yield* store.drop("resources/read", "b")
        yield* store.set(key("c"), entry(900))
        yield* store.drop()
      }
      for (const at of ["a", "b", "c", "d"]) yield* store.set(key(at), entry(900))
      for (const at of ["a", "b", "c", "d"]) expect(yield* store.get(key(at))).toEqual(entry(900))
    })
  )
  it.effect("keeps nothing that is no JSON, and fails of none", () =>
    Effect.gen(function* () {
      const store = CacheStore.memory()
      const round: { self?: object } = {}
      round.self = round
      for (const value of [round, { big: 1n }]) {
        yield* store.set(key("a"), { value, receivedAt: 0, ttlMs: 1_000 })
        expect(yield* store.get(key("a"))).toBeUndefined()
      }
    })
  )
  it.effect("has 16 Mi characters, and 64 results of a kind, unless it is told otherwise", () =>
    Effect.gen(function* () {
      const store = CacheStore.memory()
      const one = limits.cachedChars / 4 - 200
      for (let n = 0; n < 6; n++) yield* store.set(key(`${n}`), entry(one))
      const kept = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (n) => store.get(key(`${n}`)))
      expect(kept.map((entry) => entry !== undefined)).toEqual([false, false, true, true, true, true])
      const few = CacheStore.memory({ most: 1 })
      yield* few.set(key("a"), entry(1))
      yield* few.set(key("b", "tools/list"), entry(1))
      yield* few.set(key("c"), entry(1))
      expect(yield* few.get(key("a"))).toBeUndefined()
      expect(yield* few.get(key("b", "tools/list"))).toBeDefined()
      expect(() => CacheStore.memory({ chars: 0 })).toThrow("count")
    })
  )
})

/** A cache around a store of the author's own, which sees the keys. */
const seeing = () => {
  const keys: Array<CacheKey> = []
  const inner = CacheStore.memory()
  const store: CacheStore = {
    ...inner,
    set: (key, entry) => {
      keys.push(key)
      return inner.set(key, entry)
    }
  }
  const { send, sent } = session(() =>
    Effect.succeed({ contents: [], tools: [{ name: "t", inputSchema: {} }], ttlMs: 1_000, cacheScope: "public" })
  )
  const cache = make({ hears: () => false, context: Effect.succeed("") }, { store })
  const ask = cache.layer(send)
  const read = (uri: string, options?: RequestOptions) => ask("resources/read", { uri }, options)
  return { ask, cache, keys, read, sent }
}

describe("the key of a result", () => {
  it.effect("has no long URI or cursor in it, and is told apart and dropped all the same", () =>
    Effect.gen(function* () {
      const { ask, cache, keys, read, sent } = seeing()
      const long = (end: string) => `a:${"x".repeat(100_000)}${end}`
      for (let n = 0; n < 2; n++) {
        yield* read(long("1"))
        yield* read(long("2"))
        yield* ask("tools/list", { cursor: long("1") })
      }
      expect(sent).toHaveLength(3)
      expect(keys.filter(({ at }) => isLong(at))).toEqual([])
      expect(yield* cache.info("resources/read", long("1"))).toBeDefined()
      yield* cache.updated(long("1"))
      expect(yield* cache.info("resources/read", long("1"))).toBeUndefined()
      expect(yield* cache.info("resources/read", long("2"))).toBeDefined()
    })
  )
  it.effect("tells metadata apart as JSON does", () =>
    Effect.gen(function* () {
      const { read, sent } = seeing()
      const ask = (who: unknown) => read("a:1", { meta: { who } })
      const others = [
        new Date(1),
        new Date(2),
        new URL("http://a/"),
        new URL("http://b/"),
        { toJSON: () => "alice" },
        { toJSON: () => "bob" }
      ]
      for (const who of others) yield* ask(who)
      expect(sent).toHaveLength(others.length)
      for (const who of [...others, "alice", new Date(1).toJSON()]) yield* ask(who)
      expect(sent).toHaveLength(others.length)
    })
  )
  it.effect("is none of metadata that is no JSON", () =>
    Effect.gen(function* () {
      const { read, sent } = seeing()
      const round: { self?: object } = {}
      round.self = round
      for (const who of [round, 1n]) for (let n = 0; n < 2; n++) yield* read("a:1", { meta: { who } })
      expect(sent).toHaveLength(4)
    })
  )
})
