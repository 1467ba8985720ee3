import { RpcError, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type CacheKind, memory } from "../src/cache/CacheStore.ts"
import { type CacheOptions, make } from "../src/Cache.ts"
import type { RequestOptions } from "../src/Session.ts"
import { type Answer, type Sent, session } from "./layers.ts"

const fresh = { ttlMs: 1_000, cacheScope: "public" } as const
const tools = (count: number, hints: object = fresh) => ({ tools: [{ name: `t${count}`, inputSchema: {} }], ...hints })
const text = (count: number, hints: object = fresh) => ({ contents: [{ uri: "a://", text: `${count}` }], ...hints })

interface Setup extends CacheOptions {
  readonly answer?: (sent: Sent, count: number) => Answer
  readonly hears?: (kind: CacheKind) => boolean
}

/** A cache over a session whose every answer is new. */
const setUp = ({
  answer = (_, count) => Effect.succeed(tools(count)),
  hears = () => false,
  ...options
}: Setup = {}) => {
  const { send, sent } = session(answer)
  const cache = make({ hears, context: Effect.succeed("") }, options)
  const ask = cache.layer(send)
  return {
    cache,
    sent,
    list: (options?: RequestOptions, cursor?: string) =>
      Effect.map(ask("tools/list", cursor === undefined ? {} : { cursor }, options), ({ tools }) => tools[0]?.name),
    read: (uri = "a://", options?: RequestOptions) => ask("resources/read", { uri }, options),
    ask
  }
}

const hinted = (hints: object) => (_: Sent, count: number) => Effect.succeed(tools(count, hints))

describe("a result that stays fresh", () => {
  it.effect("R-120 R-121 is given again until its time is up, and asked for anew after that", () =>
    Effect.gen(function* () {
      const { list, sent } = setUp()
      expect(yield* list()).toBe("t1")
      yield* TestClock.adjust(999)
      expect(yield* list()).toBe("t1")
      yield* TestClock.adjust(1)
      expect(yield* list()).toBe("t2")
      expect(sent).toHaveLength(2)
    })
  )
  it.effect("says how much of its time is left", () =>
    Effect.gen(function* () {
      const { ask } = setUp()
      yield* ask("tools/list", {})
      yield* TestClock.adjust(400)
      expect(yield* ask("tools/list", {})).toMatchObject({ ttlMs: 600 })
    })
  )
  for (const ttlMs of [0, -1, NaN, Infinity, undefined]) {
    it.effect(`R-121 is none with a ttlMs of ${ttlMs}`, () =>
      Effect.gen(function* () {
        const { list } = setUp({ answer: hinted({ cacheScope: "public", ...(ttlMs === undefined ? {} : { ttlMs }) }) })
        expect(yield* list()).toBe("t1")
        expect(yield* list()).toBe("t2")
      })
    )
  }
  it.effect("R-121 without a word of time is kept until it changes, where a change is heard of", () =>
    Effect.gen(function* () {
      const { cache, list } = setUp({ answer: hinted({}), hears: (kind) => kind === "tools/list" })
      expect(yield* list()).toBe("t1")
      yield* TestClock.adjust("1 day")
      expect(yield* list()).toBe("t1")
      yield* cache.invalidate("tools/list")
      expect(yield* list()).toBe("t2")
    })
  )
  it.effect("R-134 and that only as long as the session", () =>
    Effect.gen(function* () {
      const { cache, list } = setUp({ answer: hinted({}), hears: () => true })
      yield* list()
      yield* cache.renewed
      expect(yield* list()).toBe("t2")
    })
  )
  it.effect("R-135 is none when it is an empty list without a word of time", () =>
    Effect.gen(function* () {
      const { list, sent } = setUp({ answer: () => Effect.succeed({ tools: [] }), hears: () => true })
      yield* list()
      yield* list()
      expect(sent).toHaveLength(2)
    })
  )
  it.effect("R-129 is never a resource without a time", () =>
    Effect.gen(function* () {
      const { read, sent } = setUp({ answer: (_, count) => Effect.succeed(text(count, {})), hears: () => true })
      yield* read()
      yield* read()
      expect(sent).toHaveLength(2)
    })
  )
  it.effect("R-130 belongs to whoever asked", () =>
    Effect.gen(function* () {
      const { ask } = setUp()
      const ruin = (result: object) => Object.assign(result, { tools: "gone" })
      ruin(yield* ask("tools/list", {}))
      ruin(yield* ask("tools/list", {}))
      expect(yield* ask("tools/list", {})).toMatchObject({ tools: [{ name: "t1" }] })
    })
  )
  it.effect("is not used by a request that says so, which brings it up to date", () =>
    Effect.gen(function* () {
      const { list } = setUp()
      yield* list()
      expect(yield* list({ cache: "reload" })).toBe("t2")
      expect(yield* list()).toBe("t2")
    })
  )
  it.effect("R-110 is none when somebody had to answer for it, or has answered already", () =>
    Effect.gen(function* () {
      const { read, sent } = setUp({
        answer: ({ options }, count) =>
          Effect.sync(() => {
            options?.onRound?.({
              method: "resources/read",
              params: { uri: "a://" },
              inputRequests: {},
              inputResponses: {},
              requestState: undefined,
              round: 1
            })
            return text(count)
          })
      })
      yield* read()
      yield* read()
      expect(sent).toHaveLength(2)
      yield* read("a://", { requestState: "s" })
      yield* read("a://", { requestState: "s" })
      expect(sent).toHaveLength(4)
    })
  )
  it.effect("is never that of a tool or a prompt", () =>
    Effect.gen(function* () {
      const { ask, sent } = setUp({ answer: () => Effect.succeed({ content: [], messages: [], ...fresh }) })
      for (const method of ["tools/call", "prompts/get"] as const) {
        yield* ask(method, { name: "x" })
        yield* ask(method, { name: "x" })
      }
      expect(sent).toHaveLength(4)
    })
  )
})

