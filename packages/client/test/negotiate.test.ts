import { NoCommonRevision } from "@effective-mcp/client"
import { legacyRevisions, modernRevisions, RpcError, versionsOf, Violation } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  begin,
  connect,
  declared,
  discovered,
  error,
  info,
  inTurn,
  legacy,
  line,
  modern,
  result,
  type Scripted,
  scripted,
  serverInfo,
  silence
} from "./scripted.ts"

const probe = "server/discover"
const handshake = ["initialize", "notifications/initialized"]
const unsupported = (...supported: ReadonlyArray<string>) => error(-32022, { supported, requested: "2026-07-28" })

/** It was asked once, and let go of. */
const expectLeft = ({ run, runs }: Scripted, ...methods: ReadonlyArray<string>) => {
  expect(run.methods).toEqual(methods)
  expect(run.isClosed).toBe(true)
  expect(runs.length).toBe(1)
}

describe("the probe", () => {
  it.effect("R-040 auto is the default: it asks first, and speaks modern where the server can", () =>
    Effect.gen(function* () {
      const server = scripted({ ...legacy(), ...modern() })
      const client = yield* connect(server)
      expect([client.era, client.revision]).toEqual(["modern", "2026-07-28"])
      expect(server.run.methods).toEqual([probe])
    })
  )
  it.effect("R-040 the modern era can be pinned, and asks in the same way", () =>
    Effect.gen(function* () {
      const server = scripted({ ...legacy(), ...modern() })
      expect((yield* connect(server, { era: "modern" })).era).toBe("modern")
      expect(server.run.methods).toEqual([probe])
    })
  )
  it.effect("R-040 the legacy era can be pinned, and never asks", () =>
    Effect.gen(function* () {
      const server = scripted({ ...legacy(), ...modern() })
      expect((yield* connect(server, { era: "legacy" })).era).toBe("legacy")
      expect(server.run.methods).toEqual(handshake)
    })
  )
  it.effect("R-041 is server/discover, in the newest version, and says who asks", () =>
    Effect.gen(function* () {
      const server = scripted(modern())
      yield* connect(server)
      expect(server.run.last.method).toBe(probe)
      expect(declared(server.run.last)).toEqual({ version: "2026-07-28", client: info, capabilities: {} })
    })
  )
  it.effect("R-041 is cancelled when its time is up", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: silence }))
      const connecting = yield* begin(connect(server, { probeTimeout: "2 seconds" }))
      yield* TestClock.adjust(1999)
      expect(server.run.methods).toEqual([probe])
      yield* TestClock.adjust(1)
      yield* Fiber.join(connecting)
      expect(server.run.heard[1]).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: server.run.requests[0]!.id }
      })
    })
  )
  it.effect("C-15 waits 5 s", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: silence }))
      const connecting = yield* begin(connect(server))
      yield* TestClock.adjust(4999)
      expect(server.run.methods).toEqual([probe])
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(connecting)).era).toBe("legacy")
      expect(server.run.methods).toEqual([probe, "notifications/cancelled", ...handshake])
    })
  )
  it.effect("C-15 no progress lengthens it", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: silence }))
      const connecting = yield* begin(connect(server))
      for (const progress of [1, 2, 3, 4]) {
        yield* TestClock.adjust(1000)
        const { id } = server.run.last
        server.run.say({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: id, progress } })
      }
      yield* TestClock.adjust(1000)
      expect((yield* Fiber.join(connecting)).era).toBe("legacy")
    })
  )
})

