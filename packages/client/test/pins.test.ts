import { Client, NoCommonRevision } from "@effective-mcp/client"
import { legacyRevisions, modernRevisions, versionsOf } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connect, discovered, error, info, initialized, legacy, modern, scripted } from "./scripted.ts"

const handshake = ["initialize", "notifications/initialized"]

describe("a revision that is pinned", () => {
  for (const revision of versionsOf(legacyRevisions)) {
    it.effect(`C-08 ${revision} is all that the handshake offers, without a question before it`, () =>
      Effect.gen(function* () {
        const server = scripted({ ...modern(), ...legacy({ initialize: initialized({ protocolVersion: revision }) }) })
        const client = yield* connect(server, { revision })
        expect([client.era, client.revision]).toEqual(["legacy", revision])
        expect(server.run.methods).toEqual(handshake)
        expect(server.run.requests[0]?.params?.protocolVersion).toBe(revision)
      })
    )
  }
  it.effect("C-08 is the only one: a server that answers with another is refused", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      const failure = yield* Effect.flip(connect(server, { revision: "2025-06-18" }))
      expect(failure).toBeInstanceOf(NoCommonRevision)
      expect(failure).toMatchObject({ ours: ["2025-06-18"], theirs: ["2025-11-25"] })
      expect(server.run.methods).toEqual(["initialize"])
    })
  )
  for (const revision of versionsOf(modernRevisions)) {
    it.effect(`C-08 ${revision} is asked for, and never given up for a handshake`, () =>
      Effect.gen(function* () {
        const spoken = yield* connect(scripted(modern()), { revision })
        expect(spoken.revision).toBe(revision)
        const server = scripted(legacy())
        expect(yield* Effect.flip(connect(server, { revision }))).toBeInstanceOf(NoCommonRevision)
        expect(server.run.methods).toEqual(["server/discover"])
      })
    )
  }
  it.effect("C-08 that is modern does without a server that only has others", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "server/discover": discovered({ supportedVersions: ["2025-11-25"] }) }))
      const failure = yield* Effect.flip(connect(server, { revision: "2026-07-28" }))
      expect(failure).toBeInstanceOf(NoCommonRevision)
    })
  )
  it("that is none, or of another era, throws at once", () => {
    const { transport } = scripted(legacy())
    expect(() => Client.connect(transport, info, { revision: "2026-01-01" })).toThrow("2026-01-01")
    expect(() => Client.connect(transport, info, { revision: "2025-11-25", era: "modern" })).toThrow("modern")
    expect(() => Client.discover(transport, info, { revision: "2025-11-25" })).toThrow("modern")
  })
})

describe("discovery", () => {
  it.effect("C-11 says what the server is, and for how long, without a client", () =>
    Effect.gen(function* () {
      const server = scripted(
        modern({ "server/discover": discovered({ ttlMs: 500, cacheScope: "public", instructions: "Be kind." }) })
      )
      expect(yield* Client.discover(server.transport, info)).toMatchObject({
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        instructions: "Be kind.",
        ttlMs: 500,
        cacheScope: "public"
      })
      expect(server.run.methods).toEqual(["server/discover"])
      expect(server.run.isClosed).toBe(true)
      const client = yield* connect(server)
      expect(client.era).toBe("modern")
    })
  )
  it.effect("C-11 of a legacy server fails, and begins nothing", () =>
    Effect.gen(function* () {
      const server = scripted(legacy())
      expect(yield* Effect.flip(Client.discover(server.transport, info))).toBeInstanceOf(NoCommonRevision)
      expect(server.run.methods).toEqual(["server/discover"])
      expect(server.run.isClosed).toBe(true)
    })
  )
  it.effect("C-11 asks again in a version that the server names", () =>
    Effect.gen(function* () {
      const server = scripted(
        modern({ "server/discover": error(-32022, { supported: ["2099-01-01"], requested: "" }) })
      )
      expect(yield* Effect.flip(Client.discover(server.transport, info))).toMatchObject({ theirs: ["2099-01-01"] })
    })
  )
})
