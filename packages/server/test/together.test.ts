import { Call, Changes, Server, Tool } from "@effective-mcp/server"
import { JsonRpc, Meta } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { told } from "./both.ts"
import { info, initialize, modern, wire } from "./wire.ts"

/** The same turns at every run, in an order that looks like none. */
const turns = (seed: number) => {
  let state = seed + 1
  return Effect.suspend(() => {
    state = (state * 48_271) % 2_147_483_647
    return Effect.forEach(Array.from({ length: state % 4 }), () => Effect.yieldNow, { discard: true })
  })
}

const whoami = Tool.make("whoami", {
  run: Effect.fnUntraced(function* () {
    const { client, log, progress } = yield* Call
    yield* progress(1, 1, client?.name)
    yield* turns((client?.name ?? "").length * 7)
    yield* log("error", client?.name)
    return `${client?.name}`
  })
})
const server = Server.make(info, [whoami], { logging: true })

const CLIENTS = 100
const ROUNDS = 100
const nameOf = (at: number) => `client ${at}`
const call = (params: JsonRpc.JsonObject) => JsonRpc.request(2, "tools/call", params)
const clientOf = (at: number) => ({ name: nameOf(at), version: "1" })
const deaf = { exchange: () => Effect.never, send: () => Effect.void, incoming: null as never }

/** How one client of each kind makes its call. */
const kinds = {
  modern: (at: number) => {
    const meta = { [Meta.CLIENT_INFO]: clientOf(at), [Meta.LOG_LEVEL]: "debug", progressToken: at }
    return Effect.succeed({ handler: server.modern, request: call(modern({ name: "whoami" }, meta)) })
  },
  "a legacy session": Effect.fnUntraced(function* (at: number) {
    const handler = (yield* server.converse()).on(deaf)
    const opening = JsonRpc.request(1, "initialize", { ...initialize, clientInfo: clientOf(at) })
    yield* handler.exchange(opening, () => Effect.void)
    return { handler, request: call({ name: "whoami", _meta: { progressToken: at } }) }
  }),
  "a legacy session that was kept": Effect.fnUntraced(function* (at: number) {
    const handler = (yield* server.converse({ revision: "2025-06-18", client: clientOf(at) })).on(deaf)
    return { handler, request: call({ name: "whoami", _meta: { progressToken: at } }) }
  })
}

describe("one server value and many clients", () => {
  for (const [kind, connect] of Object.entries(kinds)) {
    it.effect(`CON-01 CON-02 all of one id: each hears its own answers, progress and logs, as ${kind}`, () =>
      Effect.gen(function* () {
        let strange = 0
        let answered = 0
        const one = Effect.fnUntraced(function* (at: number) {
          const name = nameOf(at)
          const { handler, request } = yield* connect(at)
          const pause = turns(at)
          for (let round = 0; round < ROUNDS; round++) {
            let heard = 0
            const answer = yield* handler.exchange(request, ({ params }) =>
              Effect.sync(() => {
                heard++
                if (params?.message !== name && params?.data !== name) strange++
              })
            )
            if (JSON.stringify(answer).includes(`"${name}"`) && answer.id === 2 && heard === 2) answered++
            yield* pause
          }
        })
        const all = Array.from({ length: CLIENTS }, (_, at) => one(at))
        yield* Effect.all(all, { concurrency: "unbounded", discard: true })
        expect([answered, strange]).toEqual([CLIENTS * ROUNDS, 0])
      })
    )
  }
})

describe("a cancel and a result that cross", () => {
  it.effect("FEA-03 make one outcome, in 1,000 interleavings: an answer or an interruption", () =>
    Effect.gen(function* () {
      const interrupted = new Set<unknown>()
      const tool = Tool.make("t", {
        run: () =>
          Effect.flatMap(Call, ({ request: { id } }) =>
            Effect.as(turns(Number(id)), "").pipe(Effect.onInterrupt(() => Effect.sync(() => interrupted.add(id))))
          )
      })
      const { result, said, say } = yield* wire(Server.make(info, [tool]))
      const pause = turns(5)
      for (let id = 0; id < 1_000; id++) {
        yield* say(JsonRpc.request(id, "tools/call", modern({ name: "t" })))
        yield* pause
        const cancel = JsonRpc.notification("notifications/cancelled", { requestId: id })
        yield* say(cancel, cancel)
      }
      yield* result("ping")
      const ids = said.filter(JsonRpc.isResponse).flatMap(({ id }) => (typeof id === "number" ? [id] : []))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => interrupted.has(id))).toEqual([])
      expect(ids.length).toBeGreaterThan(0)
      expect(ids.length).toBeLessThan(1_000)
    })
  )
})

describe("a server that closes while it is busy", () => {
  const open = Effect.fnUntraced(function* (linger: Effect.Effect<void>) {
    let begun = 0
    let ended = 0
    const all = yield* Deferred.make<void>()
    const tool = Tool.make("t", {
      run: () =>
        Effect.suspend(() => (++begun === 20 ? Deferred.succeed(all, undefined) : Effect.void)).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() =>
            Effect.andThen(
              Effect.sync(() => ended++),
              linger
            )
          )
        )
    })
    const server = Server.make(info, [tool], { changes: Changes.make() })
    const client = yield* wire(server)
    yield* client.say(
      JsonRpc.request("listen", "subscriptions/listen", modern({ notifications: { toolsListChanged: true } })),
      ...Array.from({ length: 20 }, (_, id) => JsonRpc.request(id, "tools/call", modern({ name: "t" })))
    )
    yield* Deferred.await(all)
    yield* client.until(() => told(client.said).length === 1)
    return { ...client, server, ended: () => ended }
  })
  for (const [what, linger] of [
    ["handlers that let themselves be interrupted", Effect.void],
    ["handlers that take 10 s for it", Effect.sleep("10 seconds")]
  ] as const) {
    it.effect(`CON-05 ends its subscriptions with their result, and leaves in time: ${what}`, () =>
      Effect.gen(function* () {
        const { answerTo, close, ended, server } = yield* open(linger)
        yield* server.endSubscriptions
        expect(yield* answerTo("listen")).toMatchObject({ result: { resultType: "complete" } })
        const closing = yield* Effect.forkScoped(close, { startImmediately: true })
        yield* TestClock.adjust(2_000)
        yield* TestClock.adjust(2_000)
        yield* Fiber.join(closing)
        expect(ended()).toBe(20)
        yield* TestClock.adjust(10_000)
        expect(ended()).toBe(20)
      })
    )
  }
})
