import { Frame, type JsonRpc, Peer } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { begin, failedWith, frame, logged, request, script, type Script, settled, success } from "../script.ts"

const setup = Effect.fnUntraced(function* (options: Peer.Options = {}) {
  const wire = yield* script
  return { wire, peer: yield* Peer.make(wire.duplex, options) }
})

/** A side that owes an answer to what is no message, and what it has written once it has read all of these lines. */
const answers = Effect.fnUntraced(function* (...lines: ReadonlyArray<string>) {
  const { peer, wire } = yield* setup({ answerMalformed: true })
  yield* wire.say(...lines.map(frame))
  yield* settled(peer, wire)
  yield* wire.end()
  return { sent: errorsOf(wire), incoming: yield* Stream.runCollect(Stream.fromPull(peer.incoming)) }
})

const errorsOf = ({ sent }: Script): ReadonlyArray<unknown> =>
  sent.flatMap((message) => ("error" in message ? [[message.id, (message as JsonRpc.Failure).error.code]] : []))

describe("an answer that is none", () => {
  it.effect("RPC-11 fails its own call once, with its id, and the connection stays open", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const lines = [
        `{"jsonrpc":"2.0","id":1,"result":null}`,
        `{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"x"}}`,
        `{"jsonrpc":"2.0","id":3}`,
        `{"jsonrpc":"2.0","id":4,"error":{"code":"a","message":5}}`,
        `{"jsonrpc":"1.0","id":5,"result":{}}`,
        `{"jsonrpc":"2.0","id":6,"error":null}`,
        `{"jsonrpc":"2.0","id":7,"result":[]}`
      ]
      const calls = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], (id) => begin(peer, request(id, "x")))
      yield* wire.say(...lines.map(frame), ...lines.map(frame))
      for (const [at, call] of calls.entries()) {
        const reason = { _tag: "Malformed", id: at + 1 } as const
        expect(yield* Fiber.join(call)).toMatchObject(failedWith(reason, "Unknown"))
      }
      expect(wire.sent.length).toBe(7)
      const next = yield* begin(peer, request(8, "x"))
      yield* wire.say(success(8, {}))
      expect(yield* Fiber.join(next)).toStrictEqual(Exit.succeed(success(8, {})))
    })
  )

  it.effect("RPC-15 a result too deep to be looked at fails its call", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const call = yield* begin(peer, request(1, "x"))
      yield* wire.say(frame(`{"jsonrpc":"2.0","id":1,"result":{"a":${"[".repeat(100)}${"]".repeat(100)}}}`))
      expect(yield* Fiber.join(call)).toMatchObject(failedWith({ _tag: "Malformed" }))
    })
  )

  it.effect("never settles a call by a line that a program prints, though it has the call's id in it", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const call = yield* begin(peer, request(5, "x"))
      yield* wire.say(frame(`{"level":"info","id":5,"text":"x"}`), frame(`{"id":5}`), frame(`5`), frame(`[5]`))
      yield* wire.say(frame(`{"level":"error","id":5,"error":{}}`), frame(`{"id":5,"error":null,"msg":"x"}`))
      expect(call.pollUnsafe()).toBe(undefined)
      yield* wire.say(success(5, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(5, {})))
    })
  )

  it.effect("never settles a call by what was a request of theirs", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      const call = yield* begin(peer, request(5, "x"))
      yield* wire.say(
        frame(`{"jsonrpc":"1.0","id":5,"method":"ping"}`),
        frame(`{"jsonrpc":"2.0","id":5,"method":7}`),
        frame(`{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}`)
      )
      expect(call.pollUnsafe()).toBe(undefined)
      yield* wire.say(success(5, {}))
      expect(yield* Fiber.join(call)).toStrictEqual(Exit.succeed(success(5, {})))
    })
  )
})