describe("a discover result", () => {
  it.effect("R-043 settles the newest version that both know", () =>
    Effect.gen(function* () {
      const supportedVersions = ["2099-01-01", "2025-11-25", "2026-07-28", "1999-01-01"]
      const server = scripted(modern({ [probe]: discovered({ supportedVersions, instructions: "Be kind." }) }))
      const client = yield* connect(server)
      expect(client).toMatchObject({
        era: "modern",
        revision: "2026-07-28",
        server: serverInfo,
        capabilities: { tools: {} },
        instructions: "Be kind."
      })
      expect(server.run.methods).toEqual([probe])
    })
  )
  it.effect("R-043 need not say who the server is, nor what kind of result it is", () =>
    Effect.gen(function* () {
      const server = scripted({ [probe]: result({ supportedVersions: ["2026-07-28"], capabilities: {} }) })
      const client = yield* connect(server)
      expect(client).toMatchObject({ era: "modern", server: undefined, instructions: undefined })
    })
  )
  it.effect("C-09 R-043 that names only a version of the handshake leads to the handshake", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: discovered({ supportedVersions: ["2099-01-01", "2025-11-25"] }) }))
      expect((yield* connect(server)).era).toBe("legacy")
      expect(server.run.methods).toEqual([probe, ...handshake])
    })
  )
  it.effect("R-045 that names no version of ours is an end", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: discovered({ supportedVersions: ["2099-01-01"] }) }))
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(failure).toMatchObject({
        theirs: ["2099-01-01"],
        ours: versionsOf([...modernRevisions, ...legacyRevisions])
      })
      expectLeft(server, probe)
    })
  )

  const unusable: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
    ["no versions", { resultType: "complete", capabilities: {} }],
    ["versions that are no list", { supportedVersions: "2026-07-28", capabilities: {} }],
    ["versions that are no strings", { supportedVersions: [20260728], capabilities: {} }],
    ["no capabilities", { supportedVersions: ["2026-07-28"] }],
    ["capabilities that are no object", { supportedVersions: ["2026-07-28"], capabilities: ["tools"] }],
    ["nothing but its type", { resultType: "complete" }]
  ]
  for (const [what, value] of unusable) {
    it.effect(`R-047 with ${what} is a modern server's, and a violation`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: result(value) }))
        const failure = yield* Effect.flip(connect(server))
        expect(failure).toBeInstanceOf(Violation)
        expect(failure).toMatchObject({ method: probe, revision: "2026-07-28" })
        expectLeft(server, probe)
      })
    )
  }
  for (const resultType of ["input_required", "task", "partial", 5]) {
    it.effect(`R-049 of type ${JSON.stringify(resultType)} is a violation`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: discovered({ resultType }) }))
        expect(yield* Effect.flip(connect(server))).toBeInstanceOf(Violation)
        expectLeft(server, probe)
      })
    )
  }
  for (const value of [{}, { tools: [] }, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo }]) {
    it.effect(`R-047 without a modern mark is a legacy server's: ${Object.keys(value).join(", ") || "nothing"}`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: result(value) }))
        expect((yield* connect(server)).era).toBe("legacy")
        expect(server.run.methods).toEqual([probe, ...handshake])
      })
    )
  }
})

