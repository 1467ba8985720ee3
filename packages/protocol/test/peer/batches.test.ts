import { type Handler, type JsonRpc, Peer, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import {
  begin,
  cancelled,
  failedWith,
  failure,
  frame,
  logged,
  notification,
  request,
  script,
  success
} from "../script.ts"

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)
const ping = (id: JsonRpc.RequestId) => request(id, "ping")
const batch = (...entries: ReadonlyArray<unknown>) => frame(JSON.stringify(entries))

/** Serves on a wire whose `initialize` has agreed on `version`; `wait` goes on until it is let, and `big` is a bigint. */
const serving = Effect.fnUntraced(function* (version: string) {
  const wire = yield* script
  const gate = yield* Deferred.make<void>()
  const heard: Array<string> = []
  const handler: Handler = {
    exchange: ({ id, method, params = {} }) => {
      heard.push(method)
      if (method === "initialize") {
        if (params.refuse === true) return Effect.succeed(failure(id, { code: -32602, message: "no" }))
        return Effect.succeed(success(id, { protocolVersion: params.version ?? version }))
      }
      if (method === "wide") return Effect.succeed(success(id, { text: "x".repeat(Number(params.length)) }))
      if (method === "big") return Effect.succeed(success(id, { big: 1n }))
      return Effect.as(method === "wait" ? Deferred.await(gate) : Effect.void, success(id, {}))
    },
    notify: ({ method }) => Effect.sync(() => void heard.push(method))
  }
  const client = yield* Peer.make(wire.duplex, { answerMalformed: true })
  yield* Effect.forkScoped(Peer.serve(client, handler, { handlers: 4, queued: 4 }), { startImmediately: true })
  yield* wire.say(request("first", "initialize", {}))
  expect(yield* wire.next).toMatchObject({ id: "first" })
  wire.sent.length = 0
  heard.length = 0
  return { wire, heard, open: Effect.asVoid(Deferred.succeed(gate, undefined)) }
})

const ids = (written: unknown): ReadonlyArray<unknown> =>
  (written as ReadonlyArray<JsonRpc.Response>).map(({ id }) => id)