describe("whose a result is", () => {
  const asAnother = () => {
    let who: string | undefined = "alice"
    const context = Effect.sync(() => who)
    const be = (name: string | undefined) => {
      who = name
    }
    return { context, be }
  }
  it.effect("R-122 R-123 a private one, and one that does not say, is given only to whom it was sent", () =>
    Effect.gen(function* () {
      for (const cacheScope of ["private", undefined, "shared"]) {
        const { be, context } = asAnother()
        const { list } = setUp({ context, answer: hinted({ ttlMs: 1_000, cacheScope }) })
        expect(yield* list()).toBe("t1")
        be("bob")
        expect(yield* list()).toBe("t2")
        be("alice")
        expect(yield* list()).toBe("t1")
      }
    })
  )
  it.effect("R-123 a caller that cannot be told gets nothing that is private, and leaves nothing", () =>
    Effect.gen(function* () {
      const { be, context } = asAnother()
      const { list } = setUp({ context, answer: hinted({ ttlMs: 1_000, cacheScope: "private" }) })
      be(undefined)
      expect(yield* list()).toBe("t1")
      expect(yield* list()).toBe("t2")
    })
  )
  it.effect("R-123 what came while the caller changed is nobody's", () =>
    Effect.gen(function* () {
      const { be, context } = asAnother()
      const { list } = setUp({
        context,
        answer: (_, count) =>
          Effect.sync(() => {
            if (count === 1) be("bob")
            return tools(count, { ttlMs: 1_000, cacheScope: "private" })
          })
      })
      yield* list()
      expect(yield* list()).toBe("t2")
      be("alice")
      expect(yield* list()).toBe("t3")
    })
  )
  it.effect("R-125 one private page makes the whole list private", () =>
    Effect.gen(function* () {
      const { be, context } = asAnother()
      const { list } = setUp({
        context,
        answer: ({ params }, count) =>
          Effect.succeed(tools(count, { ttlMs: 1_000, cacheScope: "cursor" in params ? "private" : "public" }))
      })
      yield* list()
      yield* list({}, "2")
      be("bob")
      expect(yield* list()).toBe("t3")
      expect(yield* list({}, "2")).toBe("t4")
    })
  )
  it.effect("R-123 no store ever sees a credential", () =>
    Effect.gen(function* () {
      const store = memory()
      const seen: Array<string> = []
      const { list } = setUp({
        context: Effect.succeed("Bearer secret"),
        answer: hinted({ ttlMs: 1_000, cacheScope: "private" }),
        store: {
          ...store,
          set: (key, entry) => {
            seen.push(JSON.stringify([key, entry]))
            return store.set(key, entry)
          }
        }
      })
      yield* list({ meta: { tenant: "secret" } })
      expect(seen).toHaveLength(1)
      expect(seen[0]).not.toContain("secret")
    })
  )
  it.effect("R-124 each is of the metadata that it was asked with, but for what changes with every request", () =>
    Effect.gen(function* () {
      const { list } = setUp()
      expect(yield* list({ meta: { tenant: "a", more: { x: 1, y: [1] } } })).toBe("t1")
      expect(yield* list({ meta: { tenant: "b", more: { x: 1, y: [1] } } })).toBe("t2")
      const same = { more: { y: [1], x: 1 }, tenant: "a", traceparent: "00-1", tracestate: "x" }
      expect(yield* list({ meta: same })).toBe("t1")
      expect(yield* list({ meta: { progressToken: 7 } })).toBe("t3")
      expect(yield* list()).toBe("t3")
    })
  )
  it.effect("R-124 what cannot be told apart is not kept", () =>
    Effect.gen(function* () {
      const { list } = setUp()
      const meta = { big: "x".repeat(20_000) }
      expect(yield* list({ meta })).toBe("t1")
      expect(yield* list({ meta })).toBe("t2")
    })
  )
})