describe("a modern error", () => {
  it.effect("R-044 that names a version of ours leads to the same question in it, never to the handshake", () =>
    Effect.gen(function* () {
      const server = scripted(
        legacy({ [probe]: inTurn(unsupported("2099-01-01", "2026-07-28", "2025-11-25"), discovered()) })
      )
      const client = yield* connect(server)
      expect(client.era).toBe("modern")
      expect(server.run.methods).toEqual([probe, probe])
      expect(server.run.requests.map((request) => declared(request).version)).toEqual(["2026-07-28", "2026-07-28"])
      expect(new Set(server.run.requests.map(({ id }) => id)).size).toBe(2)
    })
  )
  const again = {
    "the same error": unsupported("2026-07-28"),
    "a legacy error": error(-32601),
    "a discover result without it": discovered({ supportedVersions: ["2025-11-25"] })
  }
  for (const [what, act] of Object.entries(again)) {
    it.effect(`R-044 then ${what}: it is not asked a third time`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: inTurn(unsupported("2026-07-28"), act) }))
        expect(yield* Effect.flip(connect(server))).toBeInstanceOf(NoCommonRevision)
        expectLeft(server, probe, probe)
      })
    )
  }
  it.effect("R-044 then silence: it is not asked a third time, and called silent", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: inTurn(unsupported("2026-07-28"), silence) }))
      const connecting = yield* begin(Effect.flip(connect(server)))
      yield* server.run.told(probe, 2)
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(connecting)).toMatchObject({ reason: { _tag: "TimedOut", afterMs: 5000 } })
      expectLeft(server, probe, probe, "notifications/cancelled")
    })
  )
  it.effect("R-045 that names only versions nobody here knows is an end", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: unsupported("2099-01-01", "2098-01-01") }))
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(failure).toMatchObject({ theirs: ["2099-01-01", "2098-01-01"] })
      expectLeft(server, probe)
    })
  )
  it.effect("R-045 that names very many versions, or very long ones, is an end that repeats few", () =>
    Effect.gen(function* () {
      const versions = Array.from({ length: 1_000 }, (_, i) => `\u001b[${i}${"9".repeat(1_000)}`)
      const server = scripted(legacy({ [probe]: unsupported(...versions) }))
      const failure = yield* Effect.flip(connect(server))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(failure).toMatchObject({ theirs: versions.slice(0, 20).map((version) => `${version.slice(0, 100)}…`) })
      expect(failure.message.length).toBeLessThan(3_000)
      expect(failure.message).toMatch(/^[ -~…]+$/)
    })
  )
  it.effect("R-045 that names only a version of the handshake leads to the handshake", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: unsupported("2025-11-25") }))
      expect((yield* connect(server)).era).toBe("legacy")
      expect(server.run.methods).toEqual([probe, ...handshake])
    })
  )
  it.effect("R-045 that names only a version of the handshake is an end for a client that is pinned", () =>
    Effect.gen(function* () {
      const server = scripted(legacy({ [probe]: unsupported("2025-11-25") }))
      expect(yield* Effect.flip(connect(server, { era: "modern" }))).toBeInstanceOf(NoCommonRevision)
      expectLeft(server, probe)
    })
  )
  const others = {
    "-32020": [-32020, undefined],
    "-32020 with data": [-32020, { header: "Mcp-Method" }],
    "-32021 with what is required": [-32021, { requiredCapabilities: { elicitation: {} } }]
  } as const
  for (const [what, [code, data]] of Object.entries(others)) {
    it.effect(`R-045 ${what} is an end`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: error(code, data) }))
        const failure = yield* Effect.flip(connect(server))
        expect(failure).toBeInstanceOf(RpcError)
        expect(failure).toMatchObject({ code, outcome: "Rejected", ...(data === undefined ? undefined : { data }) })
        expectLeft(server, probe)
      })
    )
  }
  const bare: ReadonlyArray<readonly [string, number, unknown]> = [
    ["-32022 without data", -32022, undefined],
    ["-32022 with no list", -32022, { requested: "2026-07-28" }],
    ["-32022 with a list of other things", -32022, { supported: [1], requested: "2026-07-28" }],
    ["-32022 without what was requested", -32022, { supported: ["2026-07-28"] }],
    ["-32021 without data", -32021, undefined],
    ["-32021 with other data", -32021, { requiredCapabilities: "elicitation" }]
  ]
  for (const [what, code, data] of bare) {
    it.effect(`R-048 ${what} says nothing modern`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: error(code, data) }))
        expect((yield* connect(server)).era).toBe("legacy")
        expect(server.run.methods).toEqual([probe, ...handshake])
      })
    )
  }
})

describe("any other answer", () => {
  for (const code of [-32601, -32602, -32600, -32603, -32700, -32000, -32002, -32019, -32023, -1, 0, 1, 400]) {
    it.effect(`R-046 an error ${code} is a legacy server's`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: error(code) }))
        expect((yield* connect(server)).era).toBe("legacy")
        expect(server.run.methods).toEqual([probe, ...handshake])
      })
    )
  }
  const broken = [
    `{"jsonrpc":"2.0","id":ID,"result":null}`,
    `{"jsonrpc":"2.0","id":ID}`,
    `{"jsonrpc":"2.0","id":ID,"error":"unknown method"}`,
    `{"jsonrpc":"2.0","id":ID,"error":{"message":"unknown method"}}`
  ]
  for (const text of broken) {
    it.effect(`R-046 what is no response is a legacy server's: ${text}`, () =>
      Effect.gen(function* () {
        const server = scripted(legacy({ [probe]: line(text) }))
        expect((yield* connect(server)).era).toBe("legacy")
        expect(server.run.methods).toEqual([probe, ...handshake])
      })
    )
  }
})