describe("a batch on 2025-03-26", () => {
  it.effect("RPC-12 is answered by one array, once all of it has been answered", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(ping(1), request(2, "wait"), ping(3)), ping(4))
      expect(wire.sent).toStrictEqual([success(4, {})])
      yield* open
      expect(yield* wire.next).toStrictEqual(success(4, {}))
      expect(yield* wire.next).toStrictEqual([success(1, {}), success(3, {}), success(2, {})])
    })
  )

  it.effect("RPC-12 of notifications and responses alone is not answered", () =>
    Effect.gen(function* () {
      const { heard, wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(notification("notifications/a"), success(9, {}), notification("notifications/b")))
      expect(heard).toStrictEqual(["notifications/a", "notifications/b"])
      expect(wire.sent).toStrictEqual([])
    })
  )

  it.effect("RPC-12 answers an entry that is no message with its own error, inside the array", () =>
    Effect.gen(function* () {
      const { wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(1), batch(ping(1), { jsonrpc: "2.0", id: 2, method: 7 }, { jsonrpc: "2.0", method: 7 }))
      const wrong = (id: JsonRpc.RequestId | undefined, detail: string) =>
        failure(id, { code: -32600, message: `Invalid request: ${detail}` })
      expect(yield* wire.next).toStrictEqual([wrong(undefined, "not an object")])
      expect(yield* wire.next).toStrictEqual([wrong(2, "the method is not a string"), success(1, {})])
    })
  )

  it.effect("RPC-12 is a single error when it is empty, and no batch of batches", () =>
    Effect.gen(function* () {
      const { heard, wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(), batch([ping(1)]))
      expect(yield* wire.next).toMatchObject({ error: { code: -32600 } })
      expect(yield* wire.next).toMatchObject([{ error: { code: -32600 } }])
      expect(heard).toStrictEqual([])
    })
  )

  it.effect("RPC-12 never holds initialize", () =>
    Effect.gen(function* () {
      const { heard, wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(request(1, "initialize", {}), ping(2)))
      const alone = { code: -32600, message: "Invalid request: initialize is never part of a batch" }
      expect(yield* wire.next).toStrictEqual([failure(1, alone), success(2, {})])
      expect(heard).toStrictEqual(["ping"])
    })
  )

  it.effect("refuses an id that is in use, in another batch, in itself or outside", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* serving("2025-03-26")
      yield* wire.say(request(1, "wait"), batch(request(2, "wait"), ping(2), ping(1)), batch(ping(2), ping(3)))
      const inUse = failure(undefined, { code: -32600, message: "Invalid request: the id is already in use" })
      expect(yield* wire.next).toStrictEqual([inUse, success(3, {})])
      yield* open
      const last = [yield* wire.next, yield* wire.next]
      expect(last).toContainEqual(success(1, {}))
      expect(last).toContainEqual([inUse, inUse, success(2, {})])
    })
  )

  it.effect("is answered without what was cancelled, and not at all when that was all", () =>
    Effect.gen(function* () {
      const { wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(request(1, "wait"), ping(2)), batch(request(3, "wait")), cancelled(3), cancelled(1))
      expect(yield* wire.next).toStrictEqual([success(2, {})])
      yield* wire.say(ping(3))
      expect(yield* wire.next).toStrictEqual(success(3, {}))
      expect(wire.sent.length).toBe(2)
    })
  )

  it.effect("is refused entry by entry beyond the requests that are allowed at once", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(...numbers(20).map((id) => request(id, "wait"))))
      yield* open
      const answer = yield* wire.next
      expect(ids(answer).toSorted()).toStrictEqual(numbers(20).toSorted())
      const refused = (answer as ReadonlyArray<JsonRpc.Response>).filter((each) => "error" in each)
      expect(refused.length).toBe(12)
    })
  )

  it.effect("has an error in the place of what cannot be written, which is logged", () =>
    Effect.gen(function* () {
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const { wire } = yield* serving("2025-03-26")
          wire.writing = (message) => Effect.sync(() => void JSON.stringify(message))
          yield* wire.say(batch(ping(1), request(2, "big"), ping(3)))
          const error = failure(2, { code: -32603, message: "Internal error" })
          expect(yield* wire.next).toStrictEqual([success(1, {}), error, success(3, {})])
        })
      )
      expect(log.join()).toContain("a response could not be written")
    })
  )

  it.effect("is answered alone, entry by entry, by what is too long together; what is too long by itself says so", () =>
    Effect.gen(function* () {
      const { wire } = yield* serving("2025-03-26")
      const limit = 150
      wire.writing = (message) =>
        JSON.stringify(message).length > limit
          ? Effect.fail(TransportError.make({ _tag: "TooLarge", limit }, "NotSent"))
          : Effect.void
      const wide = (id: number) => request(id, "wide", { length: id })
      yield* wire.say(batch(wide(60), wide(61), wide(1000)))
      const tooLong = { code: -32603, message: "Internal error: the response is longer than 150 bytes" }
      expect(yield* wire.next).toStrictEqual([success(60, { text: "x".repeat(60) })])
      expect(yield* wire.next).toStrictEqual([success(61, { text: "x".repeat(61) })])
      expect(yield* wire.next).toStrictEqual([failure(1000, tooLong)])
    })
  )

  it.effect("is answered by several arrays when its responses are large, and holds no more than 2 MiB of them", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* serving("2025-03-26")
      const large = numbers(8).map((id) => request(id, "wide", { length: 900_000 }))
      yield* wire.say(batch(...large, request(9, "wait")))
      const parts = [yield* wire.next, yield* wire.next, yield* wire.next]
      expect(parts.map((part) => ids(part).length)).toStrictEqual([2, 2, 2])
      yield* open
      expect(ids(yield* wire.next)).toStrictEqual([7, 8, 9])
    })
  )

  it.effect("is answered with what there is when the client has said its last word", () =>
    Effect.gen(function* () {
      const { wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(request(1, "wait"), ping(2)))
      yield* wire.end()
      expect(yield* wire.next).toStrictEqual([success(2, {})])
    })
  )

  it.effect("is answered whatever a second initialize agrees on, and batches go on when that is refused", () =>
    Effect.gen(function* () {
      const { open, wire } = yield* serving("2025-03-26")
      yield* wire.say(batch(request(1, "wait"), ping(2)), request("second", "initialize", { refuse: true }))
      expect(yield* wire.next).toMatchObject({ id: "second", error: {} })
      yield* wire.say(batch(request(3, "wait")), request("third", "initialize", { version: "2025-06-18" }))
      expect(yield* wire.next).toMatchObject({ id: "third", result: {} })
      yield* open
      const rest = [yield* wire.next, yield* wire.next]
      expect(rest).toContainEqual([success(2, {}), success(1, {})])
      expect(rest).toContainEqual([success(3, {})])
    })
  )

  it.effect("costs in proportion to its lines: 30,000 of them in one read", () =>
    Effect.gen(function* () {
      const { heard, wire } = yield* serving("2025-03-26")
      const start = performance.now()
      yield* wire.say(...numbers(30_000).map(() => batch(notification("notifications/a"))), ping(1))
      expect(yield* wire.next).toStrictEqual(success(1, {}))
      expect(heard.length).toBe(30_001)
      expect(performance.now() - start).toBeLessThan(5_000)
    })
  )

  it.effect("waits with the rest of the wire for its reader, and loses nothing", () =>
    Effect.gen(function* () {
      const { wire } = yield* serving("2025-03-26")
      yield* wire.say(...numbers(50).map((n) => batch(...numbers(100).map((m) => ping(n * 1000 + m)))))
      let answered = 0
      for (const _ of numbers(50)) answered += ids(yield* wire.next).length
      expect(answered).toBe(5_000)
    })
  )
})