describe("a change", () => {
  it.effect("R-126 that is heard of while the answer is on its way keeps that from being kept", () =>
    Effect.gen(function* () {
      const held = yield* Deferred.make<void>()
      const answer = (_: Sent, count: number) =>
        count === 1 ? Effect.as(Deferred.await(held), tools(1)) : Effect.succeed(tools(count))
      const { cache, list } = setUp({ answer })
      const first = yield* Effect.forkChild(list(), { startImmediately: true })
      yield* cache.invalidate("tools/list")
      yield* Deferred.succeed(held, undefined)
      expect(yield* Fiber.join(first)).toBe("t1")
      expect(yield* list()).toBe("t2")
    })
  )
  it.effect("R-127 of one resource drops that one alone", () =>
    Effect.gen(function* () {
      const { cache, read, sent } = setUp({ answer: (_, count) => Effect.succeed(text(count)) })
      yield* read("a://1")
      yield* read("a://2")
      yield* cache.invalidate("resources/read", "a://1")
      yield* read("a://2")
      expect(sent).toHaveLength(2)
      yield* read("a://1")
      expect(sent).toHaveLength(3)
    })
  )
  it.effect("R-128 of more resources than are counted counts as one of all", () =>
    Effect.gen(function* () {
      const held = yield* Deferred.make<void>()
      const { cache, read, sent } = setUp({
        answer: (_, count) => (count === 1 ? Effect.as(Deferred.await(held), text(1)) : Effect.succeed(text(count)))
      })
      const first = yield* Effect.forkChild(read("a://first"), { startImmediately: true })
      for (let i = 0; i <= 256; i++) yield* cache.invalidate("resources/read", `a://${i}`)
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.join(first)
      yield* read("a://first")
      expect(sent).toHaveLength(2)
    })
  )
  it.effect("R-134 of everything drops all", () =>
    Effect.gen(function* () {
      const { cache, list } = setUp()
      yield* list()
      yield* cache.invalidate()
      expect(yield* list()).toBe("t2")
    })
  )
})