describe("what is no message", () => {
  it.effect(
    "RPC-16 is answered with -32700 where it is not JSON, else with -32600 and its id, and reading goes on",
    () =>
      Effect.gen(function* () {
        const { incoming, sent } = yield* answers(
          `{oops`,
          `{"jsonrpc":"2.0","id":4}`,
          `{"jsonrpc":"1.0","id":5,"method":"ping"}`,
          `{"id":6,"method":"ping"}`,
          `{"jsonrpc":"2.0","id":7,"method":"ping"}`
        )
        expect(sent).toStrictEqual([
          [undefined, -32700],
          [4, -32600],
          [5, -32600],
          [6, -32600]
        ])
        expect(incoming).toStrictEqual([request(7, "ping")])
      })
  )

  it.effect("RPC-08 a request with params of the wrong shape is answered with its id", () =>
    Effect.gen(function* () {
      const { incoming, sent } = yield* answers(
        `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":null}`,
        `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":[1]}`,
        `{"jsonrpc":"2.0","id":3,"method":"resources/read"}`,
        `{"jsonrpc":"2.0","method":"notifications/initialized"}`
      )
      expect(sent).toStrictEqual([
        [1, -32602],
        [2, -32600]
      ])
      expect(incoming).toStrictEqual([
        request(3, "resources/read"),
        { jsonrpc: "2.0", method: "notifications/initialized" }
      ])
    })
  )

  it.effect("of null params is a call without any to a client", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      yield* wire.say(
        frame(`{"jsonrpc":"2.0","id":1,"method":"roots/list","params":null,"__proto__":{"more":1}}`),
        frame(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":null}`)
      )
      yield* settled(peer, wire)
      yield* wire.end()
      const [question, told] = yield* Stream.runCollect(Stream.fromPull(peer.incoming))
      expect(question).toMatchObject(request(1, "roots/list"))
      expect(question).not.toHaveProperty("params")
      expect(question).not.toHaveProperty("more")
      expect(told).toStrictEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })
      expect(errorsOf(wire)).toStrictEqual([])
    })
  )

  it.effect("RPC-06 a notification with an id is refused, and a request without one is a notification", () =>
    Effect.gen(function* () {
      const { incoming, sent } = yield* answers(
        `{"jsonrpc":"2.0","id":5,"method":"notifications/initialized"}`,
        `{"jsonrpc":"2.0","method":"initialize","params":{}}`
      )
      expect(sent).toStrictEqual([[5, -32600]])
      expect(incoming).toStrictEqual([{ jsonrpc: "2.0", method: "initialize", params: {} }])
    })
  )

  it.effect("RPC-12 every batch is one -32600, and nothing in it runs", () =>
    Effect.gen(function* () {
      const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`
      const batches = [
        `[${ping(1)},${ping(2)}]`,
        `[]`,
        `[1]`,
        `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`,
        `[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}]`,
        `[[${ping(1)}]]`
      ]
      for (const batch of batches) {
        const { incoming, sent } = yield* answers(batch, ping(3))
        expect(sent).toStrictEqual([[undefined, -32600]])
        expect(incoming).toStrictEqual([request(3, "ping")])
      }
    })
  )

  it.effect("is never answered when it is a notification or a response", () =>
    Effect.gen(function* () {
      const { incoming, sent } = yield* answers(
        `{"jsonrpc":"2.0","method":"notifications/x","params":[]}`,
        `{"jsonrpc":"2.0","id":1,"result":7}`,
        `{"jsonrpc":"2.0","id":{},"result":{}}`,
        `{"jsonrpc":"1.0","id":1,"error":{}}`
      )
      expect([...sent, ...incoming]).toStrictEqual([])
    })
  )

  it.effect("never has its id echoed when that is none", () =>
    Effect.gen(function* () {
      const ids = ["null", "1.5", "9007199254740993", "true", "[1]", '{"id":1}']
      const { sent } = yield* answers(...ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`))
      expect(sent).toStrictEqual(ids.map(() => [undefined, -32600]))
    })
  )

  it.effect("is not answered by a client", () =>
    Effect.gen(function* () {
      const { peer, wire } = yield* setup()
      yield* wire.say(frame("hello"), frame(`{"jsonrpc":"2.0","id":4}`), frame("[]"))
      yield* settled(peer, wire)
      expect(errorsOf(wire)).toStrictEqual([])
    })
  )

  it.effect("is reported ever less often, and without its content", () =>
    Effect.gen(function* () {
      const canary = `{"SECRET-CANARY": `
      const junk = Frame.fromText(canary)
      if (!(junk instanceof Frame.Malformed)) throw new Error("it is a message")
      const [wire, log] = yield* logged(
        Effect.gen(function* () {
          const { peer, wire } = yield* setup({ answerMalformed: true })
          for (let i = 0; i < 10; i++) {
            yield* wire.say(...Array.from({ length: 1000 }, (_, n) => junk.at(i * 1000 + n + 1, canary.length)))
          }
          yield* settled(peer, wire)
          return wire
        })
      )
      expect(errorsOf(wire).length).toBe(10_000)
      expect(log.length).toBeLessThan(25)
      expect(log[0]).toContain("line 1, 18 bytes")
      expect(JSON.stringify([log, wire.sent])).not.toContain("SECRET")
    })
  )
})