describe("a batch on any other revision", () => {
  it.effect("RPC-12 is one -32600, and nothing in it runs", () =>
    Effect.gen(function* () {
      for (const version of ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"]) {
        const { heard, wire } = yield* serving(version)
        yield* wire.say(batch(ping(1), ping(2)), batch(notification("notifications/a")))
        expect(wire.sent).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32600 } }])
        expect(heard).toStrictEqual([])
      }
    })
  )
})

describe("a client's end of a batch", () => {
  const connected = Effect.fnUntraced(function* (version: string) {
    const wire = yield* script
    const peer = yield* Peer.make(wire.duplex)
    const handler: Handler = { exchange: ({ id }) => Effect.succeed(success(id, {})), notify: () => Effect.void }
    yield* Effect.forkScoped(Peer.serve(peer, handler), { startImmediately: true })
    const opening = yield* begin(peer, request("first", "initialize", {}))
    yield* wire.say(success("first", { protocolVersion: version }))
    yield* Fiber.join(opening)
    wire.sent.length = 0
    return { peer, wire }
  })

  it.effect("settles each of its calls, and answers what it is asked, in one array", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* connected("2025-03-26")
      const [one, two] = [yield* begin(peer, request(1, "x")), yield* begin(peer, request(2, "x"))]
      yield* wire.say(batch(success(2, { n: 2 }), ping("a"), { jsonrpc: "2.0", id: 1, result: null }, ping("b"), {}))
      expect(yield* Fiber.join(two)).toStrictEqual(Exit.succeed(success(2, { n: 2 })))
      expect(yield* Fiber.join(one)).toMatchObject(failedWith({ _tag: "Malformed" }, "Unknown"))
      const wrong = failure(undefined, { code: -32600, message: "Invalid request: not JSON-RPC 2.0" })
      expect(wire.sent.at(-1)).toStrictEqual([wrong, success("a", {}), success("b", {})])
    })
  )

  it.effect("lets no batch pass on another revision", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* connected("2025-06-18")
      const call = yield* begin(peer, request(1, "x"))
      yield* wire.say(batch(success(1, {}), ping("a")))
      expect(call.pollUnsafe()).toBe(undefined)
      expect(wire.sent).toStrictEqual([request(1, "x")])
    })
  )
})