describe("the room for results", () => {
  it.effect("R-128 is 64 resources: what is stale goes first, then the oldest", () =>
    Effect.gen(function* () {
      const answer = ({ params }: Sent, count: number) =>
        Effect.succeed(text(count, { ...fresh, ttlMs: "uri" in params && params.uri === "a://stale" ? 1 : 10_000 }))
      const { read, sent } = setUp({ answer })
      yield* read("a://0")
      yield* read("a://stale")
      yield* TestClock.adjust(2)
      for (let i = 1; i < 64; i++) yield* read(`a://${i}`)
      expect(sent).toHaveLength(65)
      yield* read("a://0")
      expect(sent).toHaveLength(65)
      yield* read("a://64")
      yield* read("a://1")
      expect(sent).toHaveLength(66)
      yield* read("a://0")
      expect(sent).toHaveLength(67)
    })
  )
})

describe("a cursor that is refused", () => {
  it.effect("R-131 drops the pages of its list", () =>
    Effect.gen(function* () {
      const refused = Effect.fail(new RpcError({ code: -32602, message: "no such cursor" }))
      const { list } = setUp({
        answer: ({ params }, count) => ("cursor" in params ? refused : Effect.succeed(tools(count)))
      })
      yield* list()
      yield* Effect.flip(list({}, "old"))
      expect(yield* list()).toBe("t3")
    })
  )
})

describe("a wire that fails", () => {
  const failing = (status: number) => (_: Sent, count: number) =>
    count === 1 ? Effect.succeed(tools(1)) : Effect.fail(TransportError.make({ _tag: "HttpStatus", status }))

  it.effect("R-132 is stood in for by what is stale, where that is wanted, and for so long", () =>
    Effect.gen(function* () {
      const { list } = setUp({ answer: failing(503), staleIfError: "1 minute" })
      yield* list()
      yield* TestClock.adjust("1 minute")
      expect(yield* list()).toBe("t1")
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(list())).toMatchObject({ reason: { status: 503 } })
    })
  )
  it.effect(
    "R-132 is not stood in for by what is still fresh when that was not to be used, unless that is wanted",
    () =>
      Effect.gen(function* () {
        const unwanted = setUp({ answer: failing(503) })
        yield* unwanted.list()
        expect(yield* Effect.flip(unwanted.list({ cache: "reload" }))).toMatchObject({ reason: { status: 503 } })
        expect(yield* unwanted.list()).toBe("t1")
        const wanted = setUp({ answer: failing(503), staleIfError: "1 minute" })
        yield* wanted.list()
        expect(yield* wanted.list({ cache: "reload" })).toBe("t1")
      })
  )
  for (const [title, status, staleIfError] of [
    ["R-132 is not stood in for when it asks for credentials", 401, "1 minute"],
    ["R-132 is not stood in for unless that is wanted", 503, 0]
  ] as const) {
    it.effect(title, () =>
      Effect.gen(function* () {
        const { list } = setUp({ answer: failing(status), staleIfError })
        yield* list()
        yield* TestClock.adjust("2 seconds")
        expect(yield* Effect.flip(list())).toMatchObject({ reason: { status } })
      })
    )
  }
})

describe("what is kept", () => {
  it.effect("R-133 can be asked about", () =>
    Effect.gen(function* () {
      const { cache, list, read } = setUp({
        answer: ({ method }, count) =>
          Effect.succeed(method === "tools/list" ? tools(count) : text(count, { ttlMs: 5, cacheScope: "private" }))
      })
      expect(yield* cache.info("tools/list")).toBeUndefined()
      yield* list()
      yield* read("a://")
      expect(yield* cache.info("tools/list")).toEqual({ ttlMs: 1_000, scope: "public", receivedAt: 0, isFresh: true })
      yield* TestClock.adjust(10)
      expect(yield* cache.info("resources/read", "a://")).toMatchObject({ scope: "private", isFresh: false })
    })
  )
})
