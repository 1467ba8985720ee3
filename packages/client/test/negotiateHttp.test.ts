import { Client, NoCommonRevision } from "@effective-mcp/client"
import { RpcError, TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Act, errorWith, failing, initialized, overHttp, status } from "./httpWire.ts"
import { begin, info, serverInfo, pass } from "./scripted.ts"

const probe = "server/discover"

const discovered: Act = () =>
  Effect.succeed({
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: {},
    _meta: { "io.modelcontextprotocol/serverInfo": serverInfo }
  })

/** Does each in its turn, the last for ever. */
const inTurn = (...acts: readonly [Act, ...ReadonlyArray<Act>]): Act => {
  let turn = 0
  return (request, session) => acts[Math.min(turn++, acts.length - 1)]!(request, session)
}

const connect = (wire: ReturnType<typeof overHttp>, options?: Client.Options) =>
  Client.connect(wire.transport, info, options)

describe("the era over HTTP", () => {
  for (const code of [400, 404, 405, 406, 415, 422]) {
    it.effect(`a status of ${code} without a modern error means a legacy server`, () =>
      Effect.gen(function* () {
        const wire = overHttp({ [probe]: () => status(code), initialize: initialized })
        const client = yield* connect(wire)
        expect(client.era).toBe("legacy")
        expect(wire.methods).toEqual([probe, "initialize"])
      })
    )
  }
  for (const code of [-32601, -32602, -32600, -32000, 0]) {
    it.effect(`DET-03 an error ${code} that is not modern outranks its status, and means a legacy server`, () =>
      Effect.gen(function* () {
        const wire = overHttp({ [probe]: () => errorWith(code), initialize: initialized })
        expect((yield* connect(wire)).era).toBe("legacy")
      })
    )
  }
  for (const code of [401, 403]) {
    it.effect(`a status of ${code} says nothing of the era, and is not tried again`, () =>
      Effect.gen(function* () {
        const wire = overHttp({ [probe]: () => status(code), initialize: initialized })
        const failure = yield* Effect.flip(connect(wire))
        expect(failure).toMatchObject({ _tag: "TransportError", reason: { _tag: "HttpStatus", status: code } })
        expect(wire.methods).toEqual([probe])
      })
    )
  }
  const passing: ReadonlyArray<readonly [string, Act]> = [
    ["408", () => status(408)],
    ["429", () => status(429)],
    ["500", () => status(500)],
    ["503", () => status(503)],
    ["a network failure", () => failing({ _tag: "Unreachable", what: "nobody there" }, "NotSent")],
    ["a broken stream", () => failing({ _tag: "Closed" })],
    ["silence", () => Effect.never]
  ]
  for (const [name, act] of passing) {
    it.effect(`${name} says nothing of the era: it is asked three times, then it fails typed`, () =>
      Effect.gen(function* () {
        const wire = overHttp({ [probe]: act, initialize: initialized })
        const connecting = yield* begin(Effect.flip(connect(wire)))
        yield* pass(29)
        expect(yield* Fiber.join(connecting)).toBeInstanceOf(TransportError)
        expect(wire.methods).toEqual([probe, probe, probe])
      })
    )
    it.effect(`${name} is not remembered: the next answer counts`, () =>
      Effect.gen(function* () {
        const wire = overHttp({ [probe]: inTurn(act, discovered), initialize: initialized })
        const connecting = yield* begin(connect(wire))
        yield* pass(29)
        expect((yield* Fiber.join(connecting)).era).toBe("modern")
        expect(wire.methods).toEqual([probe, probe])
      })
    )
  }
  it.effect("is never asked for sooner than the server says", () =>
    Effect.gen(function* () {
      const wire = overHttp({ [probe]: inTurn(() => status(503, 7_000), discovered) })
      const connecting = yield* begin(connect(wire))
      yield* TestClock.adjust(6_999)
      expect(wire.methods).toEqual([probe])
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(connecting)).era).toBe("modern")
    })
  )
  it.effect("fails at once when the server wants more time than there is", () =>
    Effect.gen(function* () {
      const wire = overHttp({ [probe]: () => status(503, 3_600_000) })
      expect(yield* Effect.flip(connect(wire))).toMatchObject({ reason: { status: 503, retryAfterMs: 3_600_000 } })
      expect(wire.methods).toEqual([probe])
    })
  )
  it.effect("DET-04 a version error asks again, and never falls back", () =>
    Effect.gen(function* () {
      const refused: Act = () => errorWith(-32022, { supported: ["2026-07-28"], requested: "2026-07-28" })
      const wire = overHttp({ [probe]: inTurn(refused, discovered), initialize: initialized })
      expect((yield* connect(wire)).era).toBe("modern")
      expect(wire.methods).toEqual([probe, probe])
    })
  )
  it.effect("DET-04 a version error without a common version fails, and names both sides", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        [probe]: () => errorWith(-32022, { supported: ["2099-01-01"], requested: "2026-07-28" }),
        initialize: initialized
      })
      const failure = yield* Effect.flip(connect(wire))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(failure).toMatchObject({ theirs: ["2099-01-01"] })
      expect(wire.methods).toEqual([probe])
    })
  )
  for (const [code, data, era] of [
    [-32020, undefined, "modern"],
    [-32021, { requiredCapabilities: { sampling: {} } }, "modern"],
    [-32021, undefined, "legacy"],
    [-32022, undefined, "legacy"]
  ] as const) {
    it.effect(`DET-04 ${code} ${data === undefined ? "without" : "with"} data shows a ${era} server`, () =>
      Effect.gen(function* () {
        const wire = overHttp({ [probe]: () => errorWith(code, data), initialize: initialized })
        if (era === "legacy") return expect((yield* connect(wire)).era).toBe("legacy")
        expect(yield* Effect.flip(connect(wire))).toBeInstanceOf(RpcError)
        expect(wire.methods).toEqual([probe])
      })
    )
  }
  it.effect("falls forward when the handshake is refused in modern words", () =>
    Effect.gen(function* () {
      const wire = overHttp({
        [probe]: inTurn(() => status(404), discovered),
        initialize: () => errorWith(-32022, { supported: ["2026-07-28"], requested: "2025-11-25" })
      })
      expect((yield* connect(wire)).era).toBe("modern")
      expect(wire.methods).toEqual([probe, "initialize", probe])
    })
  )
  it.effect("a modern pin is never downgraded", () =>
    Effect.gen(function* () {
      const wire = overHttp({ [probe]: () => status(404), initialize: initialized })
      const failure = yield* Effect.flip(connect(wire, { revision: "2026-07-28" }))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(wire.methods).toEqual([probe])
    })
  )
})
